package queryscore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Load reads the samples of a folder that convert --variant query wrote. Records
// that cannot be scored are problems. Errors name the file and say what would mend
// it.
func Load(ctx context.Context, dir string) ([]*Sample, []evaluate.Problem, error) {
	f, err := folder.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	if f.Variant != record.QUERY {
		return nil, nil, fmt.Errorf("%s has samples of the variant %s; give a folder of convert --variant %s, or score it with evaluate", dir, f.Variant, record.QUERY)
	}
	var samples []*Sample
	var problems []evaluate.Problem
	for _, db := range f.Databases {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		records, file, err := f.Records(db, variant.Of(f.Variant).Columns())
		if err != nil {
			return nil, nil, err
		}
		for i, text := range records {
			s, err := sampleOf(f, db, text)
			if err != nil {
				problems = append(problems, evaluate.Problem{File: file, Kind: "record that cannot be scored", Text: fmt.Sprintf("record %d: %v", i, err)})
				continue
			}
			samples = append(samples, s)
		}
	}
	return samples, problems, nil
}

// NewSample returns the sample of a record.
func NewSample(r *query.Record) (*Sample, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return sampleOf(nil, r.DB, text)
}

// sampleOf reads a record. What the format of the tools decides is read as it
// is written, and so are the values of gold, whose numbers must keep their digits.
func sampleOf(f *folder.Folder, db string, text json.RawMessage) (*Sample, error) {
	var r struct {
		query.Record
		Tools      []json.RawMessage `json:"tools"`
		GoldAnswer json.RawMessage   `json:"gold_answer"`
		Gold       struct {
			Columns []string        `json:"columns"`
			Rows    json.RawMessage `json:"rows"`
			Ordered bool            `json:"ordered"`
			Ties    [][2]int        `json:"ties"`
		} `json:"gold"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	s := &Sample{
		DB: db, ID: r.ID, Question: r.Question, Toolset: r.Toolset, Shape: r.Shape, Collections: r.Collections,
		Complexity: r.Complexity, Source: r.Source, AnswerFrom: r.AnswerFrom, Facts: r.Facts,
	}
	s.Facts.Gold.Columns, s.Facts.Gold.Ordered, s.Facts.Gold.Ties = r.Gold.Columns, r.Gold.Ordered, r.Gold.Ties
	s.rows = sync.OnceValues(func() ([][]value.Value, error) { return rowsOf(r.Gold.Rows) })
	list := r.Tools
	if r.ToolsFile != "" && f != nil {
		var err error
		if list, err = f.Tools(r.ToolsFile); err != nil {
			return nil, err
		}
	}
	for i, one := range list {
		t, _, err := spec.Read(one)
		if err != nil {
			return nil, fmt.Errorf("tool %d of the list: %w", i, err)
		}
		s.Tools = append(s.Tools, t)
	}
	if len(r.Calls) != 1 {
		return nil, fmt.Errorf("it has %d gold calls, and not one", len(r.Calls))
	}
	gold := s.Read(&evaluate.Prediction{Calls: r.ToolCalls()})
	if len(gold.Calls) != 1 {
		return nil, errors.New("its gold call calls nothing")
	}
	s.Gold = gold.Calls[0]
	return s, s.Gold.Err
}

// rowsOf reads the rows of a record's gold.
func rowsOf(text json.RawMessage) ([][]value.Value, error) {
	var one tools.Arguments
	if err := json.Unmarshal(append(append([]byte(`{"rows":`), text...), '}'), &one); err != nil {
		return nil, fmt.Errorf("the rows of gold: %w", err)
	}
	list, ok := get(one, "rows").([]any)
	if !ok {
		return nil, errors.New("the rows of gold are no list")
	}
	out := make([][]value.Value, len(list))
	for i, row := range list {
		cells, ok := row.([]any)
		if !ok {
			return nil, fmt.Errorf("row %d of gold is no list", i)
		}
		for j, c := range cells {
			v, ok := tools.LiteralValue(c)
			if !ok {
				return nil, fmt.Errorf("row %d of gold has no value in column %d", i, j)
			}
			out[i] = append(out[i], v)
		}
	}
	return out, nil
}

package explorer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/tools"
)

type sampleView struct {
	Variant string `json:"variant"`
	// Missing says why the question has no sample of the variant.
	Missing string      `json:"missing,omitempty"`
	Starts  []startView `json:"starts,omitempty"`
	Calls   []callView  `json:"calls,omitempty"`
	Answer  *answerView `json:"answer,omitempty"`
	Tools   int         `json:"tools,omitempty"`
}

type startView struct {
	Label  string   `json:"label"`
	Tables []string `json:"tables"`
	Keys   []string `json:"keys"`
}

type callView struct {
	Name      string         `json:"name"`
	Label     string         `json:"label,omitempty"`
	Path      string         `json:"path,omitempty"` // of an endpoint
	Arguments []argumentView `json:"arguments"`
}

// argumentView is an argument with its value as JSON, which keeps its digits.
type argumentView struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// answerView is a gold answer as a table.
type answerView struct {
	Columns      []string    `json:"columns"`
	Rows         [][]*string `json:"rows"` // nil is NULL
	Numeric      []bool      `json:"numeric"`
	RowCount     int         `json:"row_count"` // of which Rows has the first
	Ordered      bool        `json:"ordered"`
	TieDependent bool        `json:"tie_dependent"`
}

// sample answers with a question's gold calls and answer in one variant, or why
// there are none.
func (x *Explorer) sample(r *http.Request) (any, error) {
	variant, db, id := r.FormValue("variant"), r.FormValue("db"), r.FormValue("id")
	task, err := x.env.Task(r.Context(), variant, db, id)
	var none *episode.NoTaskError
	if errors.As(err, &none) {
		v := sampleView{Variant: variant, Missing: reason(none)}
		if f := x.failure(variant, db, id); f != nil {
			v.Missing = fmt.Sprintf("%s: %s", f.Status, f.Reason)
		}
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	gold := task.Gold()
	v := sampleView{Variant: variant, Tools: len(task.Tools)}
	if gold.Start != nil {
		for i, s := range gold.Start.Starts() {
			one := startView{Label: gold.Start.StartingTables[i].Name, Keys: gold.Start.StartingTables[i].Keys}
			for _, t := range s.Tables {
				one.Tables = append(one.Tables, t.Original)
			}
			v.Starts = append(v.Starts, one)
		}
	}
	paths := map[string]string{}
	for _, t := range task.Tools {
		paths[t.Name] = t.Path
	}
	for _, c := range gold.Listed {
		one, err := newCall(c)
		if err != nil {
			return nil, err
		}
		one.Path = paths[c.Name]
		v.Calls = append(v.Calls, one)
	}
	v.Answer, err = newAnswer(gold)
	return v, err
}

// reason says why there is no sample. Those who may see SQL get what the
// converter said of it, too.
func reason(none *episode.NoTaskError) string {
	if none.Err == nil {
		return none.Reason
	}
	return none.Reason + ": " + none.Err.Error()
}

func newCall(c tools.Call) (callView, error) {
	v := callView{Name: c.Name, Label: c.Label, Arguments: []argumentView{}}
	for _, a := range c.Arguments {
		text, err := jsontext.Marshal(a.Value, "")
		if err != nil {
			return v, err
		}
		v.Arguments = append(v.Arguments, argumentView{a.Name, string(text)})
	}
	return v, nil
}

// maxRows is how many rows of an answer, and of a table, are shown at once.
const maxRows = 100

// newAnswer returns an answer as rows. A record has one value as itself and one
// column as a list (spec.Answer).
func newAnswer(gold *evaluate.Sample) (*answerView, error) {
	d := json.NewDecoder(bytes.NewReader(gold.Answer))
	d.UseNumber()
	var answer any
	if err := d.Decode(&answer); err != nil {
		return nil, err
	}
	v := &answerView{
		Columns: gold.Facts.Gold.Columns, Ordered: gold.Facts.Gold.Ordered, TieDependent: gold.Facts.TieDependent, Rows: [][]*string{},
	}
	rows, isList := answer.([]any)
	if !isList {
		rows = []any{answer}
	}
	v.RowCount = len(rows)
	var cells [][]any
	for _, row := range rows[:min(len(rows), maxRows)] {
		list, isRow := row.([]any)
		if !isRow {
			list = []any{row}
		}
		cells = append(cells, list)
	}
	for _, row := range cells {
		v.Rows = append(v.Rows, texts(row))
	}
	v.Numeric = numeric(len(v.Columns), cells)
	return v, nil
}

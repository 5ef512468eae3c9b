package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/tools/gotaframe"
)

// Describe writes how the sizes of the samples are spread in a folder that Run
// wrote, in any format: mean, median, standard deviation and quartiles, in
// lines of at most width columns. Errors say what is not as Run writes it.
func Describe(ctx context.Context, w io.Writer, path string, width int) error {
	sizes, err := readSizes(path)
	if err != nil {
		return err
	}
	if len(sizes) == 0 {
		return fmt.Errorf("%s: no question is verified, so there are no samples to describe", path)
	}
	table, err := tools.FromStructs(sizes)
	if err != nil {
		return err
	}
	df, err := gotaframe.ToDataFrame(ctx, table)
	if err != nil {
		return err
	}
	title := fmt.Sprintf("%d samples", len(sizes))
	described, err := gotaframe.FromDataFrame(df.Describe().Rename(title, "column"))
	if err != nil {
		return err
	}
	// The median is the 50 % quantile, but for even numbers of samples, where
	// gota takes the lower of the two in the middle.
	described, err = tools.From(described).Filter(title, tools.NotEqual, "50%").Table(ctx)
	if err != nil {
		return err
	}
	return described.Print(ctx, w, tools.PrintOptions{Width: width, Rows: -1})
}

// sampleSize is what is described of a sample. Lengths are in characters.
type sampleSize struct {
	Question  int `tools:"question length"`
	SQL       int `tools:"SQL length"`
	Calls     int `tools:"calls"`
	Arguments int `tools:"arguments"`
	Tools     int `tools:"tools listed"`
}

// readSizes reads the samples of all databases that the folder's report names.
func readSizes(path string) ([]sampleSize, error) {
	f, err := folder.Open(path)
	if err != nil {
		return nil, err
	}
	var out []sampleSize
	for _, db := range f.Databases {
		records, _, err := f.Records(db, variant.Of(f.Variant).Columns())
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			size, err := sizeOf(f, r)
			if err != nil {
				return nil, fmt.Errorf("%s: a sample of %s is not as convert writes it: %w", path, db, err)
			}
			out = append(out, size)
		}
	}
	return out, nil
}

// sizeOf returns the size of a record in the folder.
func sizeOf(f *folder.Folder, record json.RawMessage) (sampleSize, error) {
	var r struct {
		Input  string            `json:"input"`
		Query  string            `json:"query"`
		Output []tools.Call      `json:"output"`
		Tools  []json.RawMessage `json:"tools"`
		File   string            `json:"tools_file"`
		Parts  []struct {
			Query string `json:"query"`
		} `json:"parts"` // of MULTI
	}
	if err := json.Unmarshal(record, &r); err != nil {
		return sampleSize{}, err
	}
	if r.File != "" {
		var err error
		if r.Tools, err = f.Tools(r.File); err != nil {
			return sampleSize{}, err
		}
	}
	s := sampleSize{Question: utf8.RuneCountInString(r.Input), SQL: utf8.RuneCountInString(r.Query), Calls: len(r.Output), Tools: len(r.Tools)}
	for _, p := range r.Parts {
		s.SQL += utf8.RuneCountInString(p.Query)
	}
	for _, c := range r.Output {
		s.Arguments += len(c.Arguments)
	}
	return s, nil
}

package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/export"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/tools/gotaframe"
)

// Describe writes how the sizes of the samples are spread in a folder that Run
// wrote, in any format: mean, median, standard deviation and quartiles, in
// lines of at most width columns. Errors say what is not as Run writes it.
func Describe(ctx context.Context, w io.Writer, folder string, width int) error {
	sizes, err := readSizes(folder)
	if err != nil {
		return err
	}
	if len(sizes) == 0 {
		return fmt.Errorf("%s: no question is verified, so there are no samples to describe", folder)
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
func readSizes(folder string) ([]sampleSize, error) {
	text, err := os.ReadFile(filepath.Join(folder, "report.json"))
	if err != nil {
		return nil, fmt.Errorf("%w; name a folder that convert wrote, such as out/slot", err)
	}
	var report Report
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, fmt.Errorf("%s: report.json is not as convert writes it: %w", folder, err)
	}
	columns := columnsOf(report.Variant, false)
	var out []sampleSize
	for _, db := range report.Databases {
		records, err := readRecords(filepath.Join(folder, filepath.Base(db.DB)), columns)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			size, err := sizeOf(folder, r)
			if err != nil {
				return nil, fmt.Errorf("%s: a sample of %s is not as convert writes it: %w", folder, db.DB, err)
			}
			out = append(out, size)
		}
	}
	return out, nil
}

// readRecords reads the samples of one database in the format that it has.
func readRecords(path string, columns []export.Column) ([]json.RawMessage, error) {
	for _, name := range export.Formats() {
		format, err := export.Parse(name)
		if err != nil {
			return nil, err
		}
		file, err := os.Open(path + format.Ext())
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return nil, err
		}
		records, err := export.Read(file, info.Size(), format, columns)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path+format.Ext(), err)
		}
		return records, nil
	}
	return nil, fmt.Errorf("%s: there is no such file with the ending .json, .jsonl or .parquet, which report.json names", path)
}

// sizeOf returns the size of a record in the folder.
func sizeOf(folder string, record json.RawMessage) (sampleSize, error) {
	var r struct {
		Input  string            `json:"input"`
		Query  string            `json:"query"`
		Output []tools.Call      `json:"output"`
		Tools  []json.RawMessage `json:"tools"`
		File   string            `json:"tools_file"`
	}
	if err := json.Unmarshal(record, &r); err != nil {
		return sampleSize{}, err
	}
	s := sampleSize{Question: utf8.RuneCountInString(r.Input), SQL: utf8.RuneCountInString(r.Query), Calls: len(r.Output), Tools: len(r.Tools)}
	if r.File != "" {
		text, err := os.ReadFile(filepath.Join(folder, filepath.Base(r.File)))
		if err != nil {
			return sampleSize{}, err
		}
		if err := json.Unmarshal(text, &r.Tools); err != nil {
			return sampleSize{}, fmt.Errorf("%s: %w", r.File, err)
		}
		s.Tools = len(r.Tools)
	}
	for _, c := range r.Output {
		s.Arguments += len(c.Arguments)
	}
	return s, nil
}

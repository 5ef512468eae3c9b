package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Format names a way to write records.
type Format string

// The formats; see the package documentation.
const (
	Array   Format = "json"    // the records as they are, in a JSON array
	Lines   Format = "jsonl"   // a table, one row a line
	Parquet Format = "parquet" // the same table
)

// Formats returns the names of the formats, which are also the files' endings.
func Formats() []string { return []string{string(Array), string(Lines), string(Parquet)} }

// Parse returns the format of that name. The error lists the names.
func Parse(name string) (Format, error) {
	for _, f := range Formats() {
		if f == name {
			return Format(f), nil
		}
	}
	return "", fmt.Errorf("unknown format %q of records: use %s", name, strings.Join(Formats(), ", "))
}

// Ext returns the ending of files in the format, with its point.
func (f Format) Ext() string { return "." + string(f) }

// IsTable reports whether the format is a table that loads without code; only
// these have a dataset card.
func (f Format) IsTable() bool { return f != Array }

// Write writes all records at once; see Writer.
func Write(w io.Writer, f Format, columns []Column, records []json.RawMessage) error {
	out := NewWriter(w, f, columns)
	for _, r := range records {
		if err := out.Write(r); err != nil {
			return err
		}
	}
	return out.Close()
}

// Read returns the records that Write wrote in the format. size is the number
// of bytes of r.
func Read(r io.ReaderAt, size int64, f Format, columns []Column) ([]json.RawMessage, error) {
	switch f {
	case Lines:
		return readLines(io.NewSectionReader(r, 0, size), columns)
	case Parquet:
		return readParquet(r, size, columns)
	}
	var out []json.RawMessage
	err := json.NewDecoder(io.NewSectionReader(r, 0, size)).Decode(&out)
	return out, err
}

func readLines(r io.Reader, columns []Column) ([]json.RawMessage, error) {
	d := json.NewDecoder(r)
	var out []json.RawMessage
	for {
		var fields map[string]json.RawMessage
		if err := d.Decode(&fields); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(out)+1, err)
		}
		row := make([]cell, len(columns))
		for i, c := range columns {
			text := fields[c.Name]
			if text == nil || string(text) == "null" {
				continue
			}
			written := c
			if c.Kind == JSON {
				written.Kind = Text
			}
			var err error
			if row[i], err = written.value(text); err != nil {
				return nil, fmt.Errorf("line %d: column %s: %w", len(out)+1, c.Name, err)
			}
		}
		one, err := recordOf(columns, row)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(out)+1, err)
		}
		out = append(out, one)
	}
}

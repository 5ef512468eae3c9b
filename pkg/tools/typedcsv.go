package tools

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/birdcall/birdcall/pkg/value"
)

// csvTypes is what a CSV file cannot say itself: the fields of the table and
// the storage class of every cell.
type csvTypes struct {
	Columns []csvColumn `json:"columns"`
}

type csvColumn struct {
	Key       string `json:"key"`
	Type      string `json:"type,omitempty"`
	Affinity  string `json:"affinity"`
	Collation string `json:"collation"`
	Computed  bool   `json:"computed,omitempty"`
	// Classes are the cells' classes from top to bottom, each a letter and
	// how many cells in a row have it, as in "i20n1i3".
	Classes string `json:"classes"`
}

// The classes of cells. A text that CSV would not carry unharmed is quoted as
// in Go.
const (
	classNull    = 'n'
	classInteger = 'i'
	classReal    = 'r'
	classText    = 't'
	classQuoted  = 'q'
	classBlob    = 'b' // in hexadecimal digits
)

// WriteTypedCSV writes a table as WriteCSV does, and to another file, as JSON, the
// types that ReadTypedCSV needs to restore every value exactly. A text that is
// not UTF-8 or has a carriage return is quoted as in Go, which the types note.
// Errors are those of the writers, the database and the context.
func WriteTypedCSV(ctx context.Context, w, types io.Writer, t *Table) error {
	if err := ready(ctx, "write CSV", t); err != nil {
		return err
	}
	if types == nil {
		return errors.New("write CSV: the writer of the types is nil; use WriteCSV to write none")
	}
	runs := make([]classRuns, len(t.fields))
	err := writeCSV(ctx, w, t, func(column int, v value.Value) string {
		cell, class := csvCell(v)
		runs[column].add(class)
		return cell
	})
	if err != nil {
		return err
	}
	doc := csvTypes{Columns: make([]csvColumn, len(t.fields))}
	for i, f := range t.fields {
		doc.Columns[i] = csvColumn{f.Key, f.Type, f.Affinity.String(), f.Collation.String(), f.Computed, runs[i].String()}
	}
	if err := json.NewEncoder(types).Encode(doc); err != nil {
		return fmt.Errorf("write types of CSV: %w", err)
	}
	return nil
}

// csvCell returns the text of a cell and its class.
func csvCell(v value.Value) (string, byte) {
	switch v.Kind() {
	case value.Integer:
		return strconv.FormatInt(v.Int64(), 10), classInteger
	case value.Real:
		s := strconv.FormatFloat(v.Float64(), 'g', -1, 64)
		if strings.Trim(s, "-0123456789") == "" {
			s += ".0"
		}
		return s, classReal
	case value.Text:
		// A reader of CSV may drop the \r of \r\n.
		if s := v.Raw(); !utf8.ValidString(s) || strings.ContainsRune(s, '\r') {
			return strconv.Quote(s), classQuoted
		}
		return v.Raw(), classText
	case value.Blob:
		return hex.EncodeToString([]byte(v.Raw())), classBlob
	}
	return "", classNull
}

// csvValue is the inverse of csvCell.
func csvValue(s string, class byte) (value.Value, error) {
	switch class {
	case classNull:
		return value.NullValue(), nil
	case classInteger:
		i, err := strconv.ParseInt(s, 10, 64)
		return value.Int(i), err
	case classReal:
		f, err := strconv.ParseFloat(s, 64)
		return value.Float(f), err
	case classText:
		return value.Str(s), nil
	case classQuoted:
		text, err := strconv.Unquote(s)
		return value.Str(text), err
	case classBlob:
		b, err := hex.DecodeString(s)
		return value.Bytes(string(b)), err
	}
	return value.NullValue(), fmt.Errorf("no class %q", class)
}

// ReadTypedCSV reads what WriteTypedCSV wrote. Errors say which line, or which
// part of the types, is wrong.
func ReadTypedCSV(ctx context.Context, r, types io.Reader) (*Table, error) {
	if r == nil || types == nil {
		return nil, errors.New("read CSV: a reader is nil; use ReadCSV for a file without types")
	}
	var fields []Field
	var classes []classRuns
	var builders []ColumnBuilder
	err := readCSV(ctx, r, 0, func(header []string) error {
		var err error
		fields, classes, err = typedFields(header, types)
		builders = make([]ColumnBuilder, len(fields))
		return err
	}, func(row int, record []string) error {
		for i, cell := range record {
			v, err := csvValue(cell, classes[i].next())
			if err != nil {
				return fmt.Errorf("read CSV: row %d, column %s: %w; use the types written with this file", row, quoted(fields[i].Key), err)
			}
			builders[i].Append(v)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	columns := make([]*Column, len(builders))
	for i := range builders {
		if classes[i].next() != 0 {
			return nil, fmt.Errorf("read CSV: column %s: the types are of more rows; use the types written with this file", quoted(fields[i].Key))
		}
		columns[i] = builders[i].Column()
	}
	return NewTable(fields, columns)
}

// typedFields returns the fields of a CSV file and the classes of its cells.
func typedFields(header []string, types io.Reader) ([]Field, []classRuns, error) {
	fields := make([]Field, len(header))
	var doc csvTypes
	if err := json.NewDecoder(types).Decode(&doc); err != nil {
		return nil, nil, fmt.Errorf("read types of CSV: %w", err)
	}
	if len(doc.Columns) != len(header) {
		return nil, nil, fmt.Errorf("read types of CSV: %d columns, the CSV has %d; use the types written with this file", len(doc.Columns), len(header))
	}
	classes := make([]classRuns, len(header))
	for i, c := range doc.Columns {
		affinity, ok := affinityNamed(c.Affinity)
		collation, known := value.CollationNamed(c.Collation)
		if !ok || !known || c.Key != header[i] {
			return nil, nil, fmt.Errorf("read types of CSV: column %d: key %s, affinity %s or collation %s does not fit", i, quoted(c.Key), quoted(c.Affinity), quoted(c.Collation))
		}
		fields[i] = Field{Key: c.Key, Type: c.Type, Affinity: affinity, Collation: collation, Computed: c.Computed}
		classes[i].text = c.Classes
	}
	return fields, classes, nil
}

func affinityNamed(name string) (value.Affinity, bool) {
	for a := value.AffinityNone; a <= value.AffinityReal; a++ {
		if a.String() == name {
			return a, true
		}
	}
	return value.AffinityNone, false
}

// classRuns is a list of classes, written as runs of equal ones.
type classRuns struct {
	text  string // to read, or written so far
	class byte   // of the current run
	count int    // in the current run
}

func (c *classRuns) add(class byte) {
	if class != c.class {
		c.text = c.String()
		c.class, c.count = class, 0
	}
	c.count++
}

func (c *classRuns) String() string {
	if c.count == 0 {
		return c.text
	}
	return c.text + string(c.class) + strconv.Itoa(c.count)
}

// next returns the class of the next cell, 0 at the end and where the text is
// not a list of runs.
func (c *classRuns) next() byte {
	if c.count == 0 {
		if c.text == "" {
			return 0
		}
		digits := 1
		for digits < len(c.text) && c.text[digits] >= '0' && c.text[digits] <= '9' {
			digits++
		}
		n, err := strconv.Atoi(c.text[1:digits])
		if err != nil || n <= 0 {
			return 0
		}
		c.class, c.count, c.text = c.text[0], n, c.text[digits:]
	}
	c.count--
	return c.class
}

package tools

import (
	"bufio"
	"context"
	"encoding/csv"
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

// WriteCSV writes a table as CSV with a header of keys, and beside it, as
// JSON, the types that ReadCSV needs to restore every value exactly. types may
// be nil. Errors are those of the writers, the database and the context.
func WriteCSV(ctx context.Context, w, types io.Writer, t *Table) error {
	views, err := t.views(ctx, t.all())
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	record := t.Keys()
	writeRecord(out, record)
	runs := make([]classRuns, len(views))
	for row := range t.rows {
		if err := stopped(ctx, row); err != nil {
			return err
		}
		for i, v := range views {
			var class byte
			record[i], class = csvCell(v.At(row))
			runs[i].add(class)
		}
		writeRecord(out, record)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	if types == nil {
		return nil
	}
	doc := csvTypes{Columns: make([]csvColumn, len(views))}
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

// writeRecord writes one line. Package encoding/csv is not used because it
// writes a lone empty field as an empty line, which readers skip.
func writeRecord(w *bufio.Writer, record []string) {
	for i, s := range record {
		if i > 0 {
			w.WriteByte(',')
		}
		if s == "" && len(record) == 1 || strings.ContainsAny(s, "\",\r\n") || strings.HasPrefix(s, " ") {
			s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
		w.WriteString(s)
	}
	w.WriteByte('\n')
}

// ReadCSV reads what WriteCSV wrote. Without types (nil) every cell is a TEXT,
// keys that are used twice get _1, _2, ... appended and empty ones are named
// column. Errors say which line, or which part of the types, is wrong.
func ReadCSV(ctx context.Context, r, types io.Reader) (*Table, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("read CSV: no header line with the keys: %w", err)
	}
	fields, classes, err := csvFields(header, types)
	if err != nil {
		return nil, err
	}
	builders := make([]ColumnBuilder, len(fields))
	for row := 0; ; row++ {
		if err := stopped(ctx, row); err != nil {
			return nil, err
		}
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read CSV: %w; quote fields that hold commas, quotes or line ends", err)
		}
		for i, cell := range record {
			v := value.Str(cell)
			if types != nil {
				if v, err = csvValue(cell, classes[i].next()); err != nil {
					return nil, fmt.Errorf("read CSV: row %d, column %s: %w; use the types written with this file", row+1, quoted(fields[i].Key), err)
				}
			}
			builders[i].Append(v)
		}
	}
	columns := make([]*Column, len(builders))
	for i := range builders {
		if types != nil && classes[i].next() != 0 {
			return nil, fmt.Errorf("read CSV: column %s: the types are of more rows; use the types written with this file", quoted(fields[i].Key))
		}
		columns[i] = builders[i].Column()
	}
	return NewTable(fields, columns)
}

// csvFields returns the fields of a CSV file, and the classes of its cells if
// there are types.
func csvFields(header []string, types io.Reader) ([]Field, []classRuns, error) {
	fields := make([]Field, len(header))
	if types == nil {
		keys := make([]string, len(header))
		for i, key := range header {
			if keys[i] = key; key == "" {
				keys[i] = "column"
			}
		}
		for i, key := range UniqueKeys(keys) {
			fields[i] = Field{Key: key, Type: "TEXT", Affinity: value.AffinityText}
		}
		return fields, nil, nil
	}
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

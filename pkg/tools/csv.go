package tools

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/pkg/value"
)

// CSVOptions say how a CSV file is read. The zero value is right for most.
type CSVOptions struct {
	// Comma is the character between fields; 0 is a comma.
	Comma rune
	// Types declares the types of some columns by their keys, as CREATE TABLE
	// does: INTEGER, REAL, TEXT, NUMERIC, DATE. The cells are converted as
	// SQLite converts texts that are inserted into such a column
	// (https://www.sqlite.org/datatype3.html, section 3): what is not a number
	// stays text in a column of numbers. The types of the other columns are
	// inferred.
	Types map[string]string
}

// ReadCSV reads CSV with a header of keys. A column in which every cell is a
// whole number of 64 bits is INTEGER, one in which every cell is a number is
// REAL, and any other one TEXT; 007 is no number, as its zeros would be lost.
// Cells may be quoted, and numbers have spaces around them. An empty cell is
// NULL. A byte order mark is skipped, keys that are used twice get _1, _2, ...
// appended and empty ones are named column. Errors name the line.
func ReadCSV(ctx context.Context, r io.Reader, o CSVOptions) (*Table, error) {
	var fields []Field
	var builders []ColumnBuilder
	err := readCSV(ctx, r, o.Comma, func(header []string) error {
		fields = make([]Field, len(header))
		builders = make([]ColumnBuilder, len(header))
		for i, key := range headerKeys(header) {
			fields[i].Key = key
			if declared, ok := o.Types[key]; ok {
				fields[i].Type = declared
			}
		}
		for _, key := range slices.Sorted(maps.Keys(o.Types)) {
			if !slices.ContainsFunc(fields, func(f Field) bool { return f.Key == key }) {
				return fmt.Errorf("read CSV: Types names %s, which is no key; the keys are %s", quoted(key), strings.Join(header, ", "))
			}
		}
		return nil
	}, func(_ int, record []string) error {
		for i, cell := range record {
			v := value.NullValue()
			if cell != "" {
				v = value.Str(cell)
			}
			builders[i].Append(v)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	columns := make([]*Column, len(fields))
	for i := range fields {
		texts := builders[i].Column()
		if _, given := o.Types[fields[i].Key]; !given {
			fields[i].Type = inferredType(texts.dict)
		}
		fields[i].Affinity = value.AffinityOf(fields[i].Type)
		columns[i] = texts.converted(fields[i].Affinity)
	}
	return NewTable(fields, columns)
}

// WriteCSV writes a table as CSV with a header of keys. NULL is an empty cell,
// as an empty text is; a BLOB is written in hexadecimal digits. WriteTypedCSV
// loses nothing. Errors are those of the writer, the database and the context.
func WriteCSV(ctx context.Context, w io.Writer, t *Table) error {
	return writeCSV(ctx, w, t, func(_ int, v value.Value) string {
		if v.Kind() == value.Text {
			return v.Raw()
		}
		cell, _ := csvCell(v)
		return cell
	})
}

// byteOrderMark is at the start of some files in UTF-8.
const byteOrderMark = "\ufeff"

// readCSV hands over the header and then the rows, counted from 1. The slices
// are reused.
func readCSV(ctx context.Context, r io.Reader, comma rune, head func([]string) error, each func(row int, record []string) error) error {
	if ctx == nil {
		return fmt.Errorf("read CSV: %w", errNilContext)
	}
	if r == nil {
		return errors.New("read CSV: the reader is nil; open a file")
	}
	text := bufio.NewReader(r)
	if start, err := text.Peek(len(byteOrderMark)); err == nil && string(start) == byteOrderMark {
		if _, err := text.Discard(len(byteOrderMark)); err != nil {
			return fmt.Errorf("read CSV: %w", err)
		}
	}
	in := csv.NewReader(text)
	in.ReuseRecord = true
	if comma != 0 {
		in.Comma = comma
	}
	header, err := in.Read()
	if err != nil {
		return fmt.Errorf("read CSV: no header line with the keys: %w", err)
	}
	if err := head(header); err != nil {
		return err
	}
	for row := 1; ; row++ {
		if err := stopped(ctx, row-1); err != nil {
			return err
		}
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read CSV: %w; give each line as many fields as the header, and quote fields that hold commas, quotes or line ends", err)
		}
		if err := each(row, record); err != nil {
			return err
		}
	}
}

// inferredType returns the type that fits all texts: INTEGER, REAL or TEXT.
func inferredType(texts []string) string {
	inferred := "INTEGER"
	for _, s := range texts {
		switch isInteger, isReal := numeral(s); {
		case isInteger:
		case isReal:
			inferred = "REAL"
		default:
			return "TEXT"
		}
	}
	if len(texts) == 0 {
		return "TEXT"
	}
	return inferred
}

// numeral reports whether a text is a number that can be written back: a whole
// one of 64 bits, or one with a point or an exponent.
func numeral(s string) (isInteger, isReal bool) {
	number := strings.Trim(s, " ")
	s = strings.TrimPrefix(number, "-")
	whole := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if whole < 0 {
		whole = len(s)
	}
	if whole == 0 && !strings.HasPrefix(s, ".") || whole > 1 && s[0] == '0' || strings.ContainsAny(s, "xXpP_") {
		return false, false
	}
	if whole == len(s) {
		_, err := strconv.ParseInt(number, 10, 64)
		return err == nil, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return false, err == nil && !math.IsInf(f, 0)
}

// converted returns a column of texts and NULL with an affinity applied.
func (c *Column) converted(to value.Affinity) *Column {
	if to == value.AffinityText || to == value.AffinityBlob {
		return c
	}
	converted := make([]value.Value, len(c.dict))
	for code, text := range c.dict {
		converted[code] = to.Apply(value.Str(text))
	}
	var b ColumnBuilder
	b.Grow(c.length)
	for i := range c.length {
		v := value.NullValue()
		if c.layout == layoutText && c.codes[i] >= 0 {
			v = converted[c.codes[i]]
		}
		b.Append(v)
	}
	return b.Column()
}

// writeCSV writes the header, and the rows as cell gives them.
func writeCSV(ctx context.Context, w io.Writer, t *Table, cell func(column int, v value.Value) string) error {
	if err := ready(ctx, "write CSV", t); err != nil {
		return err
	}
	if w == nil {
		return errors.New("write CSV: the writer is nil; use os.Stdout")
	}
	views, err := t.views(ctx, t.all())
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	record := t.Keys()
	writeRecord(out, record)
	for row := range t.rows {
		if err := stopped(ctx, row); err != nil {
			return err
		}
		for i, v := range views {
			record[i] = cell(i, v.At(row))
		}
		writeRecord(out, record)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

// writeRecord writes one line. Package encoding/csv is not used because it
// writes a lone empty field as an empty line, which readers skip.
func writeRecord(w *bufio.Writer, record []string) {
	for i, s := range record {
		if i > 0 {
			w.WriteByte(',')
		}
		if s == "" && len(record) == 1 || strings.ContainsAny(s, "\",\r\n") || strings.HasPrefix(s, " ") || strings.HasPrefix(s, byteOrderMark) {
			s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
		w.WriteString(s)
	}
	w.WriteByte('\n')
}

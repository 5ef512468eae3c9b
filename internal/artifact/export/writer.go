package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/birdcall/birdcall/internal/text/jsontext"
)

// Writer writes records one after the other. Make it with NewWriter.
type Writer struct {
	form    form
	written int
}

// form is how a format's file is made.
type form interface {
	write(record json.RawMessage) error
	close() error
}

// NewWriter returns a writer to w. The order of a table's columns is the order
// of its fields; an array has no columns.
func NewWriter(w io.Writer, f Format, columns []Column) *Writer {
	out := &Writer{}
	switch f {
	case Lines:
		out.form = &lines{w, columns}
	case Parquet:
		out.form = newParquet(w, columns)
	default:
		out.form = &array{w: w}
	}
	return out
}

// Write adds a record, a JSON object. Errors are those of the file and, with
// the number of the record, of one that does not fit the columns.
func (w *Writer) Write(record json.RawMessage) error {
	if err := w.form.write(record); err != nil {
		return fmt.Errorf("record %d: %w", w.written, err)
	}
	w.written++
	return nil
}

// Close ends the file, without closing what is below.
func (w *Writer) Close() error { return w.form.close() }

// array writes one record a line.
type array struct {
	w       io.Writer
	started bool
}

func (a *array) write(record json.RawMessage) error {
	before := "[\n"
	if a.started {
		before = ",\n"
	}
	a.started = true
	_, err := io.WriteString(a.w, before)
	if err == nil {
		_, err = a.w.Write(record)
	}
	return err
}

func (a *array) close() error {
	end := "\n]\n"
	if !a.started {
		end = "[" + end
	}
	_, err := io.WriteString(a.w, end)
	return err
}

type lines struct {
	w       io.Writer
	columns []Column
}

func (l *lines) write(record json.RawMessage) error {
	row, err := cells(l.columns, record)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, c := range l.columns {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := errors.Join(jsontext.Append(&b, c.Name), b.WriteByte(':'), jsontext.Append(&b, row[i])); err != nil {
			return err
		}
	}
	b.WriteString("}\n")
	_, err = l.w.Write(b.Bytes())
	return err
}

func (l *lines) close() error { return nil }

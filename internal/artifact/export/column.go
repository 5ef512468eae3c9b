package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/birdcall/birdcall/internal/text/jsontext"
)

// Kind is what the cells of a column are.
type Kind int

// The kinds of columns.
const (
	Text Kind = iota // the text itself
	Flag             // true or false
	JSON             // a text that holds JSON
	List             // objects of one form, see ListOf
)

// Column is a column of an exported table, and the field of a record that it
// holds.
type Column struct {
	Name string
	Kind Kind

	list reflect.Type // of a List
}

// ListOf returns a column of lists of T, a struct of texts, of such structs and of
// lists of them, with the names of its fields in the tags json and parquet. An
// empty list is as good as none.
func ListOf[T any](name string) Column {
	return Column{Name: name, Kind: List, list: reflect.TypeFor[[]T]()}
}

// value reads a cell of the column from JSON.
func (c Column) value(text json.RawMessage) (cell, error) {
	t := reflect.TypeFor[string]()
	switch c.Kind {
	case JSON:
		return string(text), nil
	case Flag:
		t = reflect.TypeFor[bool]()
	case List:
		t = c.list
	}
	v := reflect.New(t)
	err := json.Unmarshal(text, v.Interface())
	return v.Elem().Interface(), err
}

// ColumnsOf returns the columns for a struct that is written as a record, in
// the order of its fields, those of embedded structs in their place, and under
// their names in JSON.
func ColumnsOf(record any) []Column {
	var out []Column
	t := reflect.TypeOf(record)
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous {
			continue // its own fields follow
		}
		kind := JSON
		switch f.Type.Kind() {
		case reflect.String:
			kind = Text
		case reflect.Bool:
			kind = Flag
		}
		out = append(out, Column{Name: name, Kind: kind})
	}
	return out
}

// cell is one cell of a table: nil, a string, a bool or a list.
type cell = any

// cells takes a record apart. Errors name the field that does not fit.
func cells(columns []Column, record json.RawMessage) ([]cell, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(record, &fields); err != nil {
		return nil, fmt.Errorf("is no JSON object: %w", err)
	}
	out := make([]cell, len(columns))
	for i, c := range columns {
		raw, ok := fields[c.Name]
		if !ok {
			continue
		}
		delete(fields, c.Name)
		var err error
		if out[i], err = c.value(raw); err != nil {
			return nil, fmt.Errorf("field %s: %w", c.Name, err)
		}
	}
	for name := range fields {
		return nil, fmt.Errorf("field %s has no column; add it to the columns", name)
	}
	return out, nil
}

// recordOf puts cells together again.
func recordOf(columns []Column, row []cell) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, c := range columns {
		if row[i] == nil {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		if err := jsontext.Append(&b, c.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if text, ok := row[i].(string); ok && c.Kind == JSON {
			if !json.Valid([]byte(text)) {
				return nil, fmt.Errorf("column %s holds no JSON", c.Name)
			}
			b.WriteString(text)
		} else if err := jsontext.Append(&b, row[i]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

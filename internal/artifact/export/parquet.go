package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// The name that files carry as their writer's; it has no version, so that the
// same records are the same bytes.
const createdBy = "birdcall"

// pageBytes is how many bytes of a column are compressed together.
const pageBytes = 4 << 20

// batch is how many rows are handed to the library at a time.
const batch = 64

// rowOf is the struct that a row is in Go: a field for each column, in their
// order, each of which may be nil.
func rowOf(columns []Column) reflect.Type {
	fields := make([]reflect.StructField, len(columns))
	for i, c := range columns {
		t, how := reflect.TypeFor[*string](), "optional"
		switch c.Kind {
		case Flag:
			t = reflect.TypeFor[*bool]()
		case List:
			t, how = c.list, "list"
		}
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("Column%d", i), Type: t,
			Tag: reflect.StructTag(fmt.Sprintf(`parquet:"%s,%s"`, c.Name, how)),
		}
	}
	return reflect.StructOf(fields)
}

// schemaOf makes a Parquet schema. The library orders a struct's fields as they
// are, and a group's by name.
func schemaOf(row reflect.Type) *parquet.Schema {
	return parquet.SchemaOf(reflect.New(row).Interface())
}

// options keep the smallest and largest texts of a page out of the file: they
// are no use for JSON, and as long as the rows. The lists of tools repeat each
// other, so long pages make them small.
func options(schema *parquet.Schema) []parquet.WriterOption {
	out := []parquet.WriterOption{
		schema, parquet.CreatedBy(createdBy, "", ""), parquet.Compression(&parquet.Zstd),
		parquet.PageBufferSize(pageBytes),
	}
	for _, path := range schema.Columns() {
		out = append(out, parquet.SkipPageBounds(path...), parquet.SkipPageStatistics(path...))
	}
	return out
}

type table struct {
	w       *parquet.GenericWriter[any]
	columns []Column
	row     reflect.Type
	schema  *parquet.Schema
}

func newParquet(w io.Writer, columns []Column) *table {
	row := rowOf(columns)
	schema := schemaOf(row)
	return &table{parquet.NewGenericWriter[any](w, options(schema)...), columns, row, schema}
}

func (t *table) write(record json.RawMessage) error {
	cells, err := cells(t.columns, record)
	if err != nil {
		return err
	}
	row := reflect.New(t.row)
	for i, c := range cells {
		if c == nil {
			continue
		}
		v := reflect.ValueOf(c)
		if t.columns[i].Kind != List {
			v = reflect.New(v.Type())
			v.Elem().Set(reflect.ValueOf(c))
		}
		row.Elem().Field(i).Set(v)
	}
	_, err = t.w.WriteRows([]parquet.Row{t.schema.Deconstruct(nil, row.Interface())})
	return err
}

func (t *table) close() error { return t.w.Close() }

func readParquet(r io.ReaderAt, size int64, columns []Column) ([]json.RawMessage, error) {
	file, err := parquet.OpenFile(r, size)
	if err != nil {
		return nil, err
	}
	row := rowOf(columns)
	schema := schemaOf(row)
	in := parquet.NewReader(file, schema)
	defer func() { _ = in.Close() }() // which has nothing to write
	var out []json.RawMessage
	rows := make([]parquet.Row, batch)
	for {
		n, err := in.ReadRows(rows)
		for _, values := range rows[:n] {
			v := reflect.New(row)
			if err := schema.Reconstruct(v.Interface(), values); err != nil {
				return nil, fmt.Errorf("row %d: %w", len(out), err)
			}
			one, err := recordOf(columns, cellsOf(columns, v.Elem()))
			if err != nil {
				return nil, fmt.Errorf("row %d: %w", len(out), err)
			}
			out = append(out, one)
		}
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func cellsOf(columns []Column, row reflect.Value) []cell {
	out := make([]cell, len(columns))
	for i, c := range columns {
		switch v := row.Field(i); {
		case c.Kind == List && v.Len() > 0:
			out[i] = v.Interface()
		case c.Kind != List && !v.IsNil():
			out[i] = v.Elem().Interface()
		}
	}
	return out
}

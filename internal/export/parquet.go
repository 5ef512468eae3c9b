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

// schemaOf makes a Parquet schema in which every column may be null. The
// library orders a struct's fields as they are, and a group's by name.
func schemaOf(columns []Column) *parquet.Schema {
	fields := make([]reflect.StructField, len(columns))
	for i, c := range columns {
		t := reflect.TypeFor[*string]()
		if c.Kind == Flag {
			t = reflect.TypeFor[*bool]()
		}
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("Column%d", i), Type: t,
			Tag: reflect.StructTag(fmt.Sprintf(`parquet:"%s,optional"`, c.Name)),
		}
	}
	return parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
}

// options keep the smallest and largest texts of a page out of the file: they
// are no use for JSON, and as long as the rows. The lists of tools repeat each
// other, so long pages make them small.
func options(columns []Column) []parquet.WriterOption {
	out := []parquet.WriterOption{
		schemaOf(columns), parquet.CreatedBy(createdBy, "", ""), parquet.Compression(&parquet.Zstd),
		parquet.PageBufferSize(pageBytes),
	}
	for _, c := range columns {
		out = append(out, parquet.SkipPageBounds(c.Name), parquet.SkipPageStatistics(c.Name))
	}
	return out
}

type table struct {
	w       *parquet.GenericWriter[any]
	columns []Column
}

func newParquet(w io.Writer, columns []Column) *table {
	return &table{parquet.NewGenericWriter[any](w, options(columns)...), columns}
}

func (t *table) write(record json.RawMessage) error {
	cells, err := cells(t.columns, record)
	if err != nil {
		return err
	}
	row := make(parquet.Row, len(t.columns))
	for i, c := range cells {
		defined := 0
		if c != nil {
			defined = 1
		}
		row[i] = parquet.ValueOf(c).Level(0, defined, i)
	}
	_, err = t.w.WriteRows([]parquet.Row{row})
	return err
}

func (t *table) close() error { return t.w.Close() }

func readParquet(r io.ReaderAt, size int64, columns []Column) ([]json.RawMessage, error) {
	file, err := parquet.OpenFile(r, size)
	if err != nil {
		return nil, err
	}
	in := parquet.NewReader(file, schemaOf(columns))
	defer func() { _ = in.Close() }() // which has nothing to write
	var out []json.RawMessage
	rows := make([]parquet.Row, batch)
	for {
		n, err := in.ReadRows(rows)
		for _, row := range rows[:n] {
			one, err := record(columns, cellsOf(columns, row))
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

func cellsOf(columns []Column, row parquet.Row) []cell {
	out := make([]cell, len(columns))
	for _, v := range row {
		switch {
		case v.IsNull():
		case columns[v.Column()].Kind == Flag:
			out[v.Column()] = v.Boolean()
		default:
			out[v.Column()] = string(v.ByteArray())
		}
	}
	return out
}

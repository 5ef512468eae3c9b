package find

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
)

// Bounds of what is read of a column.
const (
	// maxNumbers is how many different numbers a column may have for them to be
	// indexed: those of measures and amounts say nothing of a column.
	maxNumbers = 1000
	// columnsAtOnce is how many columns one statement reads.
	columnsAtOnce = 100
)

// maxTexts is how many different texts of a column are indexed. There the first ones
// are, in the order of the table. Only a test changes it.
var maxTexts = 1 << 20

// valueReader gives the values of a database to valueindex.Build.
type valueReader struct {
	columns []valueindex.Column
	read    func(ctx context.Context, column int, yield func(value.Value) error) error
	partial map[int]string // why values of a column were not read, once it was
}

// source is a column to read.
type source struct {
	table   *engine.Table
	column  *engine.Column
	numbers bool // whether numbers are wanted
}

// sourcesOf returns the columns of a schema that may be read: those of tables whose
// rows can be listed, which are not hidden.
func sourcesOf(schema *engine.Schema, hidden func(table, column string) bool) []source {
	var out []source
	for _, t := range schema.Tables {
		if t.View || t.API != "" && len(t.Required) > 0 {
			continue
		}
		for i := range t.Columns {
			c := &t.Columns[i]
			if !c.Hidden && !hidden(t.Name, c.Name) {
				out = append(out, source{t, c, !isKey(t, c)})
			}
		}
	}
	return out
}

// isKey reports whether a column is one of a primary or foreign key, whose numbers
// are those of rows.
func isKey(t *engine.Table, c *engine.Column) bool {
	return c.PrimaryKey > 0 || slices.ContainsFunc(t.ForeignKeys, func(k engine.ForeignKey) bool {
		return slices.ContainsFunc(k.Columns, func(name string) bool { return spelling.Same(name, c.Name) })
	})
}

func columnsOf(sources []source) []valueindex.Column {
	out := make([]valueindex.Column, len(sources))
	for i, s := range sources {
		out[i] = valueindex.Column{Table: s.table.Name, Name: s.column.Name}
	}
	return out
}

// readerOf returns the reader of a SQLite database. hidden reports the columns that
// are not to be read. It reads a table once, and keeps the values of its columns
// until they were asked for: SQLite takes several times as long to say which values
// of a column are distinct.
func readerOf(db *sqlite.DB, schema *engine.Schema, hidden func(table, column string) bool) *valueReader {
	var sources []source
	for _, s := range sourcesOf(schema, hidden) {
		if s.table.IntegerPrimaryKey != s.column.Name { // which has no texts
			sources = append(sources, s)
		}
	}
	var sets []*columnValues // of some columns from first on
	first := 0
	read := func(ctx context.Context, column int, yield func(value.Value) error) error {
		if column < first || column >= first+len(sets) || sets[column-first] == nil {
			end := column + 1
			for end < min(len(sources), column+columnsAtOnce) && sources[end].table == sources[column].table {
				end++
			}
			first, sets = column, nil // let go of the last ones first
			err := sqlite.Retry(func() (err error) {
				sets, err = readTable(ctx, db, sources[column:end])
				return err
			})
			if err != nil {
				sets = nil // they are not whole
				return err
			}
		}
		set := sets[column-first]
		sets[column-first] = nil // nobody needs it any more
		return set.each(yield)
	}
	return &valueReader{columns: columnsOf(sources), read: read}
}

// readTable reads columns of one table.
func readTable(ctx context.Context, db *sqlite.DB, sources []source) ([]*columnValues, error) {
	sets := make([]*columnValues, len(sources))
	list := make([]string, len(sources))
	for i, s := range sources {
		name := sqlite.Quote(s.column.Name)
		// A long text is read as a BLOB of a length that no BLOB that is read has, so
		// that its own bytes stay on disk.
		list[i] = fmt.Sprintf("iif(octet_length(%[1]s) > %[2]d, iif(typeof(%[1]s) = 'text', zeroblob(%[3]d), NULL), %[1]s)", name, valueindex.MaxBytes, longMark)
		sets[i] = &columnValues{texts: map[string]struct{}{}, numbers: map[value.Value]struct{}{}, many: !s.numbers}
	}
	sql := "SELECT " + strings.Join(list, ", ") + " FROM " + sqlite.Quote(sources[0].table.Name)
	err := db.Each(ctx, sql, func(row []value.Value) error {
		for i, v := range row {
			sets[i].add(v)
		}
		return nil
	})
	return sets, err
}

// longMark is the length of the BLOB that stands for a long text.
const longMark = valueindex.MaxBytes + 1

// columnValues are the different values of a column.
type columnValues struct {
	texts   map[string]struct{}
	numbers map[value.Value]struct{}
	many    bool        // numbers are not wanted, or there are too many
	long    bool        // texts were left out
	last    value.Value // often the next one too
}

func (d *columnValues) add(v value.Value) {
	if v == d.last {
		return
	}
	d.last = v
	switch v.Kind() {
	case value.Text:
		if len(d.texts) == maxTexts {
			_, known := d.texts[v.Raw()]
			d.long = d.long || !known
			return
		}
		d.texts[v.Raw()] = struct{}{}
	case value.Integer, value.Real:
		if d.many {
			return
		}
		d.numbers[v] = struct{}{}
		if len(d.numbers) > maxNumbers {
			d.many, d.numbers = true, nil
		}
	case value.Blob:
		d.long = d.long || len(v.Raw()) == longMark
	case value.Null:
	}
}

// each calls yield with all values.
func (d *columnValues) each(yield func(value.Value) error) error {
	for s := range d.texts {
		if err := yield(value.Str(s)); err != nil {
			return err
		}
	}
	for v := range d.numbers {
		if err := yield(v); err != nil {
			return err
		}
	}
	if d.long {
		return yield(valueindex.TooLong)
	}
	return nil
}

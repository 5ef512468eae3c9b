package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// Field describes one column of a Table.
type Field struct {
	// Key names the column; keys are unique within a table.
	Key string
	// Type is the declared type of a base column, "" for a computed one.
	Type string
	// Affinity and Collation take part in comparisons as
	// https://www.sqlite.org/datatype3.html, sections 4.2 and 7.1, say.
	Affinity  value.Affinity
	Collation value.Collation
	// Computed marks the result of an operation. It has no collation of its
	// own: compared with a column, it leaves the choice to that column.
	Computed bool
}

// Table is an immutable list of rows with named columns. A grouped table, the
// result of GroupDataBy, has one row for each group.
type Table struct {
	rows      int
	fields    []field
	index     map[string]int
	vectors   [][]int32 // row numbers into base columns, see View
	root      *lineage
	positions []int32 // of the rows in the root; nil for 0, 1, 2, ...
	groups    *grouping
}

// field ties a Field to its values: a source seen through a row vector.
type field struct {
	Field
	source *lazyColumn
	vector int
}

// lineage identifies a table from which others descend by filtering, sorting
// and transforming. It has a size so that two of them differ as pointers.
type lineage struct{ _ byte }

// lazyColumn is a column that is there or that a database has yet to read.
type lazyColumn struct {
	column   *Column
	database Database
	table    string
	name     string
	rows     int
}

func (s *lazyColumn) load(ctx context.Context) (*Column, error) {
	if s.column != nil {
		return s.column, nil
	}
	c, err := s.database.Column(ctx, s.table, s.name)
	if err == nil && c == nil {
		err = errors.New("the database gave no column")
	}
	if err != nil {
		return nil, fmt.Errorf("read column %s of table %s: %w", s.name, s.table, err)
	}
	if c.Len() != s.rows {
		return nil, fmt.Errorf("read column %s of table %s: %d values for %d rows; the database changed while it was read", s.name, s.table, c.Len(), s.rows)
	}
	return c, nil
}

var errNilContext = errors.New("the context is nil; use context.Background()")

// View is one column of a table, cell by cell. It is a column and the row
// number in that column of every row of the table; -1 stands for the NULL of
// an outer join, and no numbers at all for the column as it is.
type View struct {
	column *Column
	rows   []int32
	length int
}

// Len returns the number of rows.
func (v View) Len() int { return v.length }

// At returns the cell of row i, counted from 0.
func (v View) At(i int) value.Value {
	if v.rows != nil {
		if i = int(v.rows[i]); i < 0 {
			return value.NullValue()
		}
	}
	return v.column.Value(i)
}

// isNull reports whether the cell of row i is NULL.
func (v View) isNull(i int) bool {
	i = place(v.rows, i)
	if i < 0 {
		return true
	}
	switch v.column.layout {
	case layoutInt, layoutReal:
		return v.column.isNull(i)
	case layoutText:
		return v.column.codes[i] < 0
	case layoutMixed:
		return v.column.mixed[i].IsNull()
	}
	return true
}

// place returns the row number that a View's rows have for row i. It is no method
// of View so that a loop keeps what it needs of one in registers.
func place(rows []int32, i int) int {
	if rows == nil {
		return i
	}
	return int(rows[i])
}

// NewTable returns a table of the given columns, which have one length. Keys
// must be unique and not empty.
func NewTable(fields []Field, columns []*Column) (*Table, error) {
	if len(fields) != len(columns) || len(fields) == 0 {
		return nil, fmt.Errorf("new table: %d fields for %d columns; give one field for each column, and at least one", len(fields), len(columns))
	}
	t := &Table{root: new(lineage), vectors: [][]int32{nil}}
	if columns[0] != nil {
		t.rows = columns[0].Len()
	}
	seen := map[string]bool{}
	for i, f := range fields {
		if f.Key == "" || seen[f.Key] {
			return nil, fmt.Errorf("new table: column %d: key %q is empty or used twice", i, f.Key)
		}
		if columns[i] == nil {
			return nil, fmt.Errorf("new table: column %q is nil", f.Key)
		}
		if columns[i].Len() != t.rows {
			return nil, fmt.Errorf("new table: column %q has %d values, the first column has %d", f.Key, columns[i].Len(), t.rows)
		}
		seen[f.Key] = true
		t.fields = append(t.fields, field{Field: f, source: &lazyColumn{column: columns[i]}})
	}
	t.reindex()
	return t, nil
}

// check fails for a table that is nil or has no columns, which is one that
// this package did not make.
func (t *Table) check(tool, argument string) error {
	if t == nil || len(t.fields) == 0 {
		return &ToolError{Tool: tool, Argument: argument, Reason: "there is no table", Hint: "make one with FromStructs, FromSQL, FromDatabase, ReadCSV or NewTable"}
	}
	return nil
}

// ready checks what every tool is called with.
func ready(ctx context.Context, tool string, tables ...*Table) error {
	if ctx == nil {
		return &ToolError{Tool: tool, Reason: "the context is nil", Hint: "use context.Background()"}
	}
	for i, t := range tables {
		if err := t.check(tool, [...]string{toolname.ArgDataSource, toolname.ArgOtherDataSource}[i]); err != nil {
			return err
		}
	}
	return nil
}

// Len returns the number of rows, 0 of a nil table.
func (t *Table) Len() int {
	if t == nil {
		return 0
	}
	return t.rows
}

// Fields describes the columns, in order.
func (t *Table) Fields() []Field {
	if t == nil {
		return nil
	}
	out := make([]Field, len(t.fields))
	for i, f := range t.fields {
		out[i] = f.Field
	}
	return out
}

// Keys returns the names of the columns, in order.
func (t *Table) Keys() []string {
	if t == nil {
		return nil
	}
	out := make([]string, len(t.fields))
	for i, f := range t.fields {
		out[i] = f.Key
	}
	return out
}

// Grouped reports whether each row stands for a group of rows.
func (t *Table) Grouped() bool { return t != nil && t.groups != nil }

// GroupKeys returns the keys that the rows of each group agree in, in the order
// in which they were given; none of a table that is not grouped.
func (t *Table) GroupKeys() []string {
	if !t.Grouped() {
		return nil
	}
	return slices.Clone(t.groups.keys)
}

// Column returns the column at position i, counted from 0, reading it from the
// database where that has not happened yet. Errors are those of the database,
// and that there is no such column.
func (t *Table) Column(ctx context.Context, i int) (View, error) {
	if t == nil || i < 0 || i >= len(t.fields) {
		return View{}, fmt.Errorf("no column %d in a table of %d; count from 0", i, len(t.Keys()))
	}
	if ctx == nil {
		return View{}, errNilContext
	}
	f := t.fields[i]
	c, err := f.source.load(ctx)
	if err != nil {
		return View{}, err
	}
	return View{column: c, rows: t.vectors[f.vector], length: t.rows}, nil
}

// Rows returns all cells, row by row. Errors are those of the database and the
// context.
func (t *Table) Rows(ctx context.Context) ([][]value.Value, error) {
	if t == nil {
		return nil, nil
	}
	if ctx == nil {
		return nil, errNilContext
	}
	views, err := t.views(ctx, t.all())
	if err != nil {
		return nil, err
	}
	cells := make([]value.Value, t.rows*len(views))
	out := make([][]value.Value, t.rows)
	for r := range out {
		if err := stopped(ctx, r); err != nil {
			return nil, err
		}
		row := cells[r*len(views) : (r+1)*len(views) : (r+1)*len(views)]
		for i, v := range views {
			row[i] = v.At(r)
		}
		out[r] = row
	}
	return out, nil
}

// all returns the positions of every column.
func (t *Table) all() []int {
	out := make([]int, len(t.fields))
	for i := range out {
		out[i] = i
	}
	return out
}

func (t *Table) views(ctx context.Context, columns []int) ([]View, error) {
	out := make([]View, len(columns))
	for i, c := range columns {
		v, err := t.Column(ctx, c)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// Scalar returns the first cell of the table, NULL without rows: the value of
// a scalar subquery (https://www.sqlite.org/lang_expr.html, section 11). Errors
// are those of the database.
func (t *Table) Scalar(ctx context.Context) (value.Value, error) {
	if t.Len() == 0 {
		return value.NullValue(), nil
	}
	v, err := t.Column(ctx, 0)
	if err != nil {
		return value.NullValue(), err
	}
	return v.At(0), nil
}

func (t *Table) reindex() {
	t.index = make(map[string]int, len(t.fields))
	for i, f := range t.fields {
		t.index[f.Key] = i
	}
}

// position returns where a row of t is in the table it descends from.
func (t *Table) position(row int) int32 {
	if t.positions == nil {
		return int32(row)
	}
	return t.positions[row]
}

// take returns the table made of the given rows of t, in that order. The
// result is of the same lineage, so rows must not name a row twice.
func (t *Table) take(rows []int32) *Table {
	out := *t
	out.rows = len(rows)
	out.vectors = make([][]int32, len(t.vectors))
	for i, v := range t.vectors {
		out.vectors[i] = gather(v, rows)
	}
	out.positions = gather(t.positions, rows)
	return &out
}

// gather returns vector[r] for each of the rows; a nil vector maps every row
// to itself and -1 stays -1.
func gather(vector, rows []int32) []int32 {
	if vector == nil {
		return rows
	}
	out := make([]int32, len(rows))
	for i, r := range rows {
		if r < 0 {
			out[i] = -1
		} else {
			out[i] = vector[r]
		}
	}
	return out
}

// project returns a table of some columns of t under new fields, which keep
// their values. Row vectors that nothing uses any more are dropped.
func (t *Table) project(columns []int, fields []Field) *Table {
	out := *t
	out.fields = make([]field, len(columns))
	out.vectors = nil
	moved := map[int]int{}
	for i, c := range columns {
		f := t.fields[c]
		to, ok := moved[f.vector]
		if !ok {
			to = len(out.vectors)
			moved[f.vector] = to
			out.vectors = append(out.vectors, t.vectors[f.vector])
		}
		out.fields[i] = field{Field: fields[i], source: f.source, vector: to}
	}
	out.reindex()
	return &out
}

// with returns t with one more column, or with another column instead of
// the one that has this key. The column has one value for each row.
func (t *Table) with(f Field, c *Column) *Table {
	out := *t
	identity := slices.IndexFunc(t.vectors, func(v []int32) bool { return v == nil })
	if identity < 0 {
		identity = len(t.vectors)
		out.vectors = append(slices.Clone(t.vectors), nil)
	}
	out.fields = append([]field(nil), t.fields...)
	added := field{Field: f, source: &lazyColumn{column: c}, vector: identity}
	if i, ok := t.index[f.Key]; ok {
		out.fields[i] = added
	} else {
		out.fields = append(out.fields, added)
	}
	out.reindex()
	return &out
}

// ungrouped returns t as a plain table with a new lineage.
func (t *Table) ungrouped() *Table {
	if t.groups == nil {
		return t
	}
	out := *t
	out.groups, out.root, out.positions = nil, new(lineage), nil
	return &out
}

// stopped gives the context's error at every 65536th row.
func stopped(ctx context.Context, row int) error {
	if row&0xffff != 0 {
		return nil
	}
	return ctx.Err()
}

package tools

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/birdcall/birdcall/pkg/value"
)

// Database gives the base tables that a Session starts from. Implementations
// keep what they have read, so that asking twice is cheap, and find names as
// SQLite does, without regard to ASCII case.
type Database interface {
	// Table describes a table.
	Table(ctx context.Context, name string) (TableInfo, error)
	// Column returns all values of one column, in the table's own row order.
	Column(ctx context.Context, table, column string) (*Column, error)
}

// TableInfo describes a base table.
type TableInfo struct {
	Name    string
	Rows    int
	Columns []ColumnInfo
}

// ColumnInfo describes a column of a base table: its name, its declared type
// as written, and the affinity and collation that follow from the declaration
// (https://www.sqlite.org/datatype3.html, sections 3.1 and 7).
type ColumnInfo struct {
	Name      string
	Type      string
	Affinity  value.Affinity
	Collation value.Collation
}

// FromDatabase returns a base table under the names of its columns; a name that
// is used twice gets _1, _2, ... appended. Each column is read when a step
// first looks at it. Errors are those of the database and the context,
// and that the database is nil or its table has no columns or too many rows.
func FromDatabase(ctx context.Context, db Database, name string) (*Table, error) {
	if ctx == nil {
		return nil, fmt.Errorf("from database: %w", errNilContext)
	}
	if db == nil {
		return nil, errors.New("from database: the database is nil; open one")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	info, err := db.Table(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("from database: %w", err)
	}
	if info.Rows > math.MaxInt32 {
		return nil, &LimitError{Tool: "from database", What: "rows", Limit: math.MaxInt32}
	}
	if len(info.Columns) == 0 {
		return nil, fmt.Errorf("from database: table %s has no columns; use another table", quoted(info.Name))
	}
	keys := make([]string, len(info.Columns))
	for i, c := range info.Columns {
		keys[i] = c.Name
	}
	return baseTable(db, info, headerKeys(keys)), nil
}

// baseTable returns a table whose columns are still to be read.
func baseTable(db Database, info TableInfo, keys []string) *Table {
	t := &Table{rows: info.Rows, root: new(lineage), vectors: [][]int32{nil}}
	for i, c := range info.Columns {
		f := Field{Key: keys[i], Type: c.Type, Affinity: c.Affinity, Collation: c.Collation}
		t.fields = append(t.fields, field{Field: f, source: &lazyColumn{database: db, table: info.Name, name: c.Name, rows: info.Rows}})
	}
	t.reindex()
	return t
}

// Memory is a Database held in memory, for tests and small programs. The zero
// Memory is empty and ready for use.
type Memory struct {
	infos   map[string]TableInfo
	columns map[string][]*Column
}

// NewMemory returns an empty database.
func NewMemory() *Memory { return &Memory{} }

// Add adds a table whose columns hold the given rows. The affinity of each
// column follows from its declared type and is applied to its values, as
// SQLite does on INSERT (datatype3.html, section 3). A row of another width
// than the columns is an error.
func (m *Memory) Add(name string, columns []ColumnInfo, rows [][]value.Value) error {
	if m == nil {
		return errors.New("the database is nil; make one with NewMemory")
	}
	builders := make([]ColumnBuilder, len(columns))
	infos := make([]ColumnInfo, len(columns))
	for i, c := range columns {
		infos[i] = c
		infos[i].Affinity = value.AffinityOf(c.Type)
	}
	for r, row := range rows {
		if len(row) != len(columns) {
			return fmt.Errorf("table %s, row %d: %d values for %d columns; give one value for each column", name, r, len(row), len(columns))
		}
		for i, v := range row {
			builders[i].Append(infos[i].Affinity.Apply(v))
		}
	}
	built := make([]*Column, len(columns))
	for i := range builders {
		built[i] = builders[i].Column()
	}
	if m.infos == nil {
		m.infos, m.columns = map[string]TableInfo{}, map[string][]*Column{}
	}
	key := strings.ToLower(name)
	m.infos[key] = TableInfo{Name: name, Rows: len(rows), Columns: infos}
	m.columns[key] = built
	return nil
}

// Table implements Database.
func (m *Memory) Table(_ context.Context, name string) (TableInfo, error) {
	if m == nil {
		return TableInfo{}, errors.New("the database is nil; make one with NewMemory")
	}
	info, ok := m.infos[strings.ToLower(name)]
	if !ok {
		return TableInfo{}, fmt.Errorf("no table %q in this database", name)
	}
	return info, nil
}

// Column implements Database.
func (m *Memory) Column(ctx context.Context, table, column string) (*Column, error) {
	info, err := m.Table(ctx, table)
	if err != nil {
		return nil, err
	}
	for i, c := range info.Columns {
		if strings.EqualFold(c.Name, column) {
			return m.columns[strings.ToLower(table)][i], nil
		}
	}
	return nil, fmt.Errorf("no column %q in table %q", column, table)
}

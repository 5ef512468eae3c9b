package slot

import (
	"context"
	"maps"
	"slices"

	"github.com/birdcall/birdcall/internal/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
)

// Expect says which questions will be converted, so that a table's columns that they
// name are read together, rather than each when it is first needed. It changes nothing
// but the time that this takes.
func (d *Database) Expect(questions []*bird.Question) {
	for _, q := range questions {
		for table, columns := range d.namedIn(q.SQL) {
			d.store.Expect(table, columns)
		}
	}
}

// namedIn returns the columns that a statement names, by table; none of one that cannot
// be read. A panic, which is a defect, is left to the statement's conversion.
func (d *Database) namedIn(sql string) (columns map[string][]string) {
	defer func() {
		if recover() != nil {
			columns = nil
		}
	}()
	q, err := sqltree.Read(sql, d.schema)
	if err != nil {
		return nil
	}
	return columnsOf(q)
}

// load reads the columns that a statement names, table by table: its calls ask for
// them one by one.
func (d *Database) load(ctx context.Context, q *sqltree.Query) {
	columns := columnsOf(q)
	for _, table := range slices.Sorted(maps.Keys(columns)) {
		d.store.Load(ctx, table, columns[table])
	}
}

// columnsOf returns the columns of tables that a query names, by table.
func columnsOf(q *sqltree.Query) map[string][]string {
	out := map[string][]string{}
	q.WalkAll(func(*sqltree.Query) {}, func(e sqltree.Expr) {
		if c, ok := e.(*sqltree.Column); ok && c.Source != nil && c.Source.Table != nil && c.Index >= 0 {
			table := c.Source.Table.Name
			out[table] = append(out[table], c.Source.Columns[c.Index].Name)
		}
	})
	return out
}

package emit

import "github.com/birdcall/birdcall/internal/db/engine"

// columns returns the names of a table's columns in their order.
func (e *emitter) columns(table string) []string {
	var out []string
	for _, c := range e.schema.Table(table).Columns {
		out = append(out, c.Name)
	}
	return out
}

// neverNull returns the columns of a table that never hold NULL: its key, which
// stands for the rows, and the others. The key of a table with a rowid may hold NULL
// unless it is the rowid (lang_createtable.html, section 3.5).
func neverNull(t *engine.Table) (keys, others []string) {
	for _, c := range t.Columns {
		isKey := c.Name == t.IntegerPrimaryKey || c.PrimaryKey > 0
		switch {
		case isKey && (c.Name == t.IntegerPrimaryKey || c.NotNull || !t.RowID && !t.View):
			keys = append(keys, c.Name)
		case c.NotNull:
			others = append(others, c.Name)
		}
	}
	return keys, others
}

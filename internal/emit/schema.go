package emit

import "github.com/birdcall/birdcall/internal/sqlite"

// columns returns the names of a table's columns in their order.
func (e *emitter) columns(table string) []string {
	var out []string
	for _, c := range e.schema.Table(table).Columns {
		out = append(out, c.Name)
	}
	return out
}

// neverNull returns the columns of a table that never hold NULL. The key of a
// table with a rowid may hold it unless it is the rowid
// (lang_createtable.html, section 3.5).
func neverNull(t *sqlite.Table) []string {
	var out []string
	for _, c := range t.Columns {
		if c.Name == t.IntegerPrimaryKey || c.NotNull || c.PrimaryKey > 0 && !t.RowID && !t.View {
			out = append(out, c.Name)
		}
	}
	return out
}

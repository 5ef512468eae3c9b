// Package catalog tells planning and emitting what tables a SQLite database
// has: it is the plan.Catalog and emit.Schema of a schema that was read.
package catalog

import (
	"github.com/birdcall/birdcall/internal/plan"
	"github.com/birdcall/birdcall/internal/sqlite"
)

// Catalog is a schema as plan.Build and emit.Emit ask for it.
type Catalog struct{ Schema *sqlite.Schema }

// Table implements plan.Catalog.
func (c Catalog) Table(name string) *plan.Table {
	if t := c.Schema.Table(name); t != nil {
		return table(t)
	}
	return nil
}

// First implements plan.Catalog.
func (c Catalog) First() *plan.Table {
	for _, t := range c.Schema.Tables {
		if !t.View {
			return table(t)
		}
	}
	return nil
}

func table(t *sqlite.Table) *plan.Table {
	out := &plan.Table{Name: t.Name, RowID: t.IntegerPrimaryKey}
	for _, col := range t.Columns {
		if col.Hidden {
			out.Hidden = append(out.Hidden, col.Name)
		} else {
			out.Columns, out.Collations = append(out.Columns, col.Name), append(out.Collations, col.Collation)
		}
	}
	return out
}

// TableColumns implements emit.Schema.
func (c Catalog) TableColumns(table string) []string {
	var out []string
	for _, col := range c.Schema.Table(table).Columns {
		out = append(out, col.Name)
	}
	return out
}

// NeverNull implements emit.Schema. The key of a table with a rowid may hold
// NULL unless it is the rowid (lang_createtable.html, section 3.5).
func (c Catalog) NeverNull(table string) []string {
	t := c.Schema.Table(table)
	var out []string
	for _, col := range t.Columns {
		if col.Name == t.IntegerPrimaryKey || col.NotNull || col.PrimaryKey > 0 && !t.RowID && !t.View {
			out = append(out, col.Name)
		}
	}
	return out
}

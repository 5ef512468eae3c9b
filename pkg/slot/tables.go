package slot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

// UnknownTableError says that a database has no table of that name.
type UnknownTableError struct {
	Name   string
	Tables []string // of the database
}

// Error names the tables of the database, the nearest name first.
func (e *UnknownTableError) Error() string {
	near := slices.Clone(e.Tables)
	distance := func(s string) int { return spelling.Distance(spelling.Lower(e.Name), spelling.Lower(s)) }
	slices.SortStableFunc(near, func(a, b string) int { return distance(a) - distance(b) })
	const limit = 20
	more := ""
	if len(near) > limit {
		near, more = near[:limit], " and others"
	}
	return fmt.Sprintf("there is no table %q; use %s%s", e.Name, strings.Join(near, ", "), more)
}

// Tables returns the names of the database's tables and views, in the order of
// their creation.
func (d *Database) Tables() []string {
	out := make([]string, len(d.schema.Tables))
	for i, t := range d.schema.Tables {
		out[i] = t.Name
	}
	return out
}

// Start returns a record without a question, for calls that are yet to be chosen. Each
// named table, or every table if none is named, becomes a starting table under its own
// name. The error for a table that does not exist is an *UnknownTableError.
func (d *Database) Start(names ...string) (*record.Slot, error) {
	if len(names) == 0 {
		names = d.Tables()
	}
	var originals []string
	for _, name := range names {
		t := d.schema.Table(name)
		if t == nil {
			return nil, &UnknownTableError{Name: name, Tables: d.Tables()}
		}
		if !slices.Contains(originals, t.Name) {
			originals = append(originals, t.Name)
		}
	}
	labels := make([]string, len(originals))
	for i, name := range originals {
		labels[i] = tools.KeyName(name, "")
	}
	starts := make([]tools.Start, len(originals))
	for i, label := range tools.UniqueKeys(labels) {
		name := originals[i]
		starts[i] = tools.Start{
			Label: label, Database: d.info.ID + ".sqlite",
			Tables: []tools.StartTable{{Alias: name, Original: name, Modified: name}},
		}
	}
	r := &record.Slot{DB: d.info.ID, Keys: d.keys(starts), StartingTables: d.startingTables(starts)}
	if len(starts) > 0 {
		r.Initialization, r.Further = starts[0], starts[1:]
	}
	return r, nil
}

// References tells a model which keys of a record's starting tables refer to each other
// by foreign keys, so that it can join the tables. It returns "" if there are no such
// keys.
func (d *Database) References(r *record.Slot) string {
	var b strings.Builder
	starts := r.Starts()
	for _, from := range starts {
		for _, t := range from.Tables {
			table := d.schema.Table(t.Original)
			if table == nil {
				continue
			}
			for _, f := range table.ForeignKeys {
				for _, to := range starts {
					b.WriteString(d.reference(from, table, f, to))
				}
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nKeys that refer to each other:\n" + b.String()
}

// reference returns a line about a foreign key if it refers to a starting table of
// one table.
func (d *Database) reference(from tools.Start, table *sqlite.Table, f sqlite.ForeignKey, to tools.Start) string {
	if len(from.Tables) != 1 || len(to.Tables) != 1 || !spelling.Same(to.Tables[0].Original, f.Table) {
		return ""
	}
	target := d.schema.Table(f.Table)
	columns := f.To
	if columns == nil && target != nil {
		for _, c := range target.Columns {
			if c.PrimaryKey > 0 {
				columns = append(columns, c.Name)
			}
		}
	}
	if target == nil || len(columns) != len(f.Columns) {
		return ""
	}
	pairs := make([]string, len(columns))
	for i, c := range columns {
		pairs[i] = fmt.Sprintf("%s = %s", d.keyOf(from, table, f.Columns[i]), d.keyOf(to, target, c))
	}
	return fmt.Sprintf("* $%s$ and $%s$: %s\n", from.Label, to.Label, strings.Join(pairs, " and "))
}

// keyOf returns the key of a column of a starting table of one table.
func (d *Database) keyOf(s tools.Start, table *sqlite.Table, column string) string {
	for i, k := range d.keysOf(s) {
		if spelling.Same(table.Columns[i].Name, column) {
			return k.Name
		}
	}
	return column
}

package find

import (
	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
)

// schema is what is known of a database's tables, by their names and by what is said
// of them.
type schema struct {
	Tables []table
}

type table struct {
	Name    string
	Text    string // a name in plain words, and the database's own comment
	Columns []column
	Keys    []key
}

type column struct {
	Name        string
	Readable    string
	Description string
	Values      string // what the values mean
	Primary     bool
}

// key says that the column From of a table refers to the column To of another one.
// They are places in the lists of tables and columns.
type key struct {
	From  int
	Table int
	To    int
}

// schemaOf joins what a database has with what a dataset says of it. What is said of
// tables that do not exist is left out.
func schemaOf(info *bird.Database, has *engine.Schema) *schema {
	out := &schema{Tables: make([]table, len(has.Tables))}
	for i, t := range has.Tables {
		about := &out.Tables[i]
		about.Name, about.Text = t.Name, t.Comment
		if said := info.Table(t.Name); said != nil && said.Readable != "" {
			about.Text = join(said.Readable, t.Comment)
		}
		about.Columns = make([]column, len(t.Columns))
		for j, c := range t.Columns {
			d := info.Describe(t.Name, c.Name)
			about.Columns[j] = column{c.Name, d.Readable, join(d.Description, c.Comment), d.ValueDescription, c.PrimaryKey > 0}
		}
		for _, k := range t.ForeignKeys {
			about.Keys = append(about.Keys, keysOf(has, t, k)...)
		}
	}
	return out
}

// keysOf returns the pairs of columns of a foreign key, or none where what it refers
// to is not there.
func keysOf(has *engine.Schema, from *engine.Table, k engine.ForeignKey) []key {
	for i, t := range has.Tables {
		if !spelling.Same(t.Name, k.Table) {
			continue
		}
		to := k.To
		if to == nil {
			to = t.Key()
		}
		var out []key
		for n := range min(len(k.Columns), len(to)) {
			if a, b := from.Place(k.Columns[n]), t.Place(to[n]); a >= 0 && b >= 0 {
				out = append(out, key{a, i, b})
			}
		}
		return out
	}
	return nil
}

// join puts a space between two texts that are both there.
func join(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "" || a == b:
		return a
	}
	return a + " " + b
}

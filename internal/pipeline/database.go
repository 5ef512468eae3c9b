package pipeline

import (
	"context"
	"strings"

	"github.com/birdcall/birdcall/internal/columns"
	"github.com/birdcall/birdcall/internal/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/plan"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// database is an open database of the dataset with what planning and
// emitting need to know of it. It is a plan.Catalog and a slot.Schema.
type database struct {
	info      *bird.Database
	db        *sqlite.DB
	schema    *sqlite.Schema
	store     *columns.Store
	validator slot.Validator
}

func openDatabase(ctx context.Context, info *bird.Database) (*database, error) {
	db, err := sqlite.Open(ctx, sqlite.Location{Path: info.Path, FS: info.FS, Name: info.Name}, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	schema, err := db.Schema(ctx)
	if err != nil {
		return nil, err
	}
	return &database{info: info, db: db, schema: schema, store: columns.New(db, schema)}, nil
}

// Table implements plan.Catalog.
func (d *database) Table(name string) *plan.Table {
	t := d.schema.Table(name)
	if t == nil {
		return nil
	}
	out := &plan.Table{Name: t.Name, RowID: t.IntegerPrimaryKey}
	for _, c := range t.Columns {
		if !c.Hidden {
			out.Columns, out.Collations = append(out.Columns, c.Name), append(out.Collations, c.Collation)
		}
	}
	return out
}

// TableColumns implements slot.Schema.
func (d *database) TableColumns(table string) []string {
	var out []string
	for _, c := range d.schema.Table(table).Columns {
		if !c.Hidden {
			out = append(out, c.Name)
		}
	}
	return out
}

// NeverNull implements slot.Schema. The key of a table with a rowid may hold
// NULL unless it is the rowid (lang_createtable.html, section 3.5).
func (d *database) NeverNull(table string) []string {
	t := d.schema.Table(table)
	var out []string
	for _, c := range t.Columns {
		if c.Name == t.IntegerPrimaryKey || c.NotNull || c.PrimaryKey > 0 && !t.RowID && !t.View {
			out = append(out, c.Name)
		}
	}
	return out
}

// keys describes the columns of a sequence's starting tables, each key once,
// and then the keys that its calls make.
func (d *database) keys(seq *slot.Sequence) []slot.Key {
	var out []slot.Key
	seen := map[string]bool{}
	for _, s := range seq.Starts {
		var names []string
		var keys []slot.Key
		for _, t := range s.Tables {
			for _, c := range d.schema.Table(t.Original).Columns {
				names = append(names, tools.KeyName(t.Modified, c.Name))
				keys = append(keys, slot.Key{Description: d.describe(t.Original, c.Name), Type: slot.DType(c.Type)})
			}
		}
		for i, name := range tools.UniqueKeys(names) {
			if !seen[name] {
				seen[name] = true
				keys[i].Name = name
				out = append(out, keys[i])
			}
		}
	}
	for _, name := range seq.Made {
		if !seen[name] {
			seen[name] = true
			out = append(out, slot.Key{Name: name, Description: "made by an earlier call", Type: "string"})
		}
	}
	return out
}

// describe returns what the dataset says a column holds, on one line.
func (d *database) describe(table, column string) string {
	about := d.info.Describe(table, column)
	text := about.Description
	if text == "" {
		text = about.Readable
	}
	if text == "" {
		text = column
	}
	return strings.Join(strings.Fields(text), " ")
}

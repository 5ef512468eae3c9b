package pipeline

import (
	"context"
	"errors"
	"strings"

	"github.com/birdcall/birdcall/internal/catalog"
	"github.com/birdcall/birdcall/internal/columns"
	"github.com/birdcall/birdcall/internal/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// database is an open database of the dataset with what planning and
// emitting need to know of it.
type database struct {
	info    *bird.Database
	db      *sqlite.DB
	catalog catalog.Catalog
	store   *columns.Store
}

func openDatabase(ctx context.Context, info *bird.Database) (*database, error) {
	db, err := sqlite.Open(ctx, sqlite.Location{Path: info.Path, FS: info.FS, Name: info.Name}, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	schema, err := db.Schema(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &database{info: info, db: db, catalog: catalog.Catalog{Schema: schema}, store: columns.New(db, schema)}, nil
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
			for _, c := range d.catalog.Schema.Table(t.Original).Columns {
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

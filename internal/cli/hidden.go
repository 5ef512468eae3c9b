package cli

import (
	"context"
	"fmt"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/find"
)

// CheckHidden looks for columns that a flag hides of the databases of a dataset, or of
// the server of source. A pattern that fits none hides nothing, which is an error.
func CheckHidden(ctx context.Context, flag string, patterns []string, d *bird.Dataset, source Source) error {
	if len(patterns) == 0 {
		return nil
	}
	schemas, err := schemasOf(ctx, d, source)
	if err != nil {
		return err
	}
	for _, p := range patterns {
		fits, err := find.Hide([]string{p}, d)
		if err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
		var known []string // what patterns of all forms could be
		found := false
		for i, db := range d.Databases {
			for _, t := range schemas[i].Tables {
				known = append(known, t.Name+".*", db.ID+"."+t.Name+".*")
				for _, c := range t.Columns {
					known = append(known, t.Name+"."+c.Name, db.ID+"."+t.Name+"."+c.Name)
					found = found || fits(db.ID, t.Name, c.Name)
				}
			}
		}
		if !found {
			if near, ok := spelling.Nearest(p, known); ok {
				return fmt.Errorf("%s %s: it fits no column, so that nothing would be hidden; did you mean %s?", flag, p, near)
			}
			return fmt.Errorf("%s %s: it fits no column, so that nothing would be hidden; %s", flag, p, spelling.Suggest(p, known))
		}
	}
	return nil
}

// schemasOf returns the schemas of a dataset's databases.
func schemasOf(ctx context.Context, d *bird.Dataset, source Source) ([]*engine.Schema, error) {
	out := make([]*engine.Schema, len(d.Databases))
	var server *postgres.Source
	if source.IsSet() {
		var err error
		if server, err = postgres.Open(source.URL, postgres.Options{AllowWriter: source.AllowWriter}); err != nil {
			return nil, err
		}
		defer server.Close()
	}
	for i, info := range d.Databases {
		var db interface {
			Schema(ctx context.Context) (*engine.Schema, error)
			Close() error
		}
		var err error
		if server != nil {
			db, err = server.Database(ctx, info.ID)
		} else {
			db, err = vtab.Open(ctx, info, sqlite.Options{}, true)
		}
		if err != nil {
			return nil, err
		}
		if out[i], err = db.Schema(ctx); err != nil {
			_ = db.Close() // the error of reading says more
			return nil, err
		}
		if err := db.Close(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

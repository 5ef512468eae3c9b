package mixed

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/scalars"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
)

// Database is a database whose questions are augmented. Several goroutines may use
// it at once. It keeps what it has learned of columns.
type Database struct {
	db     *sqlite.DB
	schema *engine.Schema
	about  *bird.Database

	mu       sync.Mutex
	profiles map[*engine.Column]*profile
}

// Open opens a database for reading. It fails if a table has the name of a
// function. Close must be called when done.
func Open(ctx context.Context, about *bird.Database) (*Database, error) {
	db, err := sqlite.Open(ctx, sqlite.Location{Path: about.Path, FS: about.FS, Name: about.Name}, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	schema, err := sqltree.Schema(ctx, db)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	for _, f := range scalars.Functions() {
		if t := schema.Table(f.Name); t != nil {
			return nil, errors.Join(fmt.Errorf("%s: the table %s has the name of a function; rename it", about.ID, t.Name), db.Close())
		}
	}
	return &Database{db: db, schema: schema, about: about, profiles: map[*engine.Column]*profile{}}, nil
}

// Close releases the database.
func (d *Database) Close() error { return d.db.Close() }

package query

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/birdcall/birdcall/internal/db/columns"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/internal/querytool/fts"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// Database is an open SQLite database whose tables are collections. All queries
// read the one committed state that it had at Open. Several goroutines may use it
// at once.
type Database struct {
	info    *bird.Database
	db      *sqlite.DB
	schema  *sqlite.Schema
	store   *columns.Store
	options Options
	index   *fts.Index // of the texts that are searched
	version string     // of the data at Open

	mu          sync.Mutex
	collections []Collection // replaced and never changed
}

// Open opens a database for reading and finds the types of its properties. Of info
// it needs the ID and the place of the file; descriptions of tables and columns
// become those of collections and properties. Errors name the file and what would
// mend it. Close must be called when done.
func Open(ctx context.Context, info *bird.Database) (*Database, error) {
	return OpenWith(ctx, info, Options{})
}

// OpenWith is Open with options.
func OpenWith(ctx context.Context, info *bird.Database, o Options) (*Database, error) {
	if info == nil {
		return nil, errors.New("query: no database is given")
	}
	if !info.HasFile() {
		return nil, fmt.Errorf("query: the database %s is no file, and only its endpoints can be had; give a dataset with SQLite files", info.ID)
	}
	mode := sqlite.Snapshot
	switch {
	case o.Immutable:
		mode = sqlite.Immutable
	case o.Live:
		mode = sqlite.Live
	}
	db, err := vtab.Open(ctx, info, sqlite.Options{Mode: mode, Limits: sqlite.Limits{Value: o.MaxValue}}, !o.Live)
	if err != nil {
		return nil, err
	}
	d := &Database{info: info, db: db, options: o.withDefaults()}
	d.index = fts.New(d.texts, fts.Options{Bytes: o.MaxSearch})
	d.version, err = db.Version(ctx)
	if err == nil {
		d.schema, err = sqltree.Schema(ctx, db)
	}
	if err == nil {
		d.store = columns.New(db, d.schema)
		err = d.collect(ctx)
	}
	if err == nil && !o.Live && o.Known == nil {
		_, err = d.Described(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return d, nil
}

// ID returns the database's id in its dataset.
func (d *Database) ID() string { return d.info.ID }

// Collections returns the tables and views of the database as collections, in the
// order of their creation. The caller must not change them. Where the database is open
// with Options.Live or Known, collections that are tables of APIs need not have their
// properties; Described finds them.
func (d *Database) Collections() []Collection {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.collections
}

// Unchanged fails if the file was replaced or written to since Open.
func (d *Database) Unchanged() error { return d.db.Unchanged() }

// Current reports whether the data are those of Open, for a database that is open
// with Options.Live.
func (d *Database) Current(ctx context.Context) (bool, error) {
	version, err := d.db.Version(ctx)
	return version == d.version, err
}

// Close releases the database. No query may be running.
func (d *Database) Close() error { return errors.Join(d.index.Close(), d.db.Close()) }

// Bytes returns about how many bytes of memory the columns and the words of searched
// collections take that are kept.
func (d *Database) Bytes() int64 { return d.store.Bytes() + d.index.Bytes() }

// Forget keeps none of them any more. What a query needs later is read again.
func (d *Database) Forget() error {
	d.store.Forget()
	return d.index.Forget()
}

// Query runs one SELECT, with args bound to its parameters in order, and returns its
// rows. Anything that does more than read is refused.
func (d *Database) Query(ctx context.Context, sql string, args ...value.Value) ([][]value.Value, error) {
	result, err := d.db.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return result.Rows, nil
}

// Columns returns the names of a SELECT's columns, without running it.
func (d *Database) Columns(ctx context.Context, sql string) ([]string, error) {
	s, err := d.db.Prepare(ctx, sql)
	if err != nil {
		return nil, err
	}
	return s.Columns(), nil
}

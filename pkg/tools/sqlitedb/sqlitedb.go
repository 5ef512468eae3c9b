// Package sqlitedb opens SQLite files as a tools.Database, which tables and
// sessions start from:
//
//	db, err := sqlitedb.Open(ctx, "library.sqlite")
//	...
//	defer db.Close()
//	books, err := tools.FromDatabase(ctx, db, "book")
//
// A file is only ever read, through connections that can do nothing else, and
// everything that is read of it is of one committed state, that of Open. A
// column is read when a step first looks at it, and then kept in memory.
package sqlitedb

import (
	"context"
	"errors"
	"io/fs"

	"github.com/birdcall/birdcall/internal/db/columns"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/tools"
)

// The reasons of errors that a caller may want to distinguish, by errors.Is. A
// context's own error is found the same way.
var (
	ErrMissing     = sqlite.ErrMissing     // there is no such file
	ErrNotDatabase = sqlite.ErrNotDatabase // it is no SQLite database, or a damaged one
	ErrLocked      = sqlite.ErrLocked      // another program is writing to it
	ErrUnfinished  = sqlite.ErrUnfinished  // a program was stopped while it wrote to it
	ErrChanged     = sqlite.ErrChanged     // it was replaced, or written to, while it was read
	ErrTooLarge    = sqlite.ErrTooLarge    // one value has more than 256 MiB
)

// DB is an open file, and a tools.Database. Several goroutines may use it at
// once.
type DB struct {
	db     *sqlite.DB
	store  *columns.Store
	tables []string
}

var _ tools.Database = (*DB)(nil)

// Open opens a file for reading. A program that writes to a database without a
// write-ahead log (https://www.sqlite.org/wal.html) waits until Close. Errors
// name the file, the reason (one of those above, where it is one) and what
// would mend it.
func Open(ctx context.Context, path string) (*DB, error) {
	return open(ctx, sqlite.Location{Path: path})
}

// OpenFS opens a file inside a file system such as an embed.FS. Nobody may
// write to it meanwhile. Errors are those of Open.
func OpenFS(ctx context.Context, files fs.FS, name string) (*DB, error) {
	if files == nil {
		return nil, errors.New("open database: the file system is nil; use Open for a file on disk")
	}
	return open(ctx, sqlite.Location{FS: files, Name: name})
}

func open(ctx context.Context, at sqlite.Location) (*DB, error) {
	if ctx == nil {
		return nil, errors.New("open database: the context is nil; use context.Background()")
	}
	db, err := sqlite.Open(ctx, at, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	schema, err := sqltree.Schema(ctx, db)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	d := &DB{db: db, store: columns.New(db, schema)}
	for _, t := range schema.Tables {
		d.tables = append(d.tables, t.Name)
	}
	return d, nil
}

// Tables returns the names of the tables and views, in the order of their
// creation.
func (d *DB) Tables() []string {
	if d == nil {
		return nil
	}
	return append([]string(nil), d.tables...)
}

var errNil = errors.New("the database is not open; use Open")

// Table implements tools.Database. Errors are those of reading the file, and
// that there is no such table.
func (d *DB) Table(ctx context.Context, name string) (tools.TableInfo, error) {
	if d == nil || d.store == nil {
		return tools.TableInfo{}, errNil
	}
	return d.store.Table(ctx, name)
}

// Column implements tools.Database: the values in rowid order, or that of the
// primary key where there is no rowid. Errors are those of reading the file,
// and that there is no such column.
func (d *DB) Column(ctx context.Context, table, column string) (*tools.Column, error) {
	if d == nil || d.store == nil {
		return nil, errNil
	}
	return d.store.Column(ctx, table, column)
}

// Close releases the file. Tables whose columns were read go on to work; a
// column that was not is an error then.
func (d *DB) Close() error {
	if d == nil || d.db == nil {
		return nil
	}
	return d.db.Close()
}

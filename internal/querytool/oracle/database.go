package oracle

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
)

// Database is a SQLite database on which SQL proves results. It is opened apart
// from the one that ran the queries, and like that one it reads the committed state
// that it had at Open. Several goroutines may use it at once.
type Database struct {
	db          *sqlite.DB
	schema      *sqlite.Schema
	collections []query.Collection
}

// Open opens a database for reading. The collections are those that queries are of.
// Close must be called when done.
func Open(ctx context.Context, info *bird.Database, collections []query.Collection, maxValue int) (*Database, error) {
	db, err := vtab.Open(ctx, info, sqlite.Options{Limits: sqlite.Limits{Value: maxValue}}, true)
	if err != nil {
		return nil, err
	}
	schema, err := sqltree.Schema(ctx, db)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Database{db: db, schema: schema, collections: collections}, nil
}

// Close releases the database.
func (d *Database) Close() error { return d.db.Close() }

// Unchanged fails if the file was replaced or written to since Open.
func (d *Database) Unchanged() error { return d.db.Unchanged() }

// Schema returns the schema. The caller must not change it.
func (d *Database) Schema() *sqlite.Schema { return d.schema }

// SQL returns a valid query as it is shown to people: see the package's comment.
// Several statements have a semicolon between them.
func (d *Database) SQL(q query.Query) (string, error) {
	b, err := d.builder(q)
	if err != nil {
		return "", err
	}
	b.shown = true
	list, err := b.statements()
	if err != nil {
		return "", err
	}
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = s.sql
	}
	return strings.Join(parts, ";\n"), nil
}

func (d *Database) builder(q query.Query) (*builder, error) {
	about, table := query.Find(d.collections, q.Collection), d.schema.Table(q.Collection)
	if about == nil || table == nil {
		return nil, fmt.Errorf("the database has no table %q", q.Collection)
	}
	return &builder{query: q, about: about, table: table, schema: d.schema}, nil
}

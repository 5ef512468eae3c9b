package slot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/birdcall/birdcall/internal/db/budget"
	"github.com/birdcall/birdcall/internal/db/columns"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Database is an open SQLite database. All questions about it read the committed state
// of the time of Open. Several goroutines may use it at once. A column is read when a
// call first needs it, and kept until Close or Forget.
type Database struct {
	info   *bird.Database
	db     *sqlite.DB
	schema *sqlite.Schema
	store  *columns.Store

	mu         sync.Mutex
	statements map[string]*statement // parsed by Load and not yet used by a conversion
}

// Open opens a database for reading. info must have the ID and the place of the file;
// its descriptions of tables and columns go into the records. Errors name the file and
// say how to fix the problem. The caller must call Close.
func Open(ctx context.Context, info *bird.Database) (*Database, error) {
	return OpenWith(ctx, info, OpenOptions{})
}

// OpenOptions adjust OpenWith.
type OpenOptions struct {
	// Immutable says that nobody writes to the database until Close. The file is then
	// neither locked nor watched.
	Immutable bool
	MaxValue  int // bytes of one value or stored row that SQL reads or makes; 0 is 256 MiB
}

// OpenWith is Open with options.
func OpenWith(ctx context.Context, info *bird.Database, o OpenOptions) (*Database, error) {
	if info == nil {
		return nil, errors.New("slot: no database is given")
	}
	if !info.HasFile() {
		return nil, fmt.Errorf("slot: the database %s is no file, and only its endpoints can be had; give a dataset with SQLite files", info.ID)
	}
	mode := sqlite.Snapshot
	if o.Immutable {
		mode = sqlite.Immutable
	}
	db, err := vtab.Open(ctx, info, sqlite.Options{Mode: mode, Limits: sqlite.Limits{Value: o.MaxValue}}, true)
	if err != nil {
		return nil, err
	}
	schema, err := sqltree.Schema(ctx, db)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Database{info: info, db: db, schema: schema, store: columns.New(db, schema), statements: map[string]*statement{}}, nil
}

// Close releases the database. No conversion may be running.
func (d *Database) Close() error { return d.db.Close() }

// Unchanged fails if the file was replaced or written to since Open. Records may then
// come from different states of the database.
func (d *Database) Unchanged() error { return d.db.Unchanged() }

// Outdated reports whether the contents of API tables may have changed since Open,
// according to their declaration.
func (d *Database) Outdated() bool { return d.db.Outdated() }

// Bytes returns the approximate memory of the kept columns, in bytes.
func (d *Database) Bytes() int64 { return d.store.Bytes() }

// Forget drops all kept columns. A column that a call needs later is read again.
func (d *Database) Forget() { d.store.Forget() }

// Query runs one SELECT and returns its rows. It refuses a statement that does more
// than read.
func (d *Database) Query(ctx context.Context, sql string) ([][]value.Value, error) {
	result, err := d.db.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	return result.Rows, nil
}

// forAWhile is Query for rows that are kept only briefly.
func (d *Database) forAWhile(ctx context.Context, sql string) ([][]value.Value, error) {
	paid := budget.Of(ctx)
	before := paid.Spent()
	defer func() { paid.Return(paid.Spent() - before) }()
	return d.Query(ctx, sql)
}

// keys describes the columns of starting tables, each key once.
func (d *Database) keys(starts []tools.Start) []record.Key {
	var out []record.Key
	seen := map[string]bool{}
	for _, s := range starts {
		for _, k := range d.keysOf(s) {
			if !seen[k.Name] {
				seen[k.Name] = true
				out = append(out, k)
			}
		}
	}
	return out
}

// keysOf describes the columns of one starting table, in their order.
func (d *Database) keysOf(s tools.Start) []record.Key {
	var names []string
	var keys []record.Key
	for _, t := range s.Tables {
		table := d.schema.Table(t.Original)
		if table == nil {
			continue // the record is of another database
		}
		for _, c := range table.Columns {
			about := d.info.Describe(t.Original, c.Name)
			names = append(names, tools.KeyName(t.Modified, c.Name))
			keys = append(keys, record.Key{
				Description: oneLine(cmp.Or(about.Description, about.Readable, c.Name)),
				Type:        value.DType(c.Type), Values: oneLine(about.ValueDescription),
			})
		}
	}
	for i, name := range tools.UniqueKeys(names) {
		keys[i].Name = name
	}
	return keys
}

// startingTables says which keys each starting table has.
func (d *Database) startingTables(starts []tools.Start) []record.StartingTable {
	out := make([]record.StartingTable, len(starts))
	for i, s := range starts {
		out[i].Name = cmp.Or(s.Label, tools.StartLabel)
		for _, k := range d.keysOf(s) {
			out[i].Keys = append(out[i].Keys, k.Name)
		}
	}
	return out
}

// oneLine returns a text without line breaks and other runs of white space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Keys returns the keys of every table of the database, and the additional keys of the
// records, such as those for the second use of a table.
func (d *Database) Keys(records ...*record.Slot) []record.Key {
	whole := tools.Start{}
	for _, t := range d.schema.Tables {
		whole.Tables = append(whole.Tables, tools.StartTable{Original: t.Name, Modified: t.Name})
	}
	starts := []tools.Start{whole}
	for _, r := range records {
		starts = append(starts, r.Starts()...)
	}
	return d.keys(starts)
}

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

// Database is an open SQLite database that questions are about. All of them
// read the one committed state that it had at Open. Several goroutines may use
// it at once. Columns are read once, when a call needs them, and kept until
// Close.
type Database struct {
	info   *bird.Database
	db     *sqlite.DB
	schema *sqlite.Schema
	store  *columns.Store

	mu         sync.Mutex
	statements map[string]*statement // that Load has read, and no conversion has taken
}

// Open opens a database for reading. Of info it needs the ID and the place of
// the file; descriptions of tables and columns go into the specifications of
// tools. Errors name the file and what would mend it. Close must be called when
// done.
func Open(ctx context.Context, info *bird.Database) (*Database, error) {
	return OpenWith(ctx, info, OpenOptions{})
}

// OpenOptions adjust OpenWith.
type OpenOptions struct {
	// Immutable is for a database that nobody writes to until Close. The file is
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

// Unchanged fails if the file was replaced or written to since Open, so that
// records need not belong together.
func (d *Database) Unchanged() error { return d.db.Unchanged() }

// Outdated reports whether the tables of APIs may hold something else than at Open, as
// far as their declaration says.
func (d *Database) Outdated() bool { return d.db.Outdated() }

// Bytes returns about how many bytes of memory the columns take that are kept.
func (d *Database) Bytes() int64 { return d.store.Bytes() }

// Forget keeps no column any more. One that a call needs later is read again.
func (d *Database) Forget() { d.store.Forget() }

// Query runs one SELECT and returns its rows. Anything that does more than read
// is refused.
func (d *Database) Query(ctx context.Context, sql string) ([][]value.Value, error) {
	result, err := d.db.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	return result.Rows, nil
}

// forAWhile is Query for rows that are let go of soon.
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
			continue // the record is another database's
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

// Keys returns the keys of every table of the database, and those that records
// have besides, such as the ones of a table's second use.
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

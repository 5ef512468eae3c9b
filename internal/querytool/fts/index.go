package fts

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	modernc "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/birdcall/birdcall/pkg/value"
)

// The reasons for which a search finds nothing that a caller may want to report
// apart with errors.Is. A context's own error is found the same way.
var (
	ErrNoWords  = errors.New("there is no word to search for")
	ErrTooLong  = errors.New("the text to search for is too long")
	ErrNoTexts  = errors.New("the collection has no texts")
	ErrTooLarge = errors.New("the texts are too many to search")
)

// The bounds of the text of a search. What bm25 costs grows with the square of the
// words.
const (
	MaxBytes = 64 << 10
	MaxWords = 100
)

// DefaultBytes is how much memory the tables take at most where nothing else is
// asked for.
const DefaultBytes = 256 << 20

// pageSize is how much memory the database takes at a time.
const pageSize = 4096

// Column is the values of one property, NULL where an object has none. Numbers
// are searched as the texts that SQLite makes of them, and BLOBs are not.
type Column interface {
	Len() int
	At(row int) value.Value
}

// Source reads the columns of a collection that have texts.
type Source func(ctx context.Context, collection string) ([]Column, error)

// Options adjust an Index.
type Options struct {
	// Bytes bounds the memory of the tables; 0 is DefaultBytes. A table that does
	// not fit with others takes their place.
	Bytes int64
}

// Index is the tables that are searched. Several goroutines may use it at once;
// they search one at a time.
type Index struct {
	source Source
	bytes  int64
	turn   chan struct{} // holds one value while a search runs

	held atomic.Int64 // bytes of the memory database

	// While a search has its turn:
	db     *sql.DB // one connection to a memory database; nil before the first search
	tables map[string]*table
	made   int // tables, which are numbered: their names are no user's text
	closed bool
}

// table is one collection.
type table struct {
	name string
	err  error // why it cannot be made, now or later
}

// New returns an index that reads a collection when it is first searched. Close
// must be called when done.
func New(source Source, o Options) *Index {
	return &Index{
		source: source, bytes: cmp.Or(o.Bytes, DefaultBytes),
		turn: make(chan struct{}, 1), tables: map[string]*table{},
	}
}

// Close lets the memory go. A search after it fails.
func (x *Index) Close() error {
	x.turn <- struct{}{}
	defer func() { <-x.turn }()
	x.closed = true
	return x.release()
}

// Bytes returns about how many bytes of memory the tables take.
func (x *Index) Bytes() int64 { return x.held.Load() }

// Forget lets the memory go, unless a search is running. Tables that are needed
// later are made again.
func (x *Index) Forget() error {
	select {
	case x.turn <- struct{}{}:
		defer func() { <-x.turn }()
		return x.release()
	default:
		return nil
	}
}

// release closes the memory database, with all tables.
func (x *Index) release() error {
	for collection, t := range x.tables {
		if t.err == nil { // else it is known that there can be none
			delete(x.tables, collection)
		}
	}
	x.held.Store(0)
	if x.db == nil {
		return nil
	}
	db := x.db
	x.db = nil
	return db.Close()
}

// open makes the memory database. It has one connection, which is never closed
// before the index is, as its data would go with it.
func (x *Index) open(ctx context.Context) error {
	if x.closed {
		return errors.New("search: the index is closed")
	}
	if x.db != nil {
		return nil
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		fmt.Sprintf("PRAGMA page_size = %d", pageSize),
		fmt.Sprintf("PRAGMA max_page_count = %d", max(x.bytes/pageSize, 100)),
		"CREATE VIRTUAL TABLE words USING fts5(text, content = '', tokenize = 'unicode61')",
		"CREATE VIRTUAL TABLE word USING fts5vocab(words, instance)",
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return errors.Join(err, db.Close())
		}
	}
	x.db = db
	return nil
}

// table returns the table of a collection.
func (x *Index) table(ctx context.Context, collection string) (*table, error) {
	if t := x.tables[collection]; t != nil {
		return t, t.err
	}
	columns, err := x.source(ctx, collection)
	if err != nil {
		return nil, err
	}
	x.made++
	t := &table{name: fmt.Sprintf("t%d", x.made)}
	if t.err = x.fill(ctx, t.name, columns); errors.Is(t.err, ErrTooLarge) {
		if err := errors.Join(x.release(), x.open(ctx)); err != nil {
			return nil, err
		}
		t.err = x.fill(ctx, t.name, columns)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err() // another search may have more time
	}
	x.tables[collection] = t
	return t, t.err
}

// fill makes a table, or nothing if it fails.
func (x *Index) fill(ctx context.Context, name string, columns []Column) (err error) {
	if len(columns) == 0 {
		return ErrNoTexts
	}
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = x.large(err)
			_ = tx.Rollback() // which SQLite may have done by itself
		}
	}()
	names := make([]string, len(columns))
	for i := range columns {
		names[i] = fmt.Sprintf("c%d", i)
	}
	// Without its texts a table takes about half of the memory.
	create := fmt.Sprintf("CREATE VIRTUAL TABLE %s USING fts5(%s, content = '', tokenize = 'porter unicode61')", name, strings.Join(names, ", "))
	if _, err := tx.Exec(create); err != nil {
		return err
	}
	insert, err := tx.Prepare(fmt.Sprintf("INSERT INTO %s(rowid, %s) VALUES (?%s)", name, strings.Join(names, ", "), strings.Repeat(", ?", len(names))))
	if err != nil {
		return err
	}
	defer insert.Close()
	row := make([]any, 1+len(columns))
	for i := range columns[0].Len() {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row[0] = int64(i)
		for j, c := range columns {
			row[1+j] = textOf(c.At(i))
		}
		if _, err := insert.Exec(row...); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	var pages int64
	if err := x.db.QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
		return err
	}
	x.held.Store(pages * pageSize)
	return nil
}

// textOf returns what is searched of a value.
func textOf(v value.Value) any {
	if v.IsNull() || v.Kind() == value.Blob {
		return nil
	}
	return value.AsText(v)
}

// large names the reason if the memory database is full.
func (x *Index) large(err error) error {
	var e *modernc.Error
	if errors.As(err, &e) && e.Code()&0xff == lib.SQLITE_FULL {
		return fmt.Errorf("%w: their words take more than %d bytes of memory", ErrTooLarge, x.bytes)
	}
	return err
}

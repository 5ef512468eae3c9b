// Package columns gives pkg/tools the base tables of a SQLite database column by
// column. Each column is read once, when it is first asked for.
package columns

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/birdcall/birdcall/internal/db/budget"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Store is a tools.Database over an open SQLite database. Several goroutines may use it
// at once; goroutines that want the same column wait for one read. All columns of a
// view, or of a table of an API, come from one read, since a second read may return the
// rows in another order. For a table of an API, it may also repeat all calls.
type Store struct {
	db     *sqlite.DB
	schema *sqlite.Schema

	mu      sync.Mutex
	columns map[[2]string]*entry
	rows    map[string]*entry
	bytes   int64 // of columns
}

// entry is something that is read once: columns, or a table's number of rows.
type entry struct {
	ready   chan struct{}
	columns []*tools.Column
	rows    int
	err     error
}

// New returns a store that has read nothing yet.
func New(db *sqlite.DB, schema *sqlite.Schema) *Store {
	return &Store{db: db, schema: schema, columns: map[[2]string]*entry{}, rows: map[string]*entry{}}
}

// Table implements tools.Database.
func (s *Store) Table(ctx context.Context, name string) (tools.TableInfo, error) {
	t := s.schema.Table(name)
	if t == nil {
		return tools.TableInfo{}, fmt.Errorf("the database has no table %q", name)
	}
	e := once(ctx, &s.mu, s.rows, t.Name, func(e *entry) {
		if t.API != "" && len(t.Columns) > 0 {
			whole := s.whole(ctx, t)
			if e.err = whole.err; e.err == nil {
				e.rows = whole.columns[0].Len()
			}
			return
		}
		e.err = s.db.Each(ctx, "SELECT count(*) FROM "+sqlite.Quote(t.Name), func(row []value.Value) error {
			e.rows = int(row[0].Int64())
			return nil
		})
	})
	if e.err != nil {
		return tools.TableInfo{}, e.err
	}
	info := tools.TableInfo{Name: t.Name, Rows: e.rows}
	for _, c := range t.Columns {
		if c.Hidden {
			continue // of a virtual table, which * leaves out
		}
		collation, _ := value.CollationNamed(c.Collation)
		info.Columns = append(info.Columns, tools.ColumnInfo{Name: c.Name, Type: c.Type, Affinity: c.Affinity, Collation: collation})
	}
	return info, nil
}

// Column implements tools.Database.
func (s *Store) Column(ctx context.Context, table, column string) (*tools.Column, error) {
	t := s.schema.Table(table)
	if t == nil || t.Column(column) == nil {
		return nil, fmt.Errorf("the database has no column %q in a table %q", column, table)
	}
	name, at := t.Column(column).Name, 0
	key := [2]string{t.Name, name}
	var e *entry
	if isWhole(t) {
		key, at = [2]string{t.Name, ""}, t.Place(name)
		e = s.whole(ctx, t)
	} else {
		e = s.once(ctx, key, name)
	}
	if e.err != nil {
		return nil, e.err
	}
	// Each question pays for the columns that it uses, even if another question has
	// read them.
	return e.columns[at], budget.Of(ctx).SpendOnce(use{s, key}, bytesOf(e))
}

// use identifies a question's use of an entry.
type use struct {
	of  *Store
	key [2]string
}

// isWhole reports whether the columns of a table come from one read.
func isWhole(t *sqlite.Table) bool { return t.View || t.API != "" }

// whole returns all columns of a table, which come from one read.
func (s *Store) whole(ctx context.Context, t *sqlite.Table) *entry {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return s.once(ctx, [2]string{t.Name, ""}, names...)
}

// once returns columns of a table. It reads them if no other call has.
func (s *Store) once(ctx context.Context, key [2]string, names ...string) *entry {
	return once(ctx, &s.mu, s.columns, key, func(e *entry) {
		if e.columns, e.err = s.read(ctx, key[0], names); e.err == nil {
			s.count(key, e)
		}
	})
}

// Load reads the given columns of a table that are not kept yet, in one scan: most of a
// scan's time is spent walking through the file. If a column cannot be read, Column
// returns the error later.
func (s *Store) Load(ctx context.Context, table string, columns []string) {
	t := s.schema.Table(table)
	switch {
	case t == nil || t.View:
		return // Column reads all columns of a view together
	case isWhole(t):
		s.whole(ctx, t)
		return
	}
	var names []string
	var mine []*entry
	for _, column := range columns {
		c := t.Column(column)
		if c == nil {
			continue
		}
		if e, isNew := claim(&s.mu, s.columns, [2]string{t.Name, c.Name}); isNew {
			names, mine = append(names, c.Name), append(mine, e)
		}
	}
	if len(names) == 0 {
		return
	}
	var read []*tools.Column
	err := errors.New("the scan panicked") // unless it returns
	defer func() {
		for i, e := range mine {
			key := [2]string{t.Name, names[i]}
			if e.err = err; err == nil {
				e.columns = read[i : i+1]
				s.count(key, e)
			}
			settle(&s.mu, s.columns, key, e)
		}
	}()
	read, err = s.read(ctx, t.Name, names)
}

// Bytes returns the approximate size of the kept columns.
func (s *Store) Bytes() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

// Forget drops all kept columns. A column that is asked for later is read again; tables
// that use a dropped column keep it.
func (s *Store) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.columns) // once has it
	s.bytes = 0
}

// count adds the size of an entry that was read, unless the entry was forgotten
// meanwhile.
func (s *Store) count(key [2]string, e *entry) {
	n := bytesOf(e)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.columns[key] == e {
		s.bytes += n
	}
}

func bytesOf(e *entry) int64 {
	var n int64
	for _, c := range e.columns {
		n += c.Bytes()
	}
	return n
}

// read reads columns in one scan. It stops early if no question could pay for them.
func (s *Store) read(ctx context.Context, table string, names []string) ([]*tools.Column, error) {
	builders := make([]tools.ColumnBuilder, len(names))
	all, spent := budget.Of(ctx).Fresh(), int64(0)
	err := s.db.Columns(ctx, table, names, func(row []value.Value) error {
		now := int64(0)
		for i := range builders {
			builders[i].Append(row[i])
			now += builders[i].Bytes()
		}
		more := now - spent
		spent = now
		return all.Spend(more)
	})
	out := make([]*tools.Column, len(names))
	for i := range builders {
		out[i] = builders[i].Column()
	}
	return out, err
}

// once reads the entry of a key, or waits for the goroutine that already reads it.
func once[K comparable](ctx context.Context, mu *sync.Mutex, m map[K]*entry, key K, read func(*entry)) *entry {
	for {
		e, isNew := claim(mu, m, key)
		if isNew {
			read(e)
			settle(mu, m, key, e)
			return e
		}
		select {
		case <-e.ready:
			if e.err == nil {
				return e
			}
		case <-ctx.Done():
			return &entry{err: ctx.Err()}
		}
	}
}

// claim returns the entry of a key, and whether it is new. The caller must fill and
// settle a new entry.
func claim[K comparable](mu *sync.Mutex, m map[K]*entry, key K) (e *entry, isNew bool) {
	mu.Lock()
	defer mu.Unlock()
	if e := m[key]; e != nil {
		return e, false
	}
	e = &entry{ready: make(chan struct{})}
	m[key] = e
	return e, true
}

// settle wakes the goroutines that wait for an entry. An entry whose read failed is
// forgotten: the next reader may have more time.
func settle[K comparable](mu *sync.Mutex, m map[K]*entry, key K, e *entry) {
	if e.err != nil {
		mu.Lock()
		if m[key] == e {
			delete(m, key)
		}
		mu.Unlock()
	}
	close(e.ready)
}

// Package columns gives pkg/tools the base tables of a SQLite database,
// column by column, each read once and only when it is asked for.
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

// Store is a tools.Database over an open SQLite database. Several goroutines
// may use it at once; those that want the same column wait for one read. The columns
// of a view, and those of a table of an API, come from one read, as do the rows of
// the latter: a second one may give them in another order, or take as many calls again.
type Store struct {
	db     *sqlite.DB
	schema *sqlite.Schema

	mu      sync.Mutex
	columns map[[2]string]*entry
	rows    map[string]*entry
	bytes   int64 // of columns
}

// entry is something read once: columns, or a table's number of rows.
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
	// Each question pays for what it uses, also where another one has read it.
	return e.columns[at], budget.Of(ctx).SpendOnce(use{s, key}, bytesOf(e))
}

// use is a question's use of what is read once.
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

// once returns columns of a table, which it reads if nobody has.
func (s *Store) once(ctx context.Context, key [2]string, names ...string) *entry {
	return once(ctx, &s.mu, s.columns, key, func(e *entry) {
		if e.columns, e.err = s.read(ctx, key[0], names); e.err == nil {
			s.count(key, e)
		}
	})
}

// Load reads those of a table's columns that are not kept yet, in one scan for all of
// them: most of a scan's time is the way through the file. What cannot be read is
// left to Column, which says why.
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

// Bytes returns about how many bytes the columns take that are kept.
func (s *Store) Bytes() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

// Forget keeps no column any more. One that is asked for later is read again;
// tables that are using one go on doing so.
func (s *Store) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.columns) // once has it
	s.bytes = 0
}

// count counts what was read, unless it was forgotten meanwhile.
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

// read reads columns in one scan. What no question could pay is not read to its end.
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

// once reads the entry of a key, or waits for who reads it already.
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

// claim returns the entry of a key, and whether it is a new one, which the caller has
// to fill and to settle.
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

// settle lets those go on who wait for an entry. A read that failed is forgotten: the
// next one may have more time.
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

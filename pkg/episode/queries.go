package episode

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/querytool/query"
)

// queries are the databases that are open for the tool that queries them. Unlike
// those of episodes they keep no other program from writing between two calls: what
// is kept of a file is used for as long as nobody has written to it.
type queries struct {
	opts Options
	with query.Options
	now  func() time.Time

	opening sync.Mutex // taken before mu
	mu      sync.Mutex
	open    []*queried // the newest state of an id is the last with it
	known   map[string]*query.Known
}

// queried is one state of a database.
type queried struct {
	*query.Database
	id    string
	users int
	old   bool      // whether there is a newer state
	used  time.Time // when a user last let go of it
}

func newQueries(o Options, l Limits) *queries {
	return &queries{opts: o, now: time.Now, known: map[string]*query.Known{}, with: query.Options{
		MaxRows: l.Rows, MaxBytes: l.Bytes, Now: o.AsOf, Immutable: o.Immutable, Live: true,
	}}
}

// use calls a function with a database, all of whose data are of one state, the
// newest. Where others write to the file meanwhile, it is called again, the last time
// while they have to wait.
func (q *queries) use(ctx context.Context, id string, f func(context.Context, *query.Database) error) error {
	var err error
	for range 2 {
		if err = q.try(ctx, id, f); !errors.Is(err, sqlite.ErrChanged) {
			return err
		}
	}
	held := q.options(id)
	held.Live = false
	d, err := query.OpenWith(ctx, q.opts.Dataset.Database(id), held)
	if err != nil {
		return err
	}
	return errors.Join(safely(ctx, d, f), d.Close())
}

// try fails with sqlite.ErrChanged if others have written to the file meanwhile.
func (q *queries) try(ctx context.Context, id string, f func(context.Context, *query.Database) error) error {
	one, err := q.take(ctx, id)
	if err != nil {
		return err
	}
	err = safely(ctx, one.Database, f)
	if current, failed := one.Current(ctx); failed != nil || !current {
		err = errors.Join(sqlite.ErrChanged, failed)
	}
	return errors.Join(err, q.release(one, errors.Is(err, sqlite.ErrChanged)))
}

// safely calls a function. A panic, which is a defect, is its error.
func safely(ctx context.Context, d *query.Database, f func(context.Context, *query.Database) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panicked: %v", p)
		}
	}()
	return f(ctx, d)
}

// take returns the newest state of a database, which release gives back.
func (q *queries) take(ctx context.Context, id string) (*queried, error) {
	if one := q.newest(id); one != nil {
		current, err := one.Current(ctx)
		if err == nil && current {
			return one, nil
		}
		if err := q.release(one, true); err != nil {
			return nil, err
		}
	}
	q.opening.Lock()
	defer q.opening.Unlock()
	if one := q.newest(id); one != nil { // which another call has opened just now
		return one, nil
	}
	d, err := query.OpenWith(ctx, q.opts.Dataset.Database(id), q.options(id))
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	one := &queried{Database: d, id: id, users: 1}
	q.open = append(q.open, one)
	return one, nil
}

// options returns those of a database. What it has learned of tables of APIs is for all
// of its states: the tool's description stays what it was.
func (q *queries) options(id string) query.Options {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := q.with
	if q.known[id] == nil {
		q.known[id] = &query.Known{}
	}
	o.Known = q.known[id]
	return o
}

// newest returns the state of a database that was opened last, if there is one, and
// counts a user.
func (q *queries) newest(id string) *queried {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, one := range slices.Backward(q.open) {
		if one.id == id && !one.old {
			one.users++
			return one
		}
	}
	return nil
}

// release ends a use. A state that is old is closed by the last user.
func (q *queries) release(one *queried, old bool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	one.users--
	one.used = q.now()
	one.old = one.old || old
	if !one.old || one.users > 0 {
		return nil
	}
	q.open = slices.DeleteFunc(q.open, func(o *queried) bool { return o == one })
	return one.Close()
}

// forget forgets what is kept of databases, first of the one that was used least
// lately, until so many bytes are left.
func (q *queries) forget(maxBytes int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all int64
	for _, one := range q.open {
		all += one.Bytes()
	}
	byUse := slices.Clone(q.open)
	slices.SortStableFunc(byUse, func(a, b *queried) int { return a.used.Compare(b.used) })
	for _, one := range byUse {
		if all <= maxBytes {
			return nil
		}
		all -= one.Bytes()
		if err := one.Forget(); err != nil {
			return err
		}
	}
	return nil
}

// close closes all databases. None may be in use.
func (q *queries) close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	var errs []error
	for _, one := range q.open {
		errs = append(errs, one.Close())
	}
	q.open = nil
	return errors.Join(errs...)
}

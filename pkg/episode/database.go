package episode

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/db/recent"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// keptTables is how many tasks without a question are kept of a database.
const keptTables = 64

// linger is how long a database stays open that no episode uses. While it is open,
// a program that writes to its file may have to wait: see slot.Open.
const linger = 30 * time.Second

// database is one state of a database, open for the tools. A file that was
// replaced since is another one.
type database struct {
	*slot.Database
	id    string
	locks bool // whether it keeps other programs from writing
	users int
	used  time.Time                   // when a user last let go of it
	tasks recent.Cache[string, *Task] // without a question, by variant and tables

	mu     sync.Mutex
	starts map[string]*tools.Table // by how they are made
	bytes  int64                   // of these
}

// start returns a starting table that is kept.
func (d *database) start(name string) (*tools.Table, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, ok := d.starts[name]
	return t, ok
}

// keep keeps a starting table of that many bytes.
func (d *database) keep(name string, t *tools.Table, bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.starts[name] == nil {
		d.starts[name] = t
		d.bytes += bytes
	}
}

// kept returns about how many bytes of memory the columns and starting tables take.
func (d *database) kept() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.bytes + d.Bytes()
}

// forget keeps nothing any more. What is needed later is read again.
func (d *database) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.starts)
	d.bytes = 0
	d.Forget()
}

// databases are those that are open.
type databases struct {
	dataset   *bird.Dataset
	immutable bool
	columns   int64 // bytes to keep

	opening sync.Mutex
	mu      sync.Mutex
	open    []*database // the newest state of an id is the last with it
}

func newDatabases(o Options, columns int64) *databases {
	return &databases{dataset: o.Dataset, immutable: o.Immutable, columns: columns}
}

// use returns the newest state of a database. release must be called when done.
func (d *databases) use(ctx context.Context, id string) (*database, error) {
	if one := d.current(id); one != nil {
		return one, nil
	}
	d.opening.Lock()
	defer d.opening.Unlock()
	if one := d.current(id); one != nil {
		return one, nil
	}
	opened, err := slot.OpenWith(ctx, d.dataset.Database(id), slot.OpenOptions{Immutable: d.immutable})
	if err != nil {
		return nil, err
	}
	one := &database{Database: opened, id: id, locks: !d.immutable && d.dataset.Database(id).FS == nil, starts: map[string]*tools.Table{}, users: 1,
		tasks: recent.New[string, *Task](keptTables),
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open = append(d.open, one)
	return one, nil
}

// current returns the open database if its file is still the same and the tables of
// APIs are not too old, and counts a user.
func (d *databases) current(id string) *database {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, one := range slices.Backward(d.open) {
		if one.id == id {
			if one.Unchanged() != nil || one.Outdated() {
				return nil
			}
			one.users++
			return one
		}
	}
	return nil
}

// release ends a use.
func (d *databases) release(one *database, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	one.users--
	one.used = now
}

// bytes returns about how many bytes of memory is kept.
func (d *databases) bytes() (all int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, one := range d.open {
		all += one.kept()
	}
	return all
}

// bound forgets columns and starting tables, those of the database first that was used least lately,
// until no more are kept than may be.
func (d *databases) bound() {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all int64
	for _, one := range d.open {
		all += one.kept()
	}
	if all <= d.columns {
		return
	}
	byUse := slices.Clone(d.open)
	slices.SortStableFunc(byUse, func(a, b *database) int {
		if busy := min(a.users, 1) - min(b.users, 1); busy != 0 {
			return busy
		}
		return a.used.Compare(b.used)
	})
	for _, one := range byUse {
		if all <= d.columns {
			return
		}
		all -= one.kept()
		one.forget()
	}
}

// sweep closes the databases that nothing has used for a while. Those that are in
// nobody's way stay open.
func (d *databases) sweep(now time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	d.open = slices.DeleteFunc(d.open, func(one *database) bool {
		if one.users > 0 || !one.locks || now.Sub(one.used) < linger {
			return false
		}
		errs = append(errs, one.Close())
		return true
	})
	return errors.Join(errs...)
}

// close closes all databases. None may be in use.
func (d *databases) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for _, one := range d.open {
		errs = append(errs, one.Close())
	}
	d.open = nil
	return errors.Join(errs...)
}

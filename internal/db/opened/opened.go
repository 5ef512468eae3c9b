// Package opened keeps databases open. It opens each one once, when it is first asked
// for.
package opened

import (
	"context"
	"errors"
	"io"
	"sync"
)

// Databases are the open databases of a dataset, by their ids. Several goroutines may
// use them at once.
type Databases[T io.Closer] struct {
	open func(ctx context.Context, id string) (T, error)

	mu   sync.Mutex
	have map[string]T
}

// New returns databases that open opens. Close must be called when done.
func New[T io.Closer](open func(ctx context.Context, id string) (T, error)) *Databases[T] {
	return &Databases[T]{open: open, have: map[string]T{}}
}

// Get returns the database of an id, and opens it if necessary. Errors are those of
// opening.
func (d *Databases[T]) Get(ctx context.Context, id string) (T, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if one, ok := d.have[id]; ok {
		return one, nil
	}
	one, err := d.open(ctx, id)
	if err == nil {
		d.have[id] = one
	}
	return one, err
}

// Release closes a database if it is open. The database must not be in use. A later Get
// opens it again.
func (d *Databases[T]) Release(id string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	one, ok := d.have[id]
	if !ok {
		return nil
	}
	delete(d.have, id)
	return one.Close()
}

// Close closes all open databases. None may be in use.
func (d *Databases[T]) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for id, one := range d.have {
		delete(d.have, id)
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}

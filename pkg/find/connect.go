package find

import (
	"cmp"
	"context"
	"errors"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/engines"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/pkg/bird"
)

// connection is an open database of which no values were read yet.
type connection struct {
	info   *bird.Database
	schema *engine.Schema
	values *valueReader
	stamp  string // of its file; "" where nothing says whether it has changed
	db     interface{ Close() error }
}

// Close closes the database. It may be called several times.
func (c *connection) Close() error {
	if c == nil || c.db == nil {
		return nil
	}
	db := c.db
	c.db = nil
	return db.Close()
}

// connectAll opens the databases of a dataset, and checks which columns are hidden of
// them before a value is read.
func (o *opener) connectAll(ctx context.Context, dataset *bird.Dataset) (_ []*connection, err error) {
	hidden, err := parsePatterns(o.opts.Hidden, dataset)
	if err != nil {
		return nil, err
	}
	if o.opts.Source != "" {
		if o.source, err = engines.Open(o.opts.Source, engine.Options{AllowWriter: o.opts.AllowWriter, Warn: o.opts.Warn}); err != nil {
			return nil, err
		}
	}
	out := make([]*connection, len(dataset.Databases))
	err = o.each(ctx, len(out), func(ctx context.Context, i int) (err error) {
		out[i], err = o.connect(ctx, dataset.Databases[i], hidden)
		return err
	})
	if err == nil {
		err = hidden.check(out)
	}
	if err != nil {
		return nil, errors.Join(err, o.close(out))
	}
	return out, nil
}

// each calls f with the numbers below n, as many at a time as the options say, and
// returns the first error.
func (o *opener) each(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(cmp.Or(o.opts.Workers, runtime.GOMAXPROCS(0)))
	for i := range n {
		group.Go(func() error { return f(ctx, i) })
	}
	return group.Wait()
}

// connect opens a database.
func (o *opener) connect(ctx context.Context, info *bird.Database, hidden patterns) (*connection, error) {
	isHidden := func(table, column string) bool { return hidden.fit(info.ID, table, column) }
	if o.source != nil {
		db, err := o.source.Database(ctx, info.ID)
		if err != nil {
			return nil, err
		}
		c := &connection{info: info, db: db}
		if c.schema, err = db.Schema(ctx); err == nil {
			c.values = serverReaderOf(db, c.schema, isHidden)
		}
		return c, err
	}
	// The stamp comes first: if the file changes in between, it is taken for an older
	// one, and read again the next time.
	stamp, unstamped := stampOf(info)
	db, err := vtab.Open(ctx, info, sqlite.Options{Mode: sqlite.Snapshot}, true)
	if err != nil {
		return nil, err
	}
	c := &connection{info: info, stamp: stamp, db: db}
	if unstamped != nil {
		return c, unstamped
	}
	if c.schema, err = db.Schema(ctx); err == nil {
		c.values = readerOf(db, c.schema, isHidden)
	}
	return c, err
}

// close closes what is still open.
func (o *opener) close(connections []*connection) error {
	var errs []error
	for _, c := range connections {
		errs = append(errs, c.Close())
	}
	if o.source != nil {
		o.source.Close()
	}
	return errors.Join(errs...)
}

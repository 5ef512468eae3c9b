package rest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/value"
)

// maxEnum is how many different values a column has at most for them to be
// listed.
const maxEnum = 12

// profile is what a column's data are like.
type profile struct {
	kinds  []value.Kind  // storage classes, NULL aside; nil if they are not known
	values []value.Value // all of them in order if they are few, else nil
}

// profiles returns what readProfiles does, which is done again only when the data have
// changed. In a service it takes no longer than one query may, and ends with the
// service: columns that were not looked through by then have no profile. The error is
// that of ctx, or of reading.
func (d *Database) profiles(ctx context.Context) (map[Column]profile, error) {
	select {
	case d.profiling <- struct{}{}:
		defer func() { <-d.profiling }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	version, err := d.db.Version(ctx)
	if err != nil || d.profiled != nil && d.version == version {
		return d.profiled, err
	}
	bound, cancel := context.WithCancel(ctx)
	if d.patience > 0 {
		bound, cancel = context.WithTimeout(ctx, d.patience)
	}
	defer cancel()
	defer context.AfterFunc(d.serving, cancel)()
	profiles, err := d.readProfiles(bound)
	late := ctx.Err() == nil && (bound.Err() != nil || d.patience > 0 && errors.Is(err, context.DeadlineExceeded))
	if err != nil && !late {
		return nil, err
	}
	if late && d.warn != nil && d.serving.Err() == nil {
		d.warn(fmt.Sprintf("the data of %s could not be looked through within %v; its tools and documents tell less of them", d.ID, d.patience))
	}
	d.profiled, d.version = profiles, version
	return profiles, nil
}

// readProfiles reads the data of all columns that are given as they are or
// compared for equality. Each table is read once for several columns, and once more
// for each column that may have few values. What cannot be read, such as a view that
// computes too large a number or without end, has no profile. With an error, it
// returns those that were read.
func (d *Database) readProfiles(ctx context.Context) (map[Column]profile, error) {
	wanted := map[string][]string{} // columns by table
	listed := map[Column]bool{}
	want := func(c *Column, list bool) {
		if c == nil {
			return
		}
		if !slices.Contains(wanted[c.Table], c.Name) {
			wanted[c.Table] = append(wanted[c.Table], c.Name)
		}
		listed[*c] = listed[*c] || list
	}
	for _, e := range d.Endpoints {
		for _, p := range e.Params {
			want(p.Column, true)
		}
		for _, c := range e.Columns {
			want(c.Column, false)
		}
	}
	for _, e := range d.Tables {
		for _, c := range e.Columns {
			want(c.Column, false)
		}
	}
	var mu sync.Mutex
	out := map[Column]profile{}
	add := func(c Column, put func(p *profile)) {
		mu.Lock()
		defer mu.Unlock()
		p := out[c]
		put(&p)
		out[c] = p
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(d.readers())
	for table, columns := range wanted {
		const atOnce = 8 // so that a large table is not left to one processor
		for part := range slices.Chunk(columns, atOnce) {
			group.Go(func() error {
				kinds, err := d.db.Kinds(ctx, table, part)
				for i, found := range kinds {
					add(Column{table, part[i]}, func(p *profile) { p.kinds = found })
				}
				return unlessOwn(err)
			})
		}
	}
	for c, list := range listed {
		if !list || d.isKey(c) {
			continue
		}
		group.Go(func() error {
			values, err := d.fewValues(ctx, c)
			add(c, func(p *profile) { p.values = values })
			return unlessOwn(err)
		})
	}
	err := group.Wait()
	return out, err
}

// readers returns how many statements may read the data at a time: a server has other
// clients.
func (d *Database) readers() int {
	if d.shared {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// isKey reports whether a column is a table's key on a server: the next row has
// another one.
func (d *Database) isKey(c Column) bool {
	if !d.shared {
		return false
	}
	t := d.schema.Table(c.Table)
	return t != nil && t.Column(c.Name) != nil && t.Column(c.Name).PrimaryKey > 0
}

// unlessOwn drops the error of a statement that fails by what it computes, and would
// fail at any other time as well.
func unlessOwn(err error) error {
	if errors.Is(err, engine.ErrComputation) || errors.Is(err, engine.ErrTooLarge) {
		return nil
	}
	return err
}

// fewValues returns the values of a column if they are few and short.
func (d *Database) fewValues(ctx context.Context, c Column) ([]value.Value, error) {
	values, err := d.db.Distinct(ctx, c.Table, c.Name, maxEnum)
	for _, v := range values {
		const long = 80 // bytes
		if v.Kind() == value.Blob || len(v.Raw()) > long {
			return nil, nil
		}
	}
	return values, err
}

// enum returns the values that make sense for a parameter, those of its column, or nil
// if they are not known. Where a question uses another value there is
// none, as it would either forbid that value or reveal it.
func (e *Endpoint) enum(p *Param, profiles map[Column]profile) []value.Value {
	if p.Column == nil || len(profiles[*p.Column].values) == 0 {
		return nil
	}
	values := profiles[*p.Column].values
	// 10 and 10.0 are one value in JSON, as they are in SQL.
	seen := map[value.Value]bool{}
	for _, v := range values {
		seen[value.Key(v, value.Binary)] = true
	}
	i := slices.Index(e.Params, p)
	for _, arguments := range e.calls {
		for _, v := range arguments[i] {
			if !seen[value.Key(v, value.Binary)] {
				return nil
			}
		}
	}
	for _, v := range values {
		if !p.takes(v) {
			return nil
		}
	}
	return values
}

// takes reports whether a value is of the parameter's type.
func (q *Param) takes(v value.Value) bool {
	switch v.Kind() {
	case value.Integer:
		return q.Type != String
	case value.Real:
		return q.Type == Number
	case value.Text:
		return q.Type == String
	}
	return false
}

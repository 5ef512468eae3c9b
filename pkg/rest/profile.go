package rest

import (
	"context"
	"errors"
	"slices"

	"github.com/birdcall/birdcall/internal/engine"
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

// profiles returns what readProfiles does, which is done again only when the
// data have changed.
func (d *Database) profiles(ctx context.Context) (map[Column]profile, error) {
	d.profiling.Lock()
	defer d.profiling.Unlock()
	version, err := d.db.Version(ctx)
	if err != nil {
		return nil, err
	}
	if d.known == nil || d.version != version {
		known, err := d.readProfiles(ctx)
		if err != nil {
			return nil, err
		}
		d.known, d.version = known, version
	}
	return d.known, nil
}

// readProfiles reads the data of all columns that are given as they are or
// compared for equality. Each table is read once, and once more for each
// column that may have few values. What cannot be read, such as a view that
// computes too large a number, has no profile.
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
	out := map[Column]profile{}
	for table, columns := range wanted {
		if err := d.readKinds(ctx, table, columns, out); err != nil && !isOwnFault(err) {
			return nil, err
		}
	}
	for c, list := range listed {
		if !list || d.isKey(c) {
			continue
		}
		p := out[c]
		var err error
		if p.values, err = d.fewValues(ctx, c); err != nil && !isOwnFault(err) {
			return nil, err
		}
		out[c] = p
	}
	return out, nil
}

// isKey reports whether a column is a table's key on a server: the next row has
// another one.
func (d *Database) isKey(c Column) bool {
	if d.db.Dialect() == engine.SQLite {
		return false
	}
	t := d.schema.Table(c.Table)
	return t != nil && t.Column(c.Name) != nil && t.Column(c.Name).PrimaryKey > 0
}

// isOwnFault reports whether a statement fails by what it computes, and would
// fail at any other time as well.
func isOwnFault(err error) bool {
	return errors.Is(err, engine.ErrComputation) || errors.Is(err, engine.ErrTooLarge)
}

// readKinds finds the storage classes in the columns of a table.
func (d *Database) readKinds(ctx context.Context, table string, columns []string, out map[Column]profile) error {
	kinds, err := d.db.Kinds(ctx, table, columns)
	for i, found := range kinds {
		out[Column{table, columns[i]}] = profile{kinds: found}
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

// enum returns the values that make sense for a parameter, or nil if there is
// no telling: those of its column. Where a question uses another value there is
// none, as it would either forbid that value or tell it.
func (e *Endpoint) enum(p *Param, known map[Column]profile) []value.Value {
	if p.Column == nil || len(known[*p.Column].values) == 0 {
		return nil
	}
	values := known[*p.Column].values
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

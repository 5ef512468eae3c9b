package rest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sqlite"
	"github.com/birdcall/birdcall/pkg/value"
)

// maxEnum is how many different values a column has at most for them to be
// listed.
const maxEnum = 12

// profile is what a column's data are like.
type profile struct {
	kinds  []value.Kind  // storage classes, NULL aside
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
	out := map[Column]profile{}
	for table, columns := range wanted {
		if err := d.readKinds(ctx, table, columns, out); err != nil && !isOwnFault(err) {
			return nil, err
		}
	}
	for c, list := range listed {
		if !list {
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

// isOwnFault reports whether a statement fails by what it computes, and would
// fail at any other time as well.
func isOwnFault(err error) bool {
	var code interface{ Code() int }
	return isCode(err, &code, sqliteError) || errors.Is(err, sqlite.ErrTooLarge)
}

// readKinds finds the storage classes in the columns of a table.
func (d *Database) readKinds(ctx context.Context, table string, columns []string, out map[Column]profile) error {
	kinds := map[string]value.Kind{"integer": value.Integer, "real": value.Real, "text": value.Text, "blob": value.Blob}
	const atOnce = 100 // well below SQLite's limit on columns
	for part := range slices.Chunk(columns, atOnce) {
		var list []string
		for _, name := range part {
			list = append(list, "group_concat(DISTINCT typeof("+sqlite.Quote(name)+"))")
		}
		answer, err := d.db.Query(ctx, "SELECT "+strings.Join(list, ", ")+" FROM "+sqlite.Quote(table))
		if err != nil {
			return err
		}
		for i, name := range part {
			var p profile
			for kind := range strings.SplitSeq(answer.Rows[0][i].Raw(), ",") {
				if k, ok := kinds[kind]; ok {
					p.kinds = append(p.kinds, k)
				}
			}
			slices.Sort(p.kinds)
			out[Column{table, name}] = p
		}
	}
	return nil
}

// fewValues returns the values of a column if they are few and short.
func (d *Database) fewValues(ctx context.Context, c Column) ([]value.Value, error) {
	name, table := sqlite.Quote(c.Name), sqlite.Quote(c.Table)
	answer, err := d.db.Query(ctx, fmt.Sprintf("SELECT DISTINCT %s FROM %s WHERE %s IS NOT NULL LIMIT %d", name, table, name, maxEnum+1))
	if err != nil || len(answer.Rows) > maxEnum {
		return nil, err
	}
	var values []value.Value
	for _, row := range answer.Rows {
		const long = 80 // bytes
		if row[0].Kind() == value.Blob || len(row[0].Raw()) > long {
			return nil, nil
		}
		values = append(values, row[0])
	}
	slices.SortFunc(values, func(a, b value.Value) int {
		return cmp.Or(value.Compare(a, b, value.Binary), int(a.Kind())-int(b.Kind()))
	})
	return values, nil
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

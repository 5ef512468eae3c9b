package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// maxCalls bounds how many calls of an endpoint Answers tries.
const maxCalls = 64

// answersTime is how long one call may take that Answers makes. There are slow
// endpoints that many questions would call.
const answersTime = 5 * time.Second

// Answers reports whether another endpoint of the database answers the question of
// a record, too: called with the arguments of the record's call that it takes, it
// returns the record's rows, in whatever order, perhaps with more columns.
//
// An argument goes to the parameter of its name, or else to those of its type that
// are not known to be compared with another column. A number of rows that the
// record's call has no argument for is that of its rows. An endpoint that takes longer
// than five seconds counts as one that answers, as nobody has shown that it does not.
//
// Errors are those of the context and of the database.
func (x *Converter) Answers(ctx context.Context, r *record.Rest, name string) (bool, error) {
	d := x.API.Database(r.DB)
	if d == nil || len(r.Calls) == 0 {
		return false, fmt.Errorf("question %s has no call of an endpoint of the dataset", r.ID)
	}
	gold, other := d.endpoint(r.Calls[0].Name), d.endpoint(name)
	if gold == nil || other == nil {
		return false, fmt.Errorf("%s has no endpoint %q or %q", d.ID, r.Calls[0].Name, name)
	}
	decode := decodeRow
	if !d.db.Dialect().DynamicTypes {
		decode = rawRow
	}
	want, err := decodeRows([]byte(r.Result), decode)
	if err != nil {
		return false, err
	}
	if other.single && len(want) > 1 || len(want) > 0 && !gold.fits(other.Columns, want[0]) {
		return false, nil
	}
	f := &fitting{gold: gold, endpoint: other, given: r.Calls[0].Arguments, rows: len(want)}
	f.fit(nil, make([]bool, len(f.given)))
	for _, args := range f.calls {
		got, err := x.try(ctx, other, args, decode)
		switch {
		case err != nil:
			return false, err
		case got.slow, got.taken && includes(got.rows, want):
			return true, nil
		}
	}
	return false, nil
}

// endpoint returns the endpoint of that name, or nil.
func (d *Database) endpoint(name string) *Endpoint {
	i := slices.IndexFunc(d.Endpoints, func(e *Endpoint) bool { return e.Name == name })
	if i < 0 {
		return nil
	}
	return d.Endpoints[i]
}

// fits reports whether each value of a row of the endpoint may be one of so many
// other columns, as far as their types are known.
func (e *Endpoint) fits(columns []ResultColumn, row []value.Value) bool {
	if len(columns) < len(row) {
		return false
	}
	for _, v := range row {
		if !slices.ContainsFunc(columns, func(c ResultColumn) bool { return c.has(v) }) {
			return false
		}
	}
	return true
}

// has reports whether a value may be one of the column's.
func (c *ResultColumn) has(v value.Value) bool {
	switch {
	case c.Types == nil:
		return true
	case v.Kind() == value.Null:
		return !c.NotNull
	case v.Kind() == value.Integer || v.Kind() == value.Real:
		return slices.ContainsFunc(c.Types, func(t Type) bool { return t != String })
	}
	return true // a text may stand for any value of a server
}

// tried is what a call of an endpoint came to.
type tried struct {
	slow  bool // whether it takes too long
	taken bool // whether the endpoint takes the arguments
	rows  [][]value.Value
}

// maxKept is how many rows of an answer are kept for the next who makes the call.
const maxKept = 1000

// try calls an endpoint. What short answers say is kept: many questions make the
// same calls.
func (x *Converter) try(ctx context.Context, e *Endpoint, args tools.Arguments, decode func([]byte) ([]value.Value, error)) (tried, error) {
	query, err := queryOf(args)
	if err != nil {
		return tried{}, err
	}
	url := e.Path + query
	x.mu.Lock()
	out, ok := x.tried[url]
	x.mu.Unlock()
	if ok {
		return out, nil
	}
	own, cancel := context.WithTimeout(ctx, answersTime)
	defer cancel()
	body, err := x.answer(own, url)
	switch {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case own.Err() != nil, errors.Is(err, context.DeadlineExceeded):
		out.slow = true
	case errors.Is(err, ErrMismatch): // its status says that it does not
	case err != nil:
		return out, err
	default:
		out.taken = true
		if out.rows, err = decodeRows(body, decode); err != nil || len(out.rows) > maxKept {
			return out, err
		}
	}
	x.mu.Lock()
	x.tried[url] = out
	x.mu.Unlock()
	return out, nil
}

// forget drops what is kept of a database's calls.
func (x *Converter) forget(db string) {
	d := x.API.Database(db)
	x.mu.Lock()
	defer x.mu.Unlock()
	maps.DeleteFunc(x.tried, func(url string, _ tried) bool {
		return d != nil && strings.HasPrefix(url, d.path+"/")
	})
}

// fitting finds the calls of an endpoint that arguments of another's call make.
type fitting struct {
	gold     *Endpoint
	endpoint *Endpoint
	given    tools.Arguments
	rows     int // of the other's answer
	calls    []tools.Arguments
}

// fit adds the calls that begin with args, which are for the first parameters, and
// have taken some of the given arguments.
func (f *fitting) fit(args tools.Arguments, taken []bool) {
	switch {
	case len(f.calls) == maxCalls:
		return
	case len(args) == len(f.endpoint.Params):
		f.calls = append(f.calls, slices.Clone(args))
		return
	}
	p := f.endpoint.Params[len(args)]
	next := func(v any) { f.fit(append(args, tools.Argument{Name: p.Name, Value: v}), taken) }
	if v, ok := f.given.Get(p.Name); ok {
		next(v)
		return
	}
	switch {
	case p.role == template.RowLimit:
		next(max(f.rows, 1))
		return
	case p.role == template.RowOffset:
		next(0)
		return
	case !p.Required:
		next(nil) // is not sent
		return
	}
	for i, a := range f.given {
		if !taken[i] && p.fits(a.Value) && !f.isOfAnother(a.Name, p) {
			taken[i] = true
			next(a.Value)
			taken[i] = false
		}
	}
}

// isOfAnother reports whether a given argument is known to be compared with another
// column than a parameter.
func (f *fitting) isOfAnother(name string, p *Param) bool {
	i := slices.IndexFunc(f.gold.Params, func(q *Param) bool { return q.Name == name })
	if i < 0 {
		return false
	}
	q := f.gold.Params[i]
	if q.isPaging() {
		return true
	}
	return q.Column != nil && p.Column != nil && *q.Column != *p.Column
}

// fits reports whether an argument is of the parameter's type.
func (q *Param) fits(v any) bool {
	if list, ok := v.([]any); ok {
		return len(list) > 0 && (q.List || len(list) == 1) && !slices.ContainsFunc(list, func(v any) bool { return !q.fits(v) })
	}
	switch v.(type) {
	case string:
		return q.Type == String
	case int, int64, float64, json.Number:
		return q.Type != String
	}
	return false
}

// includes reports whether rows have all that is wanted, in any order, with columns
// of any order and perhaps with more of them.
func includes(got, want [][]value.Value) bool {
	if len(got) != len(want) {
		return false
	}
	if len(want) == 0 {
		return true
	}
	columns := make([][]int, len(want[0])) // of got, that may be a column of want
	for i := range columns {
		for j := range got[0] {
			if sameRows(project(want, []int{i}), project(got, []int{j})) {
				columns[i] = append(columns[i], j)
			}
		}
	}
	tries := maxCalls
	var choose func(chosen []int) bool
	choose = func(chosen []int) bool {
		if len(chosen) == len(columns) {
			tries--
			return sameRows(want, project(got, chosen))
		}
		for _, j := range columns[len(chosen)] {
			if tries > 0 && !slices.Contains(chosen, j) && choose(append(chosen, j)) {
				return true
			}
		}
		return false
	}
	return choose(nil)
}

func sameRows(want, got [][]value.Value) bool {
	return verify.Compare(want, got, verify.Options{Loose: true}).Equal
}

// project returns some columns of rows.
func project(rows [][]value.Value, columns []int) [][]value.Value {
	out := make([][]value.Value, len(rows))
	for i, row := range rows {
		for _, c := range columns {
			out[i] = append(out[i], row[c])
		}
	}
	return out
}

package vtab

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/pkg/value"
)

// reading is what one statement reads. It implements sqlite.Reading.
type reading struct {
	external  *External
	meter     *apis.Meter
	log       *Log
	tables    []*state // by the table's number; nil until it is asked for
	functions []*memo
	order     []*state // in the order in which the run asked for what is not known
	asked     []*memo
	rounds    int
	step      int // calls by keys, or of a function, in the next round; 0 is any number
}

// errUnknown says that a run asked for what is not known yet.
var errUnknown = errors.New("not known yet")

// maxRounds bounds the runs of a statement: a recursive one may ask for one key
// after another.
const maxRounds = 1000

// incomplete reports whether the run has asked for what is not known, so that what
// it computes from then on may be wrong, errors too.
func (r *reading) incomplete() bool { return len(r.order) > 0 || len(r.asked) > 0 }

// Rows implements sqlite.Reading.
func (r *reading) Rows(at int, where []sqlite.Equal, maxRows int64) (sqlite.Rows, error) {
	s := r.tables[at]
	if s == nil {
		t := r.external.tables[at]
		s = &state{table: t, whole: t.listed()}
		r.tables[at] = s
	}
	isFirst := !s.asks()
	rows, err := s.look(where, maxRows)
	switch {
	case errors.Is(err, errUnknown):
		if isFirst {
			r.order = append(r.order, s)
		}
		return rows, nil
	case r.incomplete():
		return rows, nil
	}
	return rows, failed(err)
}

// Call implements sqlite.Reading. A NULL among the arguments makes it NULL.
func (r *reading) Call(at int, args []value.Value) (value.Value, error) {
	m := r.functions[at]
	if m == nil {
		m = &memo{function: r.external.functions[at], values: map[string]apis.Result{}, pending: map[string]bool{}}
		r.functions[at] = m
	}
	isFirst := len(m.wanted) == 0
	result, known := m.look(args)
	switch {
	case !known:
		if isFirst {
			r.asked = append(r.asked, m)
		}
		return value.NullValue(), nil
	case r.incomplete():
		return result.Value, nil
	}
	return result.Value, failed(result.Err)
}

// failed gives the failure of a call a reason that all engines have.
func failed(err error) error {
	switch {
	case err == nil, errors.Is(err, engine.ErrComputation):
		return err
	case errors.Is(err, apis.ErrBudget):
		return fmt.Errorf("%w: %w", engine.ErrTooLarge, err)
	}
	return fmt.Errorf("%w: %w", engine.ErrAPI, err)
}

// Fetch implements sqlite.Reading.
func (r *reading) Fetch(ctx context.Context) (bool, error) {
	if !r.incomplete() {
		return false, nil
	}
	r.rounds++
	if r.rounds > maxRounds {
		return false, fmt.Errorf("the statement asks for one key of an API after another, more than %d times; ask for less at a time", maxRounds)
	}
	r.fetch(ctx)
	for _, s := range r.order {
		s.forgetWants()
	}
	for _, m := range r.asked {
		m.forgetWants()
	}
	r.order, r.asked = nil, nil
	return true, ctx.Err()
}

// fetch gets listings, if the run asked for any; else the keys of the table that it
// asked for first; else the values of the function that it asked for first. What
// depends on something that was not known may not be needed at all.
func (r *reading) fetch(ctx context.Context) {
	var lists []*state
	for _, s := range r.order {
		if s.list || s.firstRows > 0 {
			lists = append(lists, s)
		}
	}
	switch {
	case len(lists) > 0:
		var group errgroup.Group
		for _, s := range lists {
			group.Go(func() error {
				s.fetchList(ctx, r.meter)
				return nil
			})
		}
		_ = group.Wait() // each keeps its error
	case len(r.order) > 0:
		r.order[0].fetchKeys(ctx, r.meter, r.step)
	default:
		r.asked[0].fetch(ctx, r.meter, r.step)
	}
	r.step *= 2
}

// End implements sqlite.Reading.
func (r *reading) End() { r.log.note(r) }

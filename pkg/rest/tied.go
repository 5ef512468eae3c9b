package rest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/internal/opened"
	"github.com/birdcall/birdcall/internal/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// judge says whether SQL leaves an answer open, as the records of pkg/slot do:
// by their converter, which knows the plan of a statement.
type judge struct {
	opts    slot.Options
	timeout time.Duration // for one statement
	open    *opened.Databases[*slot.Database]
}

func newJudge(api *API, opts slot.Options, timeout time.Duration) *judge {
	return &judge{opts: opts, timeout: timeout, open: opened.New(func(ctx context.Context, id string) (*slot.Database, error) {
		return slot.Open(ctx, api.Database(id).info)
	})}
}

// look says in the facts of a question whether SQL leaves the answer open, and
// which rows of an ordered answer may change places. Where the form of the
// statement allows for it, its plan tells, in a time of its own, so that what the
// SQL took does not decide. Where there is no plan, or it takes too long, the answer
// counts as open: nobody has shown that it is not.
func (j *judge) look(ctx context.Context, q *bird.Question, facts *record.Facts) {
	open := mayBeOpen(q.SQL)
	if !open && (!facts.Gold.Ordered || len(facts.Gold.Rows) < 2) {
		return
	}
	own, cancel := ownTime(ctx, j.timeout)
	defer cancel()
	r, err := j.plan(own, q)
	if err != nil {
		facts.TieDependent = open
		return
	}
	if len(r.Gold.Rows) == len(facts.Gold.Rows) {
		facts.Gold.Ties = r.Gold.Ties
	}
	// Without a tie the rows are the same, or another program has written meanwhile.
	facts.TieDependent = open && (r.TieDependent || !reflect.DeepEqual(r.Gold.Rows, facts.Gold.Rows))
}

// ownTime returns a context that has that long, whatever is left of ctx, but ends
// when ctx is cancelled. The function must be called when done.
func ownTime(ctx context.Context, timeout time.Duration) (context.Context, func()) {
	own, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		}
	})
	return own, func() {
		stop()
		cancel()
	}
}

// plan returns the question's record of pkg/slot. A panic there, which is a defect,
// is not to cost the endpoint's sample.
func (j *judge) plan(ctx context.Context, q *bird.Question) (r *slot.Record, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("planning failed: %v", p)
		}
	}()
	db, err := j.open.Get(ctx, q.DB)
	if err != nil {
		return nil, err
	}
	r, _, err = slot.NewConverter(db, j.opts).ConvertBare(ctx, q)
	return r, err
}

// release closes a database, and with it the columns that are kept.
func (j *judge) release(id string) error { return j.open.Release(id) }

// mayBeOpen reports whether a statement may have several answers by its form: by
// a LIMIT, rows that are numbered or a subquery that stands for its first row; by a
// column that is neither grouped nor aggregated; by an aggregate that takes rows in
// their order; or where one of several equal values is shown.
func mayBeOpen(sql string) bool {
	q, err := sqltree.Parse(sql)
	if err != nil {
		return true
	}
	found := false
	q.WalkAll(func(q *sqltree.Query) {
		found = found || q.Limit != nil || aggregates(sortKeys(q))
		for _, s := range q.Arms {
			found = found || s.Distinct || len(s.GroupBy) > 0 || s.Having != nil || s.Op != "" && s.Op != dialect.UnionAll || showsRow(s)
		}
	}, func(e sqltree.Expr) {
		switch e := e.(type) {
		case *sqltree.Subquery:
			found = found || !isOneRow(e.Query)
		case *sqltree.Call:
			found = found || e.Over != nil || e.Distinct && e.Name != "count" || picks[e.Name]
		}
	})
	return found
}

// picks are the functions whose result depends on the order of rows, or that take
// one of several equal values.
var picks = map[string]bool{
	"min": true, "max": true, "group_concat": true, "string_agg": true,
	"json_group_array": true, "json_group_object": true, "jsonb_group_array": true, "jsonb_group_object": true,
}

// isOneRow reports whether a query is a single row whatever the data are: an
// aggregate of everything, or no FROM.
func isOneRow(q *sqltree.Query) bool {
	s := q.Arms[0]
	return len(q.Arms) == 1 && len(s.GroupBy) == 0 && (s.From == nil || aggregates(shown(s)))
}

// shown returns the expressions of an arm's result columns.
func shown(s *sqltree.Select) []sqltree.Expr {
	var out []sqltree.Expr
	for _, it := range s.Items {
		if it != nil && !it.Star {
			out = append(out, it.Expr)
		}
	}
	return out
}

// sortKeys returns the expressions of a query's ORDER BY.
func sortKeys(q *sqltree.Query) []sqltree.Expr {
	var out []sqltree.Expr
	for _, o := range q.OrderBy {
		out = append(out, o.Expr)
	}
	return out
}

// aggregates reports whether there are aggregate calls in expressions.
func aggregates(list []sqltree.Expr) bool {
	return slices.ContainsFunc(list, func(e sqltree.Expr) bool { return len(sqltree.AggregatesIn(e)) > 0 })
}

// showsRow reports whether an arm that aggregates shows a column outside of the
// aggregates, which is some row's.
func showsRow(s *sqltree.Select) bool {
	items := shown(s)
	if !aggregates(items) {
		return false
	}
	shows := len(items) < len(s.Items) // by a *
	for _, e := range items {
		sqltree.Walk(e, func(e sqltree.Expr) bool {
			call, ok := e.(*sqltree.Call)
			_, isColumn := e.(*sqltree.Column)
			shows = shows || isColumn
			return !ok || !call.Aggregate
		})
	}
	return shows
}

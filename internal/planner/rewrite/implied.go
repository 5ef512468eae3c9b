package rewrite

import (
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/planner/vocabulary"
	"github.com/birdcall/birdcall/pkg/tools"
)

// dropImpliedFilters drops filters that keep all rows which the steps before or after
// them keep.
//
// Proof. A comparison is NULL where one of its sides is (lang_expr.html, section
// 2), and a filter keeps no row for which its condition is NULL. So a filter for
// what is not NULL changes nothing before or after one that compares the same
// column, and neither does a filter that was applied before. The aggregates look
// at no NULL (lang_aggfunc.html), so that it changes nothing either before the
// only one that reads its rows, if that is of the column.
func (w *work) dropImpliedFilters() bool {
	for i, s := range w.p.Steps {
		f, ok := s.(*plan.Filter)
		if !ok || w.united[i] {
			continue
		}
		if w.appliedBefore(f) || f.Condition == tools.IsNotNull && w.rejectedAfter(plan.StepID(i), f.Col) {
			w.p.Replace(map[plan.StepID]plan.StepID{plan.StepID(i): f.In}, nil)
			return true
		}
	}
	return false
}

// appliedBefore reports whether the rows that come to a filter all pass it,
// because of another one.
func (w *work) appliedBefore(f *plan.Filter) bool {
	own := *f
	for at := f.In; ; {
		switch s := w.p.Steps[at].(type) {
		case *plan.Filter:
			other := *s
			if own.In, other.In = 0, 0; plan.Key(&own) == plan.Key(&other) || f.Condition == tools.IsNotNull && rejectsNull(s, f.Col) {
				return true
			}
			at = s.In
		case *plan.Derive:
			at = s.In
		case *plan.Sort:
			at = s.In
		default:
			return false
		}
	}
}

// rejectedAfter reports whether the rows of a step go on to what leaves out those
// with NULL in a column, and nowhere else.
func (w *work) rejectedAfter(id plan.StepID, c plan.Col) bool {
	for w.readOnce(id) && len(w.next[id]) == 1 {
		id = w.next[id][0]
		switch s := w.p.Steps[id].(type) {
		case *plan.Filter:
			if rejectsNull(s, c) {
				return true
			}
		case *plan.Aggregate:
			return vocabulary.SkipsNull(s.Func) && !s.Grouped && s.From == c && s.Limit == 0
		default:
			return false
		}
	}
	return false
}

// rejectsNull reports whether a filter keeps no row with NULL in a column.
func rejectsNull(f *plan.Filter, c plan.Col) bool {
	known, _ := vocabulary.OfCondition(f.Condition)
	return f.Col == c && known.RejectsNull
}

package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/pkg/tools"
)

// mergeBounds turns two filters of one column, by the least and by the greatest value
// that it may have, into one.
//
// Proof. x BETWEEN a AND b is x >= a AND x <= b (lang_expr.html, section 7.1),
// with x computed once. One filter after the other keeps the rows for which both
// are TRUE, whichever comes first, in their order. Both compare by the same
// collation, and by the affinity of x where the bounds are constants.
func (w *work) mergeBounds() bool {
	for i, s := range w.p.Steps {
		f, ok := s.(*plan.Filter)
		if !ok || !isBound(f) {
			continue
		}
		before, ok := w.p.Steps[f.In].(*plan.Filter)
		if !ok || !isBound(before) || before.Condition == f.Condition || before.Col != f.Col || before.Collation != f.Collation || !w.readOnce(f.In) {
			continue
		}
		low, high := before, f
		if f.Condition == tools.GreaterOrEqual {
			low, high = f, before
		}
		args := slices.Concat(low.Args, high.Args)
		w.p.Steps[i] = &plan.Filter{In: before.In, Col: f.Col, Condition: tools.Between, Args: args, Collation: f.Collation}
		return true
	}
	return false
}

// isBound reports whether a filter asks for values up to a constant, or from one
// on.
func isBound(f *plan.Filter) bool {
	return (f.Condition == tools.GreaterOrEqual || f.Condition == tools.LessOrEqual) && f.Args[0].Kind == plan.Constant
}

package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/pkg/tools"
)

// mergeEqualities turns the rows of one relation that either of two equalities keeps into
// those that are in a list.
//
// Proof. x IN (a, b) is x = a OR x = b (lang_expr.html, section 7), with the
// affinity and the collation of x on both sides of the comparison where a and b
// are constants. Either keeps the rows for which one of the two is TRUE, each
// once and in the order of the relation, and so does the filter. A NULL in x or
// in the list makes no row TRUE in either form.
func (w *work) mergeEqualities() bool {
	for i, s := range w.p.Steps {
		e, ok := s.(*plan.Either)
		if !ok {
			continue
		}
		a, aok := w.p.Steps[e.A].(*plan.Filter)
		b, bok := w.p.Steps[e.B].(*plan.Filter)
		if !aok || !bok || a.In != b.In || a.Col != b.Col || a.Collation != b.Collation || !isList(a) || !isList(b) {
			continue
		}
		args := slices.Clone(a.Args)
		for _, o := range b.Args {
			if !slices.Contains(args, o) {
				args = append(args, o)
			}
		}
		w.p.Steps[i] = &plan.Filter{In: a.In, Col: a.Col, Condition: tools.In, Args: args, Collation: a.Collation}
		return true
	}
	return false
}

// isList reports whether a filter asks for one of some constants.
func isList(f *plan.Filter) bool {
	return (f.Condition == tools.Equal || f.Condition == tools.In) &&
		!slices.ContainsFunc(f.Args, func(o plan.Operand) bool { return o.Kind != plan.Constant })
}

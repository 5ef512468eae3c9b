package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// readFirstValue computes on the side of two values that is one row whatever the data,
// so that the other side, the first row of a subquery, can be read as a value.
//
// Proof. A plan that derives from a subquery's first row makes that one row, the
// largest value of the first row only, since no rows must give NULL. Where the
// operation has another operand that is one row always, an aggregate or what is
// derived from one, it can be derived from that instead, with the operands
// exchanged. A result that is read as a value is the first cell of its first
// row, and NULL without rows: the same value in the same place.
func (w *work) readFirstValue() bool {
	for _, s := range w.p.Steps {
		d, ok := s.(*plan.Derive)
		if !ok || !slices.Contains([]tools.Operation{tools.OpAdd, tools.OpSubtract, tools.OpMultiply, tools.OpDivide, tools.OpRatio}, d.Op) {
			continue
		}
		one, ok := w.p.Steps[d.In].(*plan.Aggregate)
		if !ok || one.Grouped || one.Func != tools.Max || one.Limit != 1 || d.From != one.Out {
			continue
		}
		rows, ok := w.p.Steps[one.In].(*plan.Project)
		if !ok || len(rows.Cols) != 1 || rows.Cols[0] != one.From {
			continue
		}
		other, ok := argument(d, toolname.ArgValue)
		if !ok || other.Kind != plan.Result || !w.isOneRow(other.Step) {
			continue
		}
		swapped := isSwapped(d)
		d.Args = slices.DeleteFunc(slices.Clone(d.Args), func(a plan.Arg) bool { return a.Name == toolname.ArgSwap })
		setValue(d, plan.Operand{Kind: plan.Result, Step: one.In, Col: one.From})
		if !swapped && d.Op != tools.OpAdd && d.Op != tools.OpMultiply {
			d.Args = append(d.Args, plan.Arg{Name: toolname.ArgSwap, Values: []plan.Operand{constant(value.Int(1))}})
		}
		d.In, d.From = other.Step, other.Col
		return true
	}
	return false
}

// isOneRow reports whether a step has one row of one column in every database.
func (w *work) isOneRow(id plan.StepID) bool {
	for {
		switch s := w.p.Steps[id].(type) {
		case *plan.Aggregate:
			return !s.Grouped && !(s.Func == tools.Max && s.Limit == 1)
		case *plan.Derive:
			id = s.In
		default:
			return false
		}
	}
}

package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
)

// retrieveAtEnd drops the retrieving of columns in the middle of a sequence.
//
// Proof. A project that neither drops duplicates nor cuts leaves the rows, their
// order and the values of its columns alone. Who works on its rows and names
// columns of them may as well work on the rows before it, which have these
// columns, too. Groups are no plain rows, so that what is retrieved from them
// stays, and so does what is read as a value or a list, put together with other
// rows column by column, or is the answer.
//
// A project of a project shows columns of the first one, so that the first may
// show just these, cut as it is. That it drops no duplicates is needed: which
// rows are duplicates depends on the columns.
func (w *work) retrieveAtEnd() bool {
	for i, s := range w.p.Steps {
		inner, ok := s.(*plan.Project)
		if !ok || inner.Distinct {
			continue
		}
		id := plan.StepID(i)
		if inner.Limit < 0 && inner.Offset == 0 && !w.hasChoice(id) && w.isPlain(inner.In) && w.skip(id, inner.In) {
			return true
		}
		if w.narrow(id, inner) {
			return true
		}
	}
	return false
}

// skip has those that work on the rows of one step work on those of another, and
// reports whether there are any.
func (w *work) skip(id, instead plan.StepID) bool {
	done := false
	for _, n := range w.next[id] {
		if w.united[n] {
			continue
		}
		switch s := w.p.Steps[n].(type) {
		case *plan.Filter, *plan.Derive, *plan.Group, *plan.Aggregate, *plan.Sort, *plan.Project, *plan.Window:
			*rowsOf(s) = instead
			done = true
		case *plan.Join:
			takeSide(s, id, instead)
			done = true
		}
	}
	return done
}

// takeSide has a join take the rows of another step on the sides where it takes
// those of one.
func takeSide(j *plan.Join, id, instead plan.StepID) {
	if j.A == id {
		j.A = instead
	}
	if j.B == id {
		j.B = instead
	}
}

// narrow has a project show what the only step that reads it shows, and drops
// that one.
func (w *work) narrow(id plan.StepID, inner *plan.Project) bool {
	if !w.readOnce(id) || len(w.next[id]) != 1 {
		return false
	}
	at := w.next[id][0]
	outer, ok := w.p.Steps[at].(*plan.Project)
	if !ok || outer.Distinct || outer.Limit >= 0 || outer.Offset > 0 {
		return false
	}
	if at == w.p.Result && w.hasChoice(id) && inner.Limit != 1 {
		return false // the answer has no order, and what is cut may have one
	}
	if at == w.p.Result {
		w.p.Order = w.orderOf(id)
	}
	inner.Cols = slices.Clone(outer.Cols)
	w.p.Replace(map[plan.StepID]plan.StepID{at: id}, nil)
	return true
}

// orderOf is the order of the rows that a project cuts, if it cuts any.
func (w *work) orderOf(id plan.StepID) *plan.Order {
	for _, c := range w.p.Choices {
		if c.Kind == plan.Cut && c.Step == id && len(c.Keys) > 0 {
			return &plan.Order{Sorted: *rowsOf(w.p.Steps[id]), Keys: c.Keys}
		}
	}
	return nil
}

// hasChoice reports whether something is left open at a step.
func (w *work) hasChoice(id plan.StepID) bool {
	of := func(c plan.Choice) bool { return c.Step == id }
	return slices.ContainsFunc(w.p.Choices, of) || slices.ContainsFunc(w.p.Equals, of)
}

// isPlain reports whether the rows of a step are no groups.
func (w *work) isPlain(id plan.StepID) bool {
	for {
		switch s := w.p.Steps[id].(type) {
		case *plan.Start, *plan.Project, *plan.SetOp, *plan.Join, *plan.Expand:
			return true
		case *plan.Aggregate:
			return !s.Grouped
		case *plan.Filter:
			id = s.In
		case *plan.Derive:
			id = s.In
		case *plan.Sort:
			id = s.In
		case *plan.Window:
			id = s.In
		default:
			return false
		}
	}
}

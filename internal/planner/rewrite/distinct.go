package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
)

// retrieveDistinct retrieves distinct rows where a relation is grouped and nothing but
// what it is grouped by is shown, or what that determines: see determined.
//
// Proof. A group stands for the rows that are equal in its keys, NULL equal to
// NULL, by the collations of the columns; distinct rows of the same columns are
// compared in the same way. Groups come in the order of their first rows, and
// distinct rows stay where they are first found, so that the order is the same,
// too, and with it what a limit leaves. Where the groups are sorted in between by
// what their keys determine, the rows can be sorted instead: sorting keeps the
// order of equals, and rows of one group are equal in what they are sorted by, if
// that is by the collations of the columns. No rows give no groups and no
// distinct rows. Which of equal values is shown is left open by both.
func (w *work) retrieveDistinct() bool {
	for i, s := range w.p.Steps {
		out, ok := s.(*plan.Project)
		if !ok || out.Distinct {
			continue
		}
		var sorts []*plan.Sort
		at := out.In
		for {
			sort, ok := w.p.Steps[at].(*plan.Sort)
			if !ok || !w.readOnce(at) {
				break
			}
			sorts, at = append(sorts, sort), sort.In
		}
		group, ok := w.p.Steps[at].(*plan.Group)
		if !ok || len(group.Keys) == 0 || !w.readOnce(at) || !w.isDistinct(group, out) {
			continue
		}
		shown := w.determined(group.In, out.Cols)
		beyond := func(s *plan.Sort) bool {
			return s.Collation != "" || slices.ContainsFunc(s.Keys, func(c plan.Col) bool { return !shown(c) })
		}
		if slices.ContainsFunc(sorts, beyond) {
			continue
		}
		w.leaveToRows(at, plan.StepID(i))
		w.p.Replace(map[plan.StepID]plan.StepID{at: group.In}, nil)
		out.Distinct = true
		return true
	}
	return false
}

// readOnce reports whether just one step reads a result, which is not the answer.
func (w *work) readOnce(id plan.StepID) bool {
	return len(w.next[id])+len(w.users[id]) == 1 && id != w.p.Result
}

// isDistinct reports whether the columns that a project shows are the same in the
// rows of one group, and differ between groups.
func (w *work) isDistinct(group *plan.Group, out *plan.Project) bool {
	grouped, shown := w.determined(group.In, group.Keys), w.determined(group.In, out.Cols)
	return !slices.ContainsFunc(out.Cols, func(c plan.Col) bool { return !grouped(c) }) &&
		!slices.ContainsFunc(group.Keys, func(c plan.Col) bool { return !shown(c) })
}

// leaveToRows has the distinct rows of a project leave open which of equal values
// they show, as the group did.
func (w *work) leaveToRows(group, project plan.StepID) {
	of := func(c plan.Choice) bool { return c.Step == group }
	w.p.Choices = slices.DeleteFunc(w.p.Choices, of) // of columns that are not shown
	w.p.Equals = append(slices.DeleteFunc(w.p.Equals, of), plan.Choice{Kind: plan.Equal, Step: project, Column: plan.None})
}

package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/plan"
)

// distinct retrieves distinct rows where a relation is grouped and nothing but
// all that it is grouped by is shown.
//
// Proof. A group stands for the rows that are equal in its keys, NULL equal to
// NULL, by the collations of the columns; distinct rows of the same columns are
// told apart in the same way. Groups come in the order of their first rows, and
// distinct rows stay where they are first found, so that the order is the same,
// too, and with it what a limit leaves. Where the groups are sorted by their keys
// in between, the rows can be sorted instead: sorting keeps the order of equals,
// and rows of one group are equal in what they are sorted by, if that is by the
// collations of the columns. No rows give no
// groups and no distinct rows. Which of equal values is shown is left open by
// both; where a group shows a column that is no key, the rule does not apply.
func (w *work) distinct() bool {
	for i, s := range w.p.Steps {
		out, ok := s.(*plan.Project)
		if !ok || out.Distinct {
			continue
		}
		var sorts []*plan.Sort
		at := out.In
		for {
			sort, ok := w.p.Steps[at].(*plan.Sort)
			if !ok || !w.readBy(at, 1) {
				break
			}
			sorts, at = append(sorts, sort), sort.In
		}
		group, ok := w.p.Steps[at].(*plan.Group)
		if !ok || len(group.Keys) == 0 || !w.readBy(at, 1) || !sameColumns(group.Keys, out.Cols) {
			continue
		}
		beyond := func(s *plan.Sort) bool {
			return s.Collation != "" || slices.ContainsFunc(s.Keys, func(c plan.Col) bool { return !slices.Contains(group.Keys, c) })
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

// readBy reports whether just so many steps read a result, and not the answer.
func (w *work) readBy(id plan.StepID, n int) bool {
	return len(w.next[id])+len(w.users[id]) == n && id != w.p.Result
}

func sameColumns(a, b []plan.Col) bool {
	in := func(list []plan.Col) func(plan.Col) bool {
		return func(c plan.Col) bool { return !slices.Contains(list, c) }
	}
	return !slices.ContainsFunc(a, in(b)) && !slices.ContainsFunc(b, in(a))
}

// leaveToRows has the distinct rows of a project leave open which of equal values
// they show, as the group did.
func (w *work) leaveToRows(group, project plan.StepID) {
	of := func(c plan.Choice) bool { return c.Step == group }
	w.p.Choices = slices.DeleteFunc(w.p.Choices, of) // of columns that are not shown
	w.p.Equals = append(slices.DeleteFunc(w.p.Equals, of), plan.Choice{Kind: plan.Equal, Step: project, Column: plan.None})
}

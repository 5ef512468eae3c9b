package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/pkg/tools"
)

// joinAtStart joins base tables in the starting relation that are joined by a step
// separately, because a subquery in FROM is between them.
//
// Proof. Rows of an inner join are the pairs that are equal in its keys. To
// filter one side, or to derive a column of it, before the join or after it is
// the same: the conditions read one side only. Both joins compare the keys by
// bytes, as the columns do, and by their affinities. The one difference is the
// order of the rows, so that this is for rows that are counted or of which the
// smallest or largest value is taken, without which of equal ones showing.
func (w *work) joinAtStart() bool {
	for i, s := range w.p.Steps {
		j, ok := s.(*plan.Join)
		if !ok || j.Kind != plan.Inner || j.NullEqual || len(j.AKeys) == 0 || !w.isUnordered(plan.StepID(i)) {
			continue
		}
		a, ok := w.p.Steps[j.A].(*plan.Start)
		if !ok {
			continue
		}
		chain, at := w.chain(j.B)
		b, ok := w.p.Steps[at].(*plan.Start)
		if !ok || !isInner(a) || !isInner(b) || !w.joinsFirst(j, at) {
			continue
		}
		w.joinStarts(plan.StepID(i), j, a, at, b, chain)
		return true
	}
	return false
}

// chain lists the filters, derivations and plain projects that lead to a step,
// the last one first, and the step that they begin with.
func (w *work) chain(id plan.StepID) (steps []plan.StepID, first plan.StepID) {
	for {
		var in plan.StepID
		switch s := w.p.Steps[id].(type) {
		case *plan.Filter:
			in = s.In
		case *plan.Derive:
			in = s.In
		case *plan.Project:
			if s.Distinct || s.Limit >= 0 || s.Offset > 0 {
				return steps, id
			}
			in = s.In
		default:
			return steps, id
		}
		steps, id = append(steps, id), in
	}
}

func isInner(s *plan.Start) bool {
	return !slices.ContainsFunc(s.Joins, func(j plan.StartJoin) bool { return j.Kind != plan.Inner })
}

// joinsFirst reports whether a join's keys are columns of the first table on one
// side and of the start b on the other, all of them compared by bytes.
func (w *work) joinsFirst(j *plan.Join, b plan.StepID) bool {
	for i := range j.AKeys {
		left, right := w.p.Columns[j.AKeys[i]], w.p.Columns[j.BKeys[i]]
		if !left.IsBase || left.Start != j.A || left.Table != 0 || !right.IsBase || right.Start != b || !w.isBinary(j.AKeys[i]) || !w.isBinary(j.BKeys[i]) {
			return false
		}
	}
	return true
}

// isUnordered reports whether the order of a step's rows is never seen, because
// they are counted, or their smallest or largest value taken.
func (w *work) isUnordered(id plan.StepID) bool {
	if id == w.p.Result || len(w.users[id]) > 0 {
		return false
	}
	for _, n := range w.next[id] {
		switch s := w.p.Steps[n].(type) {
		case *plan.Filter, *plan.Derive:
			if !w.isUnordered(n) {
				return false
			}
		case *plan.Aggregate:
			if s.Grouped || s.Limit != 0 || s.Func != tools.Count && s.Func != tools.Min && s.Func != tools.Max {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// joinStarts puts a start of the tables of both sides, and the steps of the right
// side, instead of a join.
func (w *work) joinStarts(id plan.StepID, j *plan.Join, a *plan.Start, at plan.StepID, b *plan.Start, chain []plan.StepID) {
	n := len(b.Tables)
	both := &plan.Start{Tables: append(slices.Clone(b.Tables), a.Tables...), Joins: slices.Clone(b.Joins)}
	for i := range j.AKeys {
		left, right := w.p.Columns[j.BKeys[i]], w.p.Columns[j.AKeys[i]]
		both.Joins = append(both.Joins, plan.StartJoin{Left: left.Table, LeftColumn: left.Name, Right: n, RightColumn: right.Name, Kind: plan.Inner})
	}
	for _, join := range a.Joins {
		join.Left, join.Right = join.Left+n, join.Right+n
		both.Joins = append(both.Joins, join)
	}
	steps := []plan.Step{both}
	cols := map[plan.Col]plan.Col{} // what the columns of either side are called here
	for c, col := range w.p.Columns {
		if col.IsBase && (col.Start == at || col.Start == j.A) {
			if col.Start == j.A {
				col.Table += n
			}
			col.Start = id
			cols[plan.Col(c)] = plan.Col(len(w.p.Columns))
			w.p.Columns = append(w.p.Columns, col)
		}
	}
	steps = append(steps, w.copied(chain, cols, id, id+1)...)
	to := map[plan.Col]plan.Col{}
	for i, c := range j.BCols {
		to[j.Renamed[i]] = cols[c]
	}
	for c, col := range w.p.Columns {
		if col.IsBase && col.Start == j.A {
			to[plan.Col(c)] = cols[plan.Col(c)]
		}
	}
	w.insertFor(id, steps, to)
}

// insertFor puts steps before one, has those that come after it read the last of
// them and other columns instead, and drops it.
func (w *work) insertFor(id plan.StepID, steps []plan.Step, cols map[plan.Col]plan.Col) {
	after := w.after(id)
	w.p.Insert(id, steps...)
	// The columns of the new start were renumbered with the old steps.
	for c := range w.p.Columns {
		if col := &w.p.Columns[c]; col.IsBase && col.Start == id+plan.StepID(len(steps)) {
			col.Start = id
		}
	}
	last, old := id+plan.StepID(len(steps))-1, id+plan.StepID(len(steps))
	for _, s := range after {
		w.p.ReplaceIn(s, map[plan.StepID]plan.StepID{old: last}, cols)
	}
}

// after lists the steps that work on the rows of one, or on rows made from them.
func (w *work) after(id plan.StepID) []plan.Step {
	var out []plan.Step
	for _, n := range w.next[id] {
		out = append(out, w.p.Steps[n])
		out = append(out, w.after(n)...)
	}
	return out
}

package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/pkg/tools"
)

// joinKeyList joins a table at the start where rows are kept whose value is among the
// keys of rows of that table.
//
// Proof. x IN (SELECT y FROM t WHERE c) is TRUE for a row if some row of t has an
// equal y and c holds for it (lang_expr.html, section 7). Where y is a key of t,
// no two rows have the same and none has NULL, so that an inner join by x = y
// gives each row of the relation one row of t or none: the same rows in the same
// order, with more columns, and c can be tested on these. A row whose x is NULL is
// in neither. Filters and derivations before the filter look at one row each, and
// no other step reads the rows, so that the join may come first. Both compare by
// bytes, and the columns have one affinity, so that neither side is converted.
func (w *work) joinKeyList() bool {
	for i, s := range w.p.Steps {
		f, ok := s.(*plan.Filter)
		if !ok || f.Condition != tools.In || f.Collation != "" || len(f.Args) != 1 || f.Args[0].Kind != plan.Result {
			continue
		}
		list, ok := w.p.Steps[f.Args[0].Step].(*plan.Project)
		if !ok || len(list.Cols) != 1 || list.Limit >= 0 || list.Offset > 0 || !w.readOnce(f.Args[0].Step) || w.united[i] {
			continue
		}
		chain, from := w.chain(list.In)
		keys, ok := w.p.Steps[from].(*plan.Start)
		if !ok || len(keys.Tables) != 1 || !w.isKeyOf(list.Cols[0], from, keys) {
			continue
		}
		at, ok := w.alone(f.In)
		if !ok || !w.comparesAlike(f.Col, list.Cols[0], at) {
			continue
		}
		w.joinKeys(plan.StepID(i), f, at, from, list.Cols[0], chain)
		return true
	}
	return false
}

// isKeyOf reports whether a column is the key of the one table of a start.
func (w *work) isKeyOf(c plan.Col, start plan.StepID, s *plan.Start) bool {
	col := w.p.Columns[c]
	return col.IsBase && col.Start == start && col.Name == w.uniqueKey(s.Tables[0].Name)
}

// alone returns the start of inner joins whose rows come to a step by filters and
// derivations that nothing else reads.
func (w *work) alone(id plan.StepID) (plan.StepID, bool) {
	for {
		if !w.readOnce(id) {
			return id, false
		}
		switch s := w.p.Steps[id].(type) {
		case *plan.Start:
			return id, isInner(s)
		case *plan.Filter:
			id = s.In
		case *plan.Derive:
			id = s.In
		default:
			return id, false
		}
	}
}

// comparesAlike reports whether two base columns, the first one of a start,
// compare by bytes and have one affinity.
func (w *work) comparesAlike(x, y plan.Col, start plan.StepID) bool {
	a, _ := w.base(x)
	b, _ := w.base(y)
	return a != nil && b != nil && w.p.Columns[x].Start == start && isBinary(a) && isBinary(b) && a.Affinity == b.Affinity
}

// joinKeys adds the table of a start to another one, and puts the steps that
// follow it instead of the filter.
func (w *work) joinKeys(id plan.StepID, f *plan.Filter, at, from plan.StepID, key plan.Col, chain []plan.StepID) {
	keys, old := w.p.Steps[from].(*plan.Start), w.p.Steps[at].(*plan.Start)
	n := len(old.Tables)
	left, right := w.p.Columns[f.Col], w.p.Columns[key]
	w.p.Steps[at] = &plan.Start{
		Tables: append(slices.Clone(old.Tables), keys.Tables[0]),
		Joins:  append(slices.Clone(old.Joins), plan.StartJoin{Left: left.Table, LeftColumn: left.Name, Right: n, RightColumn: right.Name, Kind: plan.Inner}),
	}
	cols := map[plan.Col]plan.Col{}
	for c, col := range w.p.Columns {
		if col.IsBase && col.Start == from {
			col.Start, col.Table = at, n
			cols[plan.Col(c)] = plan.Col(len(w.p.Columns))
			w.p.Columns = append(w.p.Columns, col)
		}
	}
	steps := w.copied(chain, cols, f.In, id)
	if len(steps) == 0 {
		w.p.Replace(map[plan.StepID]plan.StepID{id: f.In}, nil)
		return
	}
	w.p.Insert(id, steps...)
	last := id + plan.StepID(len(steps))
	w.p.Replace(map[plan.StepID]plan.StepID{last: last - 1}, nil)
}

// copied copies the filters and derivations of a chain to the rows of a step.
// They get their numbers from first on, and cols also learns what the columns are
// called that they derive.
func (w *work) copied(chain []plan.StepID, cols map[plan.Col]plan.Col, in, first plan.StepID) []plan.Step {
	var steps []plan.Step
	for i := len(chain) - 1; i >= 0; i-- {
		s := plan.Copy(w.p.Steps[chain[i]], cols)
		switch s := s.(type) {
		case *plan.Filter:
			s.In = in
		case *plan.Derive:
			out := w.p.NewColumn(w.p.Columns[s.Out].Hint)
			w.p.Columns[out].Alias = w.p.Columns[s.Out].Alias
			cols[s.Out] = out
			s.In, s.Out = in, out
		default:
			continue
		}
		in = first + plan.StepID(len(steps))
		steps = append(steps, s)
	}
	return steps
}

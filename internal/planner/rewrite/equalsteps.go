package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
)

// mergeEqualSteps makes equal steps one.
//
// Proof. A step is a function of the steps and columns that it refers to: it
// reads no clock, no random number and nothing but the state of the database
// that the whole sequence reads. Two steps that compute the same from the same
// therefore have the same rows in the same order, and every reader may take them
// from the first. A starting relation is given by its tables and joins; what the
// statement calls the tables is no part of it. That the rows are read by two
// steps changes neither of them, and the columns that a join makes of the same
// relation twice have different names.
func (w *work) mergeEqualSteps() bool {
	type place struct {
		start plan.StepID
		table int
		name  string
	}
	base := map[place]plan.Col{}
	for c, col := range w.p.Columns {
		at := place{col.Start, col.Table, col.Name}
		if _, seen := base[at]; col.IsBase && !seen {
			base[at] = plan.Col(c)
		}
	}
	known := map[string]plan.StepID{}
	for i, s := range w.p.Steps {
		id := plan.StepID(i)
		key := plan.Key(unnamed(s))
		first, ok := known[key]
		if !ok {
			known[key] = id
			continue
		}
		cols := map[plan.Col]plan.Col{}
		for i, c := range plan.Made(s) {
			cols[c] = plan.Made(w.p.Steps[first])[i]
		}
		for c := range w.p.Columns {
			col := &w.p.Columns[c]
			if !col.IsBase || col.Start != id {
				continue
			}
			if other, ok := base[place{first, col.Table, col.Name}]; ok {
				cols[plan.Col(c)] = other
			} else {
				col.Start = first
			}
		}
		w.p.Replace(map[plan.StepID]plan.StepID{id: first}, cols)
		return true
	}
	return false
}

// unnamed is a start without the names that a statement gives to its tables.
func unnamed(s plan.Step) plan.Step {
	start, ok := s.(*plan.Start)
	if !ok {
		return s
	}
	out := &plan.Start{Tables: slices.Clone(start.Tables), Joins: start.Joins}
	for i := range out.Tables {
		out.Tables[i].Alias = ""
	}
	return out
}

// mergeReorderedTables makes two starting relations one that join the same tables by the
// same equalities in another order.
//
// Proof. The rows of inner joins are the combinations of rows that are equal in
// the keys, whatever the order of the tables; the keys compare by bytes, so that
// it does not matter which side is left. The two have the same rows in another
// order, so that this is for rows whose order nothing reads: see
// isUnordered.
func (w *work) mergeReorderedTables() bool {
	for i, s := range w.p.Steps {
		a, ok := s.(*plan.Start)
		if !ok || !w.isUnordered(plan.StepID(i)) {
			continue
		}
		for j, s := range w.p.Steps {
			b, ok := s.(*plan.Start)
			if !ok || i == j || !w.sameTables(a, b) || plan.Key(unnamed(a)) == plan.Key(unnamed(b)) {
				continue
			}
			w.reorder(plan.StepID(i), b)
			return true
		}
	}
	return false
}

// sameTables reports whether two starts are inner joins of the same tables, each
// there once, by the same equalities.
func (w *work) sameTables(a, b *plan.Start) bool {
	if len(a.Tables) < 2 || len(a.Tables) != len(b.Tables) || len(a.Joins) != len(b.Joins) || !isInner(a) || !isInner(b) {
		return false
	}
	return slices.Equal(tableNames(a), tableNames(b)) && len(slices.Compact(tableNames(a))) == len(a.Tables) &&
		w.comparesBytes(a) && slices.Equal(equalities(a), equalities(b))
}

// tableNames lists the tables of a start in the order of the alphabet.
func tableNames(s *plan.Start) []string {
	var out []string
	for _, t := range s.Tables {
		out = append(out, t.Name)
	}
	slices.Sort(out)
	return out
}

// equalities lists the joins of a start, whatever their order and their sides.
func equalities(s *plan.Start) [][4]string {
	var out [][4]string
	for _, j := range s.Joins {
		left, right := [2]string{s.Tables[j.Left].Name, j.LeftColumn}, [2]string{s.Tables[j.Right].Name, j.RightColumn}
		if slices.Compare(left[:], right[:]) > 0 {
			left, right = right, left
		}
		out = append(out, [4]string{left[0], left[1], right[0], right[1]})
	}
	slices.SortFunc(out, func(a, b [4]string) int { return slices.Compare(a[:], b[:]) })
	return out
}

// comparesBytes reports whether the columns that a start joins by compare by
// bytes.
func (w *work) comparesBytes(s *plan.Start) bool {
	for _, j := range s.Joins {
		for _, side := range []struct {
			table  int
			column string
		}{{j.Left, j.LeftColumn}, {j.Right, j.RightColumn}} {
			t := w.schema.Table(s.Tables[side.table].Name)
			if t == nil || t.View || t.Column(side.column) == nil || !isBinary(t.Column(side.column)) {
				return false
			}
		}
	}
	return true
}

// reorder has a start join its tables as another one does. They are equal then.
func (w *work) reorder(id plan.StepID, like *plan.Start) {
	old := w.p.Steps[id].(*plan.Start)
	for c := range w.p.Columns {
		if col := &w.p.Columns[c]; col.IsBase && col.Start == id {
			name := old.Tables[col.Table].Name
			col.Table = slices.IndexFunc(like.Tables, func(t plan.StartTable) bool { return t.Name == name })
		}
	}
	w.p.Steps[id] = &plan.Start{Tables: slices.Clone(like.Tables), Joins: slices.Clone(like.Joins)}
}

package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/planner/vocabulary"
)

// computeOnce computes an expression once that two relations of the same rows compute
// each for itself, on the relation that both come from.
//
// Proof. What is derived of a row depends on the row alone, and the steps between
// the common relation and the two, filters, sorts, other derivations and joins
// that take their rows on, change no value of the columns that it reads. To have
// it derived before them adds a column that they carry along; the rows and their
// order stay. It is computed for more rows then, so that only operations that
// fail for no value are moved.
func (w *work) computeOnce() bool {
	known := map[string][]plan.StepID{}
	for i, s := range w.p.Steps {
		b, ok := s.(*plan.Derive)
		if !ok || !vocabulary.Of(b.Op).Total {
			continue
		}
		key := plan.Key(alone(b))
		for _, a := range known[key] {
			if w.hoistBoth(a, plan.StepID(i)) {
				return true
			}
		}
		known[key] = append(known[key], plan.StepID(i))
	}
	return false
}

// alone is a derivation without the relation that it is made on.
func alone(d *plan.Derive) *plan.Derive {
	own := *d
	own.In, own.Out = 0, 0
	return &own
}

// hoistBoth moves two equal derivations to the last relation that both come from,
// if it has what they read.
func (w *work) hoistBoth(first, second plan.StepID) bool {
	a, b := w.p.Steps[first].(*plan.Derive), w.p.Steps[second].(*plan.Derive)
	before := w.path(a.In)
	at := slices.IndexFunc(before, func(id plan.StepID) bool { return slices.Contains(w.path(b.In), id) })
	if at < 0 {
		return false
	}
	common := before[at]
	for _, c := range plan.Reads(a) {
		if !w.has(common, c) {
			return false
		}
	}
	for _, in := range plan.Inputs(a)[1:] {
		if in > common {
			return false // a result that comes later
		}
	}
	if w.united[common] {
		return false // the sides of an Either must have the same columns
	}
	// What takes on the rows of the common relation takes those with the column.
	d := *a
	d.In = common
	w.p.Insert(common+1, &d)
	for i, s := range w.p.Steps {
		if plan.StepID(i) == common+1 {
			continue
		}
		w.readFrom(s, common, common+1)
	}
	for _, old := range []*plan.Derive{a, b} {
		id := plan.StepID(slices.Index(w.p.Steps, plan.Step(old)))
		w.p.Replace(map[plan.StepID]plan.StepID{id: old.In}, map[plan.Col]plan.Col{old.Out: d.Out})
	}
	return true
}

// readFrom has a step of plain rows read another relation.
func (w *work) readFrom(s plan.Step, from, to plan.StepID) {
	switch s := s.(type) {
	case *plan.Join:
		if s.A == from {
			s.A = to
		}
	default:
		if in := rowsOf(s); in != nil && *in == from {
			*in = to
		}
	}
}

// path lists the relations whose rows and columns a step has, itself first.
func (w *work) path(id plan.StepID) []plan.StepID {
	out := []plan.StepID{id}
	for {
		switch s := w.p.Steps[id].(type) {
		case *plan.Filter:
			id = s.In
		case *plan.Derive:
			id = s.In
		case *plan.Sort:
			id = s.In
		case *plan.Join:
			if s.Kind == plan.Right || s.Kind == plan.Full {
				return out
			}
			id = s.A
		default:
			return out
		}
		out = append(out, id)
	}
}

// has reports whether a relation of plain rows has a column.
func (w *work) has(id plan.StepID, c plan.Col) bool {
	col := w.p.Columns[c]
	for _, at := range w.path(id) {
		switch s := w.p.Steps[at].(type) {
		case *plan.Start:
			if col.IsBase && col.Start == at {
				return true
			}
		case *plan.Project:
			if slices.Contains(s.Cols, c) {
				return true
			}
		default:
			if slices.Contains(plan.Made(s), c) {
				return true
			}
		}
	}
	return false
}

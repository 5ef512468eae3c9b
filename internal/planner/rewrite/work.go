package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// work is a plan being rewritten, and what is known of it. analyze finds that out
// anew after every change.
type work struct {
	p      *plan.Plan
	schema *sqlite.Schema

	maker  map[plan.Col]plan.StepID // the step that makes a column
	next   [][]plan.StepID          // for each step, those that take its rows on
	users  [][]plan.StepID          // for each step, those that read a value of its result
	noted  map[plan.Col]bool        // columns that the answer's order and choices name
	below  []colSet                 // for each step, the columns that it and those after it read
	united []bool                   // for each step, whether its rows come to an Either
}

// colSet is a set of columns.
type colSet []uint64

func (s colSet) add(c plan.Col)      { s[c/64] |= 1 << (c % 64) }
func (s colSet) has(c plan.Col) bool { return s[c/64]&(1<<(c%64)) != 0 }

func (w *work) analyze() {
	n := len(w.p.Steps)
	w.maker, w.noted = map[plan.Col]plan.StepID{}, map[plan.Col]bool{}
	w.next, w.users = make([][]plan.StepID, n), make([][]plan.StepID, n)
	for i, s := range w.p.Steps {
		id := plan.StepID(i)
		for _, c := range plan.Made(s) {
			w.maker[c] = id
		}
		sources := plan.Sources(s)
		for _, in := range sources {
			w.next[in] = append(w.next[in], id)
		}
		for _, in := range plan.Inputs(s)[len(sources):] {
			w.users[in] = append(w.users[in], id)
		}
	}
	note := func(keys []plan.SortKey) {
		for _, k := range keys {
			w.noted[k.Col] = true
		}
	}
	if w.p.Order != nil {
		note(w.p.Order.Keys)
	}
	for _, c := range slices.Concat(w.p.Choices, w.p.Equals) {
		w.noted[c.Column] = true
		note(c.Keys)
	}
	w.analyzeReads()
}

// analyzeReads finds out what is read of the rows of each step. A step comes before
// those that take its rows on.
func (w *work) analyzeReads() {
	n := len(w.p.Steps)
	w.below, w.united = make([]colSet, n), make([]bool, n)
	words := len(w.p.Columns)/64 + 1
	for id := n - 1; id >= 0; id-- {
		read := make(colSet, words)
		for _, c := range plan.Reads(w.p.Steps[id]) {
			read.add(c)
		}
		if plan.StepID(id) == w.p.Result {
			for _, c := range w.p.Output {
				read.add(c)
			}
		}
		_, w.united[id] = w.p.Steps[id].(*plan.Either)
		for _, next := range w.next[id] {
			w.united[id] = w.united[id] || w.united[next]
			for i, word := range w.below[next] {
				read[i] |= word
			}
		}
		w.below[id] = read
	}
}

// isRead reports whether the step, or one that works on its rows, reads a
// column. Both sides of an Either must have the same columns, so that all of
// them count as read there.
func (w *work) isRead(id plan.StepID, c plan.Col) bool { return w.united[id] || w.below[id].has(c) }

// prune drops the steps that nothing reads.
func (w *work) prune() {
	w.p.Prune()
	w.analyze()
}

// dropUnread has steps take rows without the columns that nothing reads. A step whose
// rows come with a derived column that neither it nor what follows looks at takes
// the rows before that: deriving adds a column and leaves the rows and their order
// alone.
func (w *work) dropUnread() {
	for changed := true; changed; {
		changed = false
		for id := len(w.p.Steps) - 1; id >= 0; id-- {
			in := rowsOf(w.p.Steps[id])
			for in != nil {
				d, ok := w.p.Steps[*in].(*plan.Derive)
				if !ok || w.noted[d.Out] || w.isRead(plan.StepID(id), d.Out) {
					break
				}
				*in = d.In
				changed = true
			}
		}
		if changed {
			w.prune()
		}
	}
}

// rowsOf is where a step says whose rows it takes on, for steps of one source;
// nil for others.
func rowsOf(s plan.Step) *plan.StepID {
	switch s := s.(type) {
	case *plan.Filter:
		return &s.In
	case *plan.Derive:
		return &s.In
	case *plan.Group:
		return &s.In
	case *plan.Aggregate:
		return &s.In
	case *plan.Pick:
		return &s.In
	case *plan.Sort:
		return &s.In
	case *plan.Project:
		return &s.In
	case *plan.Window:
		return &s.In
	}
	return nil
}

// derived returns the step that derives a column, if one does.
func (w *work) derived(c plan.Col) (*plan.Derive, plan.StepID) {
	id, ok := w.maker[c]
	if !ok {
		return nil, plan.NoStep
	}
	d, _ := w.p.Steps[id].(*plan.Derive)
	return d, id
}

// carried reports whether the rows of a step are those of an earlier one, or
// some of them, with all the columns that it has.
func (w *work) carried(from, to plan.StepID) bool {
	for to != from {
		switch s := w.p.Steps[to].(type) {
		case *plan.Filter:
			to = s.In
		case *plan.Derive:
			to = s.In
		case *plan.Sort:
			to = s.In
		case *plan.Window:
			to = s.In
		case *plan.Aggregate:
			if !s.Grouped {
				return false
			}
			to = s.In
		default:
			return false
		}
	}
	return true
}

// argument returns the one operand of an argument of a derivation.
func argument(d *plan.Derive, name string) (plan.Operand, bool) {
	for _, a := range d.Args {
		if a.Name == name && len(a.Values) == 1 && !a.List {
			return a.Values[0], true
		}
	}
	return plan.Operand{}, false
}

// isSwapped reports whether a derivation puts its argument before the column.
func isSwapped(d *plan.Derive) bool {
	_, ok := argument(d, toolname.ArgSwap)
	return ok
}

func constant(v value.Value) plan.Operand {
	return plan.Operand{Kind: plan.Constant, Value: v}
}

// isConstant reports whether an operand is a constant of just this value.
func isConstant(o plan.Operand, v value.Value) bool {
	return o.Kind == plan.Constant && o.Value == v
}

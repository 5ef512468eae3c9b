package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
)

// readSingleValue reads the one value of an aggregate as a value where it is joined to
// every row to be compared with.
//
// Proof. An aggregate of all rows is one row, so that to cross rows with it adds
// its value to each of them as a column, and leaves the rows and their order
// alone. What an aggregate gives has no affinity and no collation, as a column
// and as a value. Who reads nothing of it but as an operand reads the same.
func (w *work) readSingleValue() bool {
	for i, s := range w.p.Steps {
		j, ok := s.(*plan.Join)
		if !ok || j.Kind != plan.Cross || len(j.BCols) != 1 {
			continue
		}
		a, ok := w.p.Steps[j.B].(*plan.Aggregate)
		if !ok || a.Grouped || a.Out != j.BCols[0] || w.united[i] {
			continue
		}
		if col := j.Renamed[0]; w.onlyOperand(col) {
			value := plan.Operand{Kind: plan.Result, Step: j.B, Col: a.Out, OneRow: true}
			for _, s := range w.p.Steps {
				plan.ReplaceOperand(s, col, value)
			}
			w.p.Replace(map[plan.StepID]plan.StepID{plan.StepID(i): j.A}, nil)
			return true
		}
	}
	return false
}

// onlyOperand reports whether a column is read as an operand of filters only.
func (w *work) onlyOperand(c plan.Col) bool {
	if w.noted[c] || slices.Contains(w.p.Output, c) {
		return false
	}
	for _, s := range w.p.Steps {
		f, ok := s.(*plan.Filter)
		if slices.Contains(plan.Reads(s), c) && (!ok || f.Col == c) {
			return false
		}
	}
	return true
}

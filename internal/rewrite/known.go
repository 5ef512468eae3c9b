package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/plan"
	"github.com/birdcall/birdcall/pkg/tools"
)

// known takes the answer of a condition that a filter before has asked already.
//
// Proof. A filter keeps the rows where its condition is TRUE. The same condition on
// the same column and constants is TRUE in each of them, and a conditional then
// gives its first value, which is a column here: the column may be read instead.
func (w *work) known() bool {
	for i, s := range w.p.Steps {
		d, ok := s.(*plan.Derive)
		if !ok || d.Op != tools.OpConditional || w.noted[d.Out] || slices.Contains(w.p.Output, d.Out) || w.united[i] {
			continue
		}
		then, ok := argument(d, tools.ArgThen)
		if !ok || then.Kind != plan.ColumnOf || !w.isAsked(d) {
			continue
		}
		w.p.Replace(map[plan.StepID]plan.StepID{plan.StepID(i): d.In}, map[plan.Col]plan.Col{d.Out: then.Col})
		return true
	}
	return false
}

// isAsked reports whether the rows of a conditional come through a filter of the
// same condition.
func (w *work) isAsked(d *plan.Derive) bool {
	condition, ok := argument(d, tools.ArgCondition)
	if !ok {
		return false
	}
	_, escaped := argument(d, tools.ArgEscape)
	_, collated := argument(d, tools.ArgCollation)
	if escaped || collated {
		return false
	}
	for at := d.In; ; {
		switch s := w.p.Steps[at].(type) {
		case *plan.Filter:
			if s.Col == d.From && string(s.Condition) == condition.Value.Raw() && s.Escape == "" && s.Collation == "" && w.sameConstants(s, d) {
				return true
			}
			at = s.In
		case *plan.Derive:
			at = s.In
		case *plan.Sort:
			at = s.In
		default:
			return false
		}
	}
}

// sameConstants reports whether a filter and a conditional compare with the same
// constants.
func (w *work) sameConstants(f *plan.Filter, d *plan.Derive) bool {
	var values []plan.Operand
	for _, a := range d.Args {
		if a.Name == tools.ArgValue {
			values = a.Values
		}
	}
	return slices.EqualFunc(f.Args, values, func(a, b plan.Operand) bool {
		return a.Kind == plan.Constant && b.Kind == plan.Constant && a.Value == b.Value
	})
}

package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
)

// reuseFilteredCondition takes the answer of a condition that an earlier filter has tested already.
//
// Proof. A filter keeps the rows where its condition is TRUE. The same condition on
// the same column and constants is TRUE in each of them, and a conditional then
// gives its first value, which is a column here: the column may be read instead.
func (w *work) reuseFilteredCondition() bool {
	for i, s := range w.p.Steps {
		d, ok := s.(*plan.Derive)
		if !ok || d.Op != tools.OpConditional || w.noted[d.Out] || slices.Contains(w.p.Output, d.Out) || w.united[i] {
			continue
		}
		then, ok := argument(d, toolname.ArgThen)
		if !ok || then.Kind != plan.ColumnOf || !w.isTested(d) {
			continue
		}
		w.p.Replace(map[plan.StepID]plan.StepID{plan.StepID(i): d.In}, map[plan.Col]plan.Col{d.Out: then.Col})
		return true
	}
	return false
}

// isTested reports whether the rows of a conditional come through a filter of the
// same condition.
func (w *work) isTested(d *plan.Derive) bool {
	f := &plan.Filter{In: d.In, Col: d.From}
	for _, a := range d.Args {
		switch a.Name {
		case toolname.ArgCondition:
			f.Condition = tools.Condition(a.Values[0].Value.Raw())
		case toolname.ArgValue:
			f.Args = a.Values
		case toolname.ArgEscape, toolname.ArgCollation:
			return false
		}
	}
	constants := !slices.ContainsFunc(f.Args, func(o plan.Operand) bool { return o.Kind != plan.Constant })
	return constants && f.Condition != "" && w.appliedBefore(f)
}

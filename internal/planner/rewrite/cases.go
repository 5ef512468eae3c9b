package rewrite

import (
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/planner/vocabulary"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// filterCases turns the aggregate of a CASE over all rows of a relation into filters
// and an aggregate of the rows that they keep. It is about one branch,
// CASE WHEN a AND b THEN x ELSE e END, and about conditions as values, which are
// 1, 0 or NULL; AND becomes a chain of filters.
//
// Proof. A filter keeps the rows for which its condition is TRUE, just those to
// which CASE gives x; the chain keeps those for which all are. So:
//
//   - With no ELSE, or ELSE NULL, the other rows are NULL, and no aggregate looks
//     at NULL. count, sum, mean, total, min and max of x over the rows that are
//     kept are the same, without rows, too. Where values are distinguished or
//     ordered (DISTINCT, min, max) x must compare as the CASE does, by bytes.
//   - count of a CASE that is NULL for no row counts all rows.
//   - sum of THEN 1 ELSE 0, or of a condition as a value, is the number of rows
//     that are kept, if there is a row at all for which it is not NULL. If not,
//     the sum is NULL and the count 0. That is allowed where the two cannot be
//     distinguished in the answer: see unseen.
//   - sum of THEN x ELSE 0 is the total of x over the rows that are kept, as a
//     REAL, where nothing shows that it is one, nor that it is 0.0 where x is NULL
//     in all rows: see isShare.
//   - sum of THEN 1 without ELSE is NULL and the count 0 if no row is kept, too.
//     As a divisor both give NULL.
//
// Groups are left as they are: one without a row that is kept would be lost.
func (w *work) filterCases() bool {
	for i, s := range w.p.Steps {
		a, ok := s.(*plan.Aggregate)
		if !ok || a.Grouped || a.From == plan.None || a.Limit != 0 {
			continue
		}
		c, ok := w.branchOf(a.From, a.In)
		if !ok {
			continue
		}
		one, filtered := *a, true
		switch {
		case a.Func == tools.Count && !a.Distinct && c.otherwise.Kind == plan.Constant && !c.otherwise.Value.IsNull() && !c.isTruth:
			if c.then.Kind != plan.Constant || c.then.Value.IsNull() {
				continue
			}
			one.From, filtered = plan.None, false
		case isConstant(c.otherwise, value.NullValue()) && !c.isTruth:
			if ok, from := w.whereNull(a, c); !ok {
				continue
			} else if one.From = from; from == plan.None {
				one.Func = tools.Count
			}
		case a.Func == tools.Sum && !a.Distinct && isConstant(c.then, value.Int(1)) && (c.isTruth || isConstant(c.otherwise, value.Int(0))):
			if !w.unseen(plan.StepID(i), a, c.isTruth && !w.neverNull(c.tests, a.In)) {
				continue
			}
			one.From, one.Func = plan.None, tools.Count
		case a.Func == tools.Sum && !a.Distinct && c.then.Kind == plan.ColumnOf && isConstant(c.otherwise, value.Int(0)):
			if !w.isShare(plan.StepID(i), a, c.then.Col) {
				continue
			}
			one.From, one.Func = c.then.Col, tools.Total
		default:
			continue
		}
		w.p.Steps[i] = &one
		if filtered {
			w.filter(plan.StepID(i), &one, c.tests)
		}
		return true
	}
	return false
}

// whereNull says whether an aggregate of a CASE that is NULL elsewhere can be one
// of the rows that its conditions keep, and of which column; None counts rows.
func (w *work) whereNull(a *plan.Aggregate, c branch) (bool, plan.Col) {
	if c.then.Kind == plan.Constant {
		counts := a.Func == tools.Count && !a.Distinct && !c.then.Value.IsNull()
		return counts || a.Func == tools.Sum && !a.Distinct && c.then.Value == value.Int(1) && w.onlyDivides(w.maker[a.Out]), plan.None
	}
	if c.then.Kind != plan.ColumnOf {
		return false, plan.None
	}
	compares := a.Distinct || a.Func == tools.Min || a.Func == tools.Max
	return vocabulary.SkipsNull(a.Func) && (!compares || w.isBinary(c.then.Col)), c.then.Col
}

// filter puts a chain of filters before an aggregate.
func (w *work) filter(id plan.StepID, a *plan.Aggregate, tests []*plan.Filter) {
	steps := make([]plan.Step, len(tests))
	in := a.In
	for i, f := range tests {
		f.In = in
		steps[i] = f
		in = id + plan.StepID(i)
	}
	w.p.Insert(id, steps...)
	a.In = in
}

// branch is a CASE of one branch: then where all tests are TRUE.
type branch struct {
	tests           []*plan.Filter
	then, otherwise plan.Operand
	isTruth         bool // a condition as a value: 1, 0 or NULL
}

// branchOf reads a column as a CASE, if all that it reads is there in the rows of
// a step.
func (w *work) branchOf(c plan.Col, in plan.StepID) (branch, bool) {
	d, id := w.derived(c)
	if d == nil || d.From == plan.None || !w.carried(id, in) {
		return branch{}, false
	}
	switch {
	case d.Op == tools.OpConditional:
		return w.conditional(d, in)
	case d.Op == tools.OpOr:
		// x OR NULL is 1 where x is TRUE, and NULL elsewhere.
		if by, ok := argument(d, toolname.ArgValue); !ok || !isConstant(by, value.NullValue()) {
			return branch{}, false
		}
		b, ok := w.branchOf(d.From, in)
		b.isTruth, b.otherwise = false, constant(value.NullValue())
		return b, ok && isConstant(b.then, value.Int(1))
	case d.Op == tools.OpAnd:
		by, ok := argument(d, toolname.ArgValue)
		if !ok || by.Kind != plan.ColumnOf {
			return branch{}, false
		}
		x, xok := w.branchOf(d.From, in)
		y, yok := w.branchOf(by.Col, in)
		x.tests = append(x.tests, y.tests...)
		return x, xok && yok && x.isTruth && y.isTruth
	case vocabulary.IsCondition(d.Op):
		out := branch{then: constant(value.Int(1)), otherwise: constant(value.Int(0)), isTruth: true}
		out.tests = []*plan.Filter{test(d, tools.Condition(d.Op))}
		return out, true
	}
	return branch{}, false
}

// conditional reads the operation of that name. AND is nested in what it gives
// where its condition is TRUE.
func (w *work) conditional(d *plan.Derive, in plan.StepID) (branch, bool) {
	condition, _ := argument(d, toolname.ArgCondition)
	then, ok := argument(d, toolname.ArgThen)
	otherwise, given := argument(d, toolname.ArgElse)
	if !given {
		otherwise = constant(value.NullValue())
	}
	out := branch{then: then, otherwise: otherwise, tests: []*plan.Filter{test(d, tools.Condition(condition.Value.Raw()))}}
	if then.Kind != plan.ColumnOf {
		return out, ok
	}
	if inner, ok := w.branchOf(then.Col, in); ok && !inner.isTruth && inner.otherwise == otherwise {
		inner.tests = append(out.tests, inner.tests...)
		return inner, true
	}
	return out, ok
}

// test is the condition of a derivation as a filter.
func test(d *plan.Derive, condition tools.Condition) *plan.Filter {
	f := &plan.Filter{Col: d.From, Condition: condition}
	for _, a := range d.Args {
		switch a.Name {
		case toolname.ArgValue:
			f.Args = a.Values
		case toolname.ArgEscape:
			f.Escape = a.Values[0].Value.Raw()
		case toolname.ArgCollation:
			f.Collation = a.Values[0].Value.Raw()
		}
	}
	return f
}

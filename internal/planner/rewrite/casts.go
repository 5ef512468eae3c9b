package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// dropRedundantCasts drops conversions to REAL that change nothing for what reads them.
//
// Proof. The operation ratio converts what it divides to REAL itself, and to do
// that twice is to do it once. What it divides by may be an INTEGER or a REAL of
// the same value, as the dividend is a REAL. In a sum, a difference or a product
// with a REAL or NULL, SQLite converts the other operand to REAL as CAST does: see
// ratio for texts. So CAST(x AS REAL) * 60 is x * 60.0. It is left where the
// product is not only added up: there, who writes 60.0 as 60 gets an INTEGER of the
// same value, and no other result.
func (w *work) dropRedundantCasts() bool {
	for i, s := range w.p.Steps {
		d, ok := s.(*plan.Derive)
		if !ok {
			continue
		}
		id := plan.StepID(i)
		by, _ := argument(d, toolname.ArgValue)
		own := w.own(d)
		switch d.Op {
		case tools.OpRatio:
			if x, ok := w.uncast(own, id); ok {
				d.From = x.Col
				return true
			}
			if y, ok := w.uncast(by, id); ok {
				setValue(d, y)
				return true
			}
		case tools.OpAdd, tools.OpSubtract, tools.OpMultiply:
			if x, ok := w.uncast(own, id); ok && d.Op == tools.OpMultiply && isInteger(by) && isSmall(by) && w.onlySummed(d.Out) {
				d.From = x.Col
				setValue(d, constant(value.Float(by.Value.Float64())))
				return true
			}
			if x, ok := w.uncast(own, id); ok && w.isReal(by) {
				d.From = x.Col
				return true
			}
			if y, ok := w.uncast(by, id); ok && w.isReal(own) {
				setValue(d, y)
				return true
			}
		}
	}
	return false
}

// isSmall reports whether an INTEGER is the same number as a REAL.
func isSmall(o plan.Operand) bool {
	n := o.Value.Int64()
	return n > -1<<53 && n < 1<<53
}

// onlySummed reports whether a column is read by sums and differences alone.
func (w *work) onlySummed(c plan.Col) bool {
	if w.noted[c] || slices.Contains(w.p.Output, c) {
		return false
	}
	for _, s := range w.p.Steps {
		d, ok := s.(*plan.Derive)
		if slices.Contains(plan.Reads(s), c) && (!ok || d.Op != tools.OpAdd && d.Op != tools.OpSubtract) {
			return false
		}
	}
	return true
}

// setValue has a derivation take another value.
func setValue(d *plan.Derive, o plan.Operand) {
	args := make([]plan.Arg, len(d.Args))
	for i, a := range d.Args {
		if a.Name == toolname.ArgValue {
			a.Values = []plan.Operand{o}
		}
		args[i] = a
	}
	d.Args = args
}

// isReal reports whether an operand is a REAL or NULL in every database.
func (w *work) isReal(o plan.Operand) bool {
	if o.Kind == plan.Constant {
		return isFinite(o.Value) && !isInteger(o)
	}
	id, ok := w.maker[o.Col]
	if !ok {
		return false
	}
	switch s := w.p.Steps[id].(type) {
	case *plan.Derive:
		switch s.Op {
		case tools.OpRatio, tools.OpRound, tools.OpJulianDay:
			return true
		case tools.OpAdd, tools.OpSubtract, tools.OpMultiply, tools.OpDivide:
			by, _ := argument(s, toolname.ArgValue)
			return w.isReal(w.own(s)) || w.isReal(by)
		}
		return isRealCast(s)
	case *plan.Aggregate:
		return s.Func == tools.Mean || s.Func == tools.Total
	}
	return false
}

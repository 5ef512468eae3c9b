package rewrite

import (
	"math"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// makeRatio turns a division of REALs into one step.
//
// The operation computes CAST(x AS REAL) * s / y from left to right, or
// CAST(x AS REAL) / y without a scale s. The shapes that it stands for do the
// same computation with the same roundings:
//
//   - CAST(x AS REAL) / y, and CAST(x AS REAL) * s / y with s first or second,
//     as multiplication of two numbers commutes: as they are written.
//   - x * s / y where s is a REAL: to multiply by a REAL converts the other
//     operand as CAST does.
//   - x / CAST(y AS REAL), likewise.
//   - CAST around the divisor may go where the dividend is a REAL: the division
//     converts the divisor to the same REAL.
//
// A text counts in arithmetic as the number that it starts with, and CAST reads
// the same number from it; an INTEGER among these becomes the nearest REAL in
// both. Only '-0' and the like are 0.0 here and -0.0 there, which no statement
// distinguishes: they are equal, are printed alike, and to divide by them is NULL.
// So is everything with NULL in it, on both sides.
//
// x / y * s stays a division and a multiplication, which round in another order,
// but the division may become a ratio without a scale.
func (w *work) makeRatio() bool {
	for i, s := range w.p.Steps {
		d, ok := s.(*plan.Derive)
		if !ok || d.Op != tools.OpDivide {
			continue
		}
		by, ok := argument(d, toolname.ArgValue)
		if !ok {
			continue
		}
		over := w.own(d)
		if isSwapped(d) {
			over, by = by, over
		}
		x, scale, isReal := w.dividend(over, plan.StepID(i))
		y, cast := w.uncast(by, plan.StepID(i))
		switch {
		case isReal:
		case cast:
			x, scale = over, nil
		default:
			continue
		}
		if w.apply(d, x, y, scale) {
			return true
		}
	}
	return false
}

// own is the column that a derivation is about, as an operand.
func (w *work) own(d *plan.Derive) plan.Operand {
	return plan.Operand{Kind: plan.ColumnOf, Col: d.From}
}

// apply makes a derivation a ratio of x by y, if the column that it is about
// stays one of them.
func (w *work) apply(d *plan.Derive, x, y plan.Operand, scale *plan.Operand) bool {
	args := []plan.Arg{{Name: toolname.ArgValue, Values: []plan.Operand{y}}}
	if scale != nil {
		args = append(args, plan.Arg{Name: toolname.ArgScale, Values: []plan.Operand{*scale}})
	}
	from := x
	if isSwapped(d) {
		from, args[0].Values[0] = y, x
		args = append(args, plan.Arg{Name: toolname.ArgSwap, Values: []plan.Operand{constant(value.Int(1))}})
	}
	if from.Kind != plan.ColumnOf {
		return false
	}
	d.Op, d.From, d.Args = tools.OpRatio, from.Col, args
	return true
}

// dividend takes what is divided apart: into what is converted to REAL and what
// that is multiplied by, nil for nothing. ok says that it is a REAL or NULL.
func (w *work) dividend(o plan.Operand, at plan.StepID) (x plan.Operand, scale *plan.Operand, ok bool) {
	if x, ok := w.uncast(o, at); ok {
		return x, nil, true
	}
	d := w.through(o, at)
	if d == nil || d.Op != tools.OpMultiply {
		return o, nil, false
	}
	by, ok := argument(d, toolname.ArgValue)
	if !ok || by.Kind != plan.Constant || !isFinite(by.Value) {
		return o, nil, false
	}
	x = w.before(o, d)
	inner, cast := w.uncast(x, at)
	switch {
	case cast:
		x = inner
	case by.Value.Kind() != value.Real:
		return o, nil, false
	}
	if by.Value.Float64() == 1 {
		return x, nil, true // to multiply a REAL by 1 changes nothing
	}
	if f := by.Value.Float64(); f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		by.Value = value.Int(int64(f)) // the same number, however it is written down
	}
	return x, &by, true
}

// isFinite reports whether a constant is a number that can be written down.
func isFinite(v value.Value) bool {
	return v.Kind() == value.Integer || v.Kind() == value.Real && v.Float64()-v.Float64() == 0
}

// uncast returns what an operand is converted to REAL from, if it is. The step
// at reads the operand, and must be able to read the other.
func (w *work) uncast(o plan.Operand, at plan.StepID) (plan.Operand, bool) {
	d := w.through(o, at)
	if d == nil || !isRealCast(d) {
		return o, false
	}
	return w.before(o, d), true
}

func isRealCast(d *plan.Derive) bool {
	t, ok := argument(d, toolname.ArgType)
	return ok && d.Op == tools.OpCast && t.Value.Raw() == value.AffinityReal.String()
}

// through returns the derivation of an operand of the step at, if what that is
// derived from can be read there as well.
func (w *work) through(o plan.Operand, at plan.StepID) *plan.Derive {
	d, id := w.derived(o.Col)
	switch {
	case d == nil || d.From == plan.None:
		return nil
	case o.Kind == plan.ColumnOf:
		in := rowsOf(w.p.Steps[at])
		if in == nil || !w.carried(id, *in) {
			return nil
		}
	case o.Kind != plan.Result || o.Step != id:
		return nil
	}
	return d
}

// before is the operand that another one is derived from.
func (w *work) before(o plan.Operand, d *plan.Derive) plan.Operand {
	if o.Kind == plan.ColumnOf {
		return plan.Operand{Kind: plan.ColumnOf, Col: d.From}
	}
	return plan.Operand{Kind: plan.Result, Step: d.In, Col: d.From, OneRow: o.OneRow}
}

// numericTypes are those that a cast to gives a number.
var numericTypes = []string{value.AffinityReal.String(), value.AffinityInteger.String(), value.AffinityNumeric.String()}

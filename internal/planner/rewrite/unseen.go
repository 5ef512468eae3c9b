package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/planner/vocabulary"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// unseen reports whether the answer is the same for a sum that is NULL without
// rows and for a count that is 0 then.
//
// Proof. All that reads the value must be a division, maybe after a change that
// keeps NULL as NULL and 0 as 0. As a divisor, NULL and 0 both give NULL. As the
// dividend, both give NULL if the divisor is NULL or 0 as well when there are no
// rows: when it is an aggregate of the same rows or of some of them. In every
// other case the two values are the same to begin with.
//
// open says that the sum may be NULL also where there are rows, so that nothing
// is known of the divisor.
func (w *work) unseen(id plan.StepID, a *plan.Aggregate, open bool) bool {
	return w.divided(id, a, true, open)
}

// divided follows a value to the divisions that end it. zero says that it is NULL
// or 0 without rows; otherwise it may be anything then.
func (w *work) divided(id plan.StepID, a *plan.Aggregate, zero, open bool) bool {
	if id == w.p.Result {
		return false
	}
	readers := append(slices.Clone(w.next[id]), w.users[id]...)
	for _, r := range readers {
		d, ok := w.p.Steps[r].(*plan.Derive)
		if !ok {
			return false
		}
		by, ok := argument(d, toolname.ArgValue)
		if ok && by.Kind == plan.ColumnOf || w.countOperands(d, id) > 1 {
			return false
		}
		isOver := d.In == id
		switch d.Op {
		case tools.OpDivide, tools.OpRatio:
			if scale, ok := argument(d, toolname.ArgScale); ok && scale.Kind != plan.Constant {
				return false
			}
			if isOver != isSwapped(d) { // it is divided
				other := by
				if !isOver {
					other = plan.Operand{Kind: plan.Result, Step: d.In, Col: d.From}
				}
				if open || !w.isVoid(other, a) {
					return false
				}
			} else if !zero {
				return false
			}
		case tools.OpCast:
			if !isNumericCast(d) || !w.divided(r, a, zero, open) {
				return false
			}
		case tools.OpMultiply:
			if by.Kind != plan.Constant || !isFinite(by.Value) || !w.divided(r, a, zero, open) {
				return false
			}
		case tools.OpAdd, tools.OpSubtract:
			other := by
			if !isOver {
				other = plan.Operand{Kind: plan.Result, Step: d.In, Col: d.From}
			}
			if open || !w.divided(r, a, zero && w.isVoid(other, a), open) {
				return false
			}
		default:
			return false
		}
	}
	return len(readers) > 0
}

// isShare reports whether the answer is the same for the sum of CASE WHEN c THEN x
// ELSE 0 END and for the total of x over the rows for which c is TRUE.
//
// Proof. Zeros among the values change no sum, but make it 0 instead of NULL; a
// total is the sum as a REAL, and 0.0 for NULL. So the two are the same number
// unless x is NULL in all rows: the sum may be NULL then, and the total is 0.0. All
// that reads the value must be a ratio, which converts what it divides to REAL
// and divides a REAL by either number alike. As a divisor, NULL and 0.0 both give
// NULL. As the dividend, they do if the divisor is an aggregate of x, or of a CASE
// of x or 0, over the same rows or some of them: that is NULL or 0, too, where x is
// NULL in all rows.
func (w *work) isShare(id plan.StepID, a *plan.Aggregate, x plan.Col) bool {
	readers := append(slices.Clone(w.next[id]), w.users[id]...)
	for _, r := range readers {
		d, ok := w.p.Steps[r].(*plan.Derive)
		if !ok || d.Op != tools.OpRatio || w.countOperands(d, id) > 1 {
			return false
		}
		if scale, ok := argument(d, toolname.ArgScale); ok && scale.Kind != plan.Constant {
			return false
		}
		isOver := d.In == id
		if isOver == isSwapped(d) {
			continue // it divides
		}
		by, _ := argument(d, toolname.ArgValue)
		if !isOver {
			by = plan.Operand{Kind: plan.Result, Step: d.In, Col: d.From}
		}
		if !w.isVoid(by, a) || !w.isOf(by, x) {
			return false
		}
	}
	return id != w.p.Result && len(readers) > 0
}

// isOf reports whether a value is an aggregate of a column, or the sum of a CASE
// that gives the column or 0.
func (w *work) isOf(o plan.Operand, x plan.Col) bool {
	a, ok := w.p.Steps[o.Step].(*plan.Aggregate)
	if !ok || a.From == plan.None {
		return false
	}
	if a.From == x {
		return true
	}
	c, ok := w.branchOf(a.From, a.In)
	return ok && !c.isTruth && a.Func == tools.Sum && c.then.Kind == plan.ColumnOf && c.then.Col == x && isConstant(c.otherwise, value.Int(0))
}

// onlyDivides reports whether a value is read as a divisor only.
func (w *work) onlyDivides(id plan.StepID) bool {
	for _, r := range w.next[id] {
		if d, ok := w.p.Steps[r].(*plan.Derive); !ok || d.Op != tools.OpDivide && d.Op != tools.OpRatio || !isSwapped(d) {
			return false
		}
	}
	for _, r := range w.users[id] {
		d, ok := w.p.Steps[r].(*plan.Derive)
		if !ok || d.Op != tools.OpDivide && d.Op != tools.OpRatio || isSwapped(d) || w.countOperands(d, id) > 1 {
			return false
		}
		if by, _ := argument(d, toolname.ArgValue); by.Kind != plan.Result || by.Step != id {
			return false
		}
	}
	return id != w.p.Result && len(w.next[id])+len(w.users[id]) > 0
}

// countOperands is how often a step reads the result of another.
func (w *work) countOperands(s plan.Step, id plan.StepID) int {
	n := 0
	for _, in := range plan.Inputs(s) {
		if in == id {
			n++
		}
	}
	return n
}

func isNumericCast(d *plan.Derive) bool {
	t, _ := argument(d, toolname.ArgType)
	return d.Op == tools.OpCast && slices.Contains(numericTypes, t.Value.Raw())
}

// isVoid reports whether an operand is NULL or 0 if the aggregate a has no rows:
// whether it is an aggregate of the same rows, or of some of them.
func (w *work) isVoid(o plan.Operand, a *plan.Aggregate) bool {
	if o.Kind != plan.Result {
		return false
	}
	switch s := w.p.Steps[o.Step].(type) {
	case *plan.Aggregate:
		return vocabulary.SkipsNull(s.Func) && !s.Grouped && w.isPartOf(s.In, a.In)
	case *plan.Derive:
		before := plan.Operand{Kind: plan.Result, Step: s.In, Col: s.From}
		by, _ := argument(s, toolname.ArgValue)
		switch {
		case isNumericCast(s):
			return w.isVoid(before, a)
		case s.Op == tools.OpMultiply && by.Kind == plan.Constant && isFinite(by.Value):
			return w.isVoid(before, a)
		case s.Op == tools.OpAdd || s.Op == tools.OpSubtract:
			return w.isVoid(before, a) && w.isVoid(by, a)
		}
	}
	return false
}

// isPartOf reports whether a relation has no rows if another has none: whether
// it comes from that by filters.
func (w *work) isPartOf(part, of plan.StepID) bool {
	of = w.rows(of)
	for {
		part = w.rows(part)
		f, ok := w.p.Steps[part].(*plan.Filter)
		switch {
		case part == of:
			return true
		case !ok:
			return false
		}
		part = f.In
	}
}

// rows returns the first step that has the rows of a step, in whatever order and
// with fewer columns.
func (w *work) rows(id plan.StepID) plan.StepID {
	for {
		switch s := w.p.Steps[id].(type) {
		case *plan.Derive:
			id = s.In
		case *plan.Sort:
			id = s.In
		default:
			return id
		}
	}
}

// neverNull reports whether conditions are never NULL: whether they compare
// columns that cannot be with constants that are not. in has the columns.
func (w *work) neverNull(tests []*plan.Filter, in plan.StepID) bool {
	for _, f := range tests {
		switch f.Condition {
		case tools.IsNull, tools.IsNotNull, tools.Is, tools.IsNot:
			continue
		}
		if !w.isNeverNull(f.Col, in) {
			return false
		}
		if slices.ContainsFunc(f.Args, func(o plan.Operand) bool { return o.Kind != plan.Constant || o.Value.IsNull() }) {
			return false
		}
	}
	return true
}

// isNeverNull reports whether a column is NULL in no row of a relation.
func (w *work) isNeverNull(c plan.Col, in plan.StepID) bool {
	column, start := w.base(c)
	if column == nil || !w.carried(w.p.Columns[c].Start, in) {
		return false
	}
	t := w.schema.Table(start.Tables[w.p.Columns[c].Table].Name)
	if !column.NotNull && column.Name != t.IntegerPrimaryKey {
		return false
	}
	return !slices.ContainsFunc(start.Joins, func(j plan.StartJoin) bool { return j.Kind != plan.Inner && j.Kind != plan.Cross })
}

// base returns the column of a table that a column of the plan is, or nil.
func (w *work) base(c plan.Col) (*sqlite.Column, *plan.Start) {
	col := w.p.Columns[c]
	if !col.IsBase || col.Start == plan.NoStep {
		return nil, nil
	}
	start := w.p.Steps[col.Start].(*plan.Start)
	t := w.schema.Table(start.Tables[col.Table].Name)
	if t == nil || t.View {
		return nil, nil
	}
	return t.Column(col.Name), start
}

// isBinary reports whether a column is compared by bytes.
func (w *work) isBinary(c plan.Col) bool {
	column, _ := w.base(c)
	return column != nil && isBinary(column)
}

func isBinary(c *sqlite.Column) bool {
	return c.Collation == "" || c.Collation == sqltree.BinaryCollation
}

func isInteger(o plan.Operand) bool { return o.Value.Kind() == value.Integer }

package plan

import (
	"github.com/birdcall/birdcall/internal/planner/vocabulary"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// window plans a window function as a column of the relation.
func (e *env) window(call *sqltree.Call) (Operand, error) {
	if e.rel == nil {
		return Operand{}, unsupported("window function", "a window function without FROM")
	}
	fn, names := vocabulary.Window(call.Name)
	if fn == "" {
		if err := unplannedFunction(call.Name, len(call.Args)); construct(err) != "function" {
			return Operand{}, err
		}
		return Operand{}, unsupported("window function", "%s is no window function", call.Name)
	}
	switch {
	case call.Distinct:
		return Operand{}, unsupported("window function", "DISTINCT in a window function")
	case call.Filter != nil && vocabulary.Aggregation(call.Name) == "":
		return Operand{}, unsupported("window function", "FILTER in %s(), which is no aggregate function", call.Name)
	}
	w := call.Over
	s := &Window{Func: fn, From: None}
	for i, a := range call.Args {
		op, err := e.scalar(a)
		if err != nil {
			return Operand{}, err
		}
		switch {
		case i == 0 && fn == tools.NTile:
			if err := s.offset(op); err != nil {
				return Operand{}, err
			}
		case i == 0:
			if fn == tools.WindowCount && op.Kind == Constant && !op.Value.IsNull() {
				continue // count(1) counts rows
			}
			if fn == tools.WindowMin || fn == tools.WindowMax {
				op = e.collated(op, a)
			}
			s.From = e.columnOf(op)
		case i <= len(names) && names[i-1] == toolname.ArgOffset:
			if err := s.offset(op); err != nil {
				return Operand{}, err
			}
		case i <= len(names):
			s.Args = append(s.Args, Arg{Name: names[i-1], Values: []Operand{op}})
		}
	}
	if call.Filter != nil {
		if err := e.filtered(s, call.Filter); err != nil {
			return Operand{}, err
		}
		if fn == tools.WindowMin || fn == tools.WindowMax {
			s.From = e.collated(Operand{Kind: ColumnOf, Col: s.From}, call.Args[0]).Col
		}
	}
	s.Partition = distinctCols(e.given)
	for _, p := range w.Partition {
		op, err := e.scalar(p)
		if err != nil {
			return Operand{}, err
		}
		s.Partition = append(s.Partition, e.columnOf(e.collated(op, p)))
	}
	if err := e.windowOrder(s, w.OrderBy); err != nil {
		return Operand{}, err
	}
	var err error
	if s.Frame, err = e.frame(w.Frame); err != nil {
		return Operand{}, err
	}
	return Operand{Kind: ColumnOf, Col: e.rel.window(e.b, s)}, nil
}

// filtered makes the column that an aggregate reads NULL, which counts for
// nothing, where FILTER is not true. count(*) counts ones.
func (e *env) filtered(s *Window, filter sqltree.Expr) error {
	then := constant(value.Int(1))
	if s.From != None {
		then = Operand{Kind: ColumnOf, Col: s.From}
	}
	op, err := e.caseOf(filter, then, constant(value.NullValue()))
	if err != nil {
		return err
	}
	s.From = e.columnOf(op)
	return nil
}

// windowOrder plans ORDER BY in a window. One place of NULL counts for all its
// terms. If they want several, a term whose NULLs are not where they are by
// default is split in two: whether it is NULL, then its value.
func (e *env) windowOrder(s *Window, terms []*sqltree.Order) error {
	first, last, others := 0, 0, 0
	for _, o := range terms {
		if o.NullsFirst {
			first++
		} else {
			last++
		}
		if o.NullsFirst == o.Desc {
			others++
		}
	}
	split := first > 0 && last > 0
	switch {
	case others == 0 || split:
	case first > 0:
		s.Nulls = tools.NullsFirst
	default:
		s.Nulls = tools.NullsLast
	}
	for _, o := range terms {
		op, err := e.scalar(o.Expr)
		if err != nil {
			return err
		}
		col := e.columnOf(e.collated(op, o.Expr))
		if split && o.NullsFirst == o.Desc {
			null := e.rel.add(e.b, tools.Operation(tools.IsNull), col, e.hint(Operand{Kind: ColumnOf, Col: col}, tools.Operation(tools.IsNull)), nil)
			s.Order, s.Desc = append(s.Order, null), append(s.Desc, o.NullsFirst)
		}
		s.Order, s.Desc = append(s.Order, col), append(s.Desc, o.Desc)
	}
	return nil
}

// window computes a window function on the chain, or finds it there.
func (r *relation) window(b *builder, s *Window) Col {
	s.In = r.step
	key := keyOf(s)
	if c, ok := r.derived[key]; ok {
		return c
	}
	r.step = b.making(s, func() { s.Out = b.column(string(s.Func)) })
	c := b.steps[r.step].(*Window).Out
	r.derived[key] = c
	return c
}

// offset gives the function its number of rows, which must be a constant that
// SQLite takes whatever the rows are.
func (s *Window) offset(op Operand) error {
	n, ok := 0, false
	if op.Kind == Constant {
		n, ok = whole(op.Value)
	}
	if !ok || n < 0 || n == 0 && (s.Func == tools.NTile || s.Func == tools.NthValue) {
		return unsupported("window function", "the number of rows of %s must be a constant, positive whole number", s.Func)
	}
	s.Args = append(s.Args, Arg{Name: toolname.ArgOffset, Values: []Operand{constant(value.Int(int64(n)))}})
	return nil
}

// exclusions maps SQL's EXCLUDE to that of the tools.
var exclusions = map[string]tools.Exclusion{
	"NO OTHERS": tools.ExcludeNoOthers, "CURRENT ROW": tools.ExcludeCurrentRow, "GROUP": tools.ExcludeGroup, "TIES": tools.ExcludeTies,
}

// frame reads a frame; the default one is nil.
func (e *env) frame(f *sqltree.Frame) (*Frame, error) {
	if f == nil {
		return nil, nil
	}
	out := &Frame{Unit: f.Unit, Exclude: exclusions[f.Exclude]}
	var err error
	if out.Start, err = e.bound(f.Unit, f.Start); err != nil {
		return nil, err
	}
	out.End, err = e.bound(f.Unit, f.End)
	return out, err
}

// bound reads one end of a frame. Only a RANGE may be a distance that is no
// whole number.
func (e *env) bound(unit string, end sqltree.FrameEnd) (Bound, error) {
	if end.Offset == nil {
		return Bound{Unbounded: end.Unbounded}, nil
	}
	op, err := e.scalar(end.Offset)
	if err != nil {
		return Bound{}, err
	}
	offset := op.Value
	if n, ok := whole(offset); ok && unit != "RANGE" {
		offset = value.Int(int64(n))
	}
	isNumber := offset.Kind() == value.Integer || offset.Kind() == value.Real && unit == "RANGE"
	if op.Kind != Constant || !isNumber || offset.Float64() < 0 {
		return Bound{}, unsupported("window frame", "an offset that is no constant number, or negative")
	}
	if !end.Following {
		offset = value.Negate(offset)
	}
	return Bound{Offset: offset}, nil
}

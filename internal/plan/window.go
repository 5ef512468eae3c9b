package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/pkg/value"
)

// windowArgs names what follows the first argument of a window function.
var windowArgs = map[string][]string{
	"lag": {"offset", "default"}, "lead": {"offset", "default"}, "nth_value": {"offset"},
}

// windowFunctions maps SQL's window functions to those of a Window step
// (windowfunctions.html, section 3); aggregates may stand there too.
var windowFunctions = map[string]string{
	"row_number": "row_number", "rank": "rank", "dense_rank": "dense_rank", "percent_rank": "percent_rank",
	"cume_dist": "cume_dist", "ntile": "ntile", "lag": "lag", "lead": "lead",
	"first_value": "first_value", "last_value": "last_value", "nth_value": "nth_value",
}

var errWindowCollation = unsupported("window function", "COLLATE in a window function is not planned")

// window plans a window function as a column of the relation.
func (e *env) window(w *dialect.Window) (Operand, error) {
	if e.rel == nil {
		return Operand{}, unsupported("window function", "a window function without FROM")
	}
	name := w.Func.Name.Lowered()
	fn, ok := windowFunctions[name]
	if !ok {
		fn, ok = aggregates[name]
	}
	if !ok {
		if err := unplannedFunction(name, len(w.Func.Exprs)); construct(err) != "function" {
			return Operand{}, err
		}
		return Operand{}, unsupported("window function", "%s is no window function", name)
	}
	if w.Filter != nil || w.Func.Distinct {
		return Operand{}, unsupported("window function", "FILTER or DISTINCT in a window function")
	}
	s := &Window{Func: fn, From: None}
	args, _ := dialect.Args(w.Func)
	for i, a := range args {
		op, err := e.scalar(a)
		if err != nil {
			return Operand{}, err
		}
		switch {
		case i == 0 && fn == "ntile":
			if err := s.offset(op); err != nil {
				return Operand{}, err
			}
		case i == 0:
			if fn == "count" && op.Kind == Constant && !op.Value.IsNull() {
				continue // count(1) counts rows
			}
			if (fn == "min" || fn == "max") && e.b.recollates(op) {
				return Operand{}, errWindowCollation
			}
			s.From = e.columnOf(plain(op))
		case i <= len(windowArgs[fn]) && windowArgs[fn][i-1] == "offset":
			if err := s.offset(op); err != nil {
				return Operand{}, err
			}
		case i <= len(windowArgs[fn]):
			s.Args = append(s.Args, Arg{Name: windowArgs[fn][i-1], Values: []Operand{plain(op)}})
		case fn == "concat":
			s.Args = append(s.Args, Arg{Name: "separator", Values: []Operand{plain(op)}})
		}
	}
	for _, p := range w.Partition {
		op, err := e.scalar(p)
		if err != nil {
			return Operand{}, err
		}
		if e.b.recollates(op) {
			return Operand{}, errWindowCollation
		}
		s.Partition = append(s.Partition, e.columnOf(plain(op)))
	}
	for _, o := range w.Order {
		op, err := e.scalar(o.Expr)
		if err != nil {
			return Operand{}, err
		}
		if e.b.recollates(op) {
			return Operand{}, errWindowCollation
		}
		if o.NullsFirst == o.Desc {
			return Operand{}, unsupported("window function", "NULLS FIRST or LAST in a window's ORDER BY")
		}
		s.Order, s.Desc = append(s.Order, e.columnOf(plain(op))), append(s.Desc, o.Desc)
	}
	var err error
	if s.Frame, err = frame(w.Frame); err != nil {
		return Operand{}, err
	}
	s.In = e.rel.step
	key := fmt.Sprintf("Window%+v", *s)
	if s.Frame != nil {
		key = fmt.Sprintf("%s%+v", key, *s.Frame)
	}
	if c, ok := e.rel.derived[key]; ok {
		return Operand{Kind: ColumnOf, Col: c}, nil
	}
	id := e.b.addMaking(key, func() Step {
		s.Out = e.b.column(fn)
		return s
	})
	out := e.b.steps[id].(*Window).Out
	e.rel.step, e.rel.derived[key] = id, out
	return Operand{Kind: ColumnOf, Col: out}, nil
}

// offset gives the function its number of rows, which must be a constant that
// SQLite takes whatever the rows are.
func (s *Window) offset(op Operand) error {
	n, ok := 0, false
	if op.Kind == Constant {
		n, ok = whole(op.Value)
	}
	if !ok || n < 0 || n == 0 && (s.Func == "ntile" || s.Func == "nth_value") {
		return unsupported("window function", "the number of rows of %s must be a constant, positive whole number", s.Func)
	}
	s.Args = append(s.Args, Arg{Name: "offset", Values: []Operand{constant(value.Int(int64(n)))}})
	return nil
}

// frame reads a frame's unit, bounds and exclusion; the default one is nil.
func frame(words [4]string) (*Frame, error) {
	if words[0] == "" {
		return nil, nil
	}
	if words[3] != "" && words[3] != "NO OTHERS" {
		return nil, unsupported("window frame", "EXCLUDE %s is not planned", words[3])
	}
	f := &Frame{Unit: words[0]}
	var err error
	if f.Start, err = bound(words[1]); err != nil {
		return nil, err
	}
	f.End, err = bound(words[2])
	return f, err
}

// bound reads CURRENT ROW, UNBOUNDED PRECEDING, 2 FOLLOWING and their like.
func bound(words string) (Bound, error) {
	if words == "CURRENT ROW" {
		return Bound{}, nil
	}
	count, side, _ := strings.Cut(words, " ")
	if count == "UNBOUNDED" {
		return Bound{Unbounded: true}, nil
	}
	n, err := strconv.ParseInt(count, 10, 64)
	if err != nil || n < 0 {
		return Bound{}, unsupported("window frame", "%s: only whole numbers are planned as offsets", words)
	}
	if side == "PRECEDING" {
		n = -n
	}
	return Bound{Offset: n}, nil
}

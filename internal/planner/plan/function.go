package plan

import (
	"slices"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/planner/vocabulary"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// timestampFormat is how SQLite writes an instant.
const timestampFormat = "2006-01-02 15:04:05"

// function plans a call of an aggregate, a window or a scalar function
// (lang_corefunc.html, lang_datefunc.html, lang_mathfunc.html).
func (e *env) function(call *sqltree.Call) (Operand, error) {
	name, args := call.Name, call.Args
	switch {
	case call.Over != nil:
		return e.window(call)
	case call.Aggregate && vocabulary.Aggregation(name) == "":
		return Operand{}, unplannedFunction(name, len(args))
	case call.Aggregate:
		return Operand{}, unsupported("misuse of an aggregate", "%s() does not belong here", name)
	case call.Star, call.Filter != nil, len(call.OrderBy) > 0:
		return Operand{}, unsupported("function", "%s() is no aggregate function, so that it takes no *, FILTER or ORDER BY", name)
	case sqlfunc.Canonical(name) == "iif":
		return e.iif(args)
	}
	return e.call(name, args)
}

// call plans a scalar function, or an operator that is one.
func (e *env) call(name string, args []sqltree.Expr) (Operand, error) {
	json, err := e.jsonArguments(name, args)
	if err != nil {
		return Operand{}, err
	}
	ops := make([]Operand, len(args))
	for i, a := range args {
		op, err := e.scalar(a)
		if err != nil {
			return Operand{}, err
		}
		ops[i] = op
	}
	if name == "min" || name == "max" || name == "nullif" {
		want := sqltree.FirstCollation(args...)
		switch have := e.b.compared(ops...).collation; {
		case have == want:
		case e.rel == nil:
			return Operand{}, unsupported("COLLATE in a function", "%s() of subqueries alone by another collation is not planned", name)
		default:
			ops[0] = e.recollated(e.columnOf(ops[0]), want) // the first argument's collation counts first
		}
	}
	ops = e.fixClock(name, ops)
	json = append(json, make([]bool, len(ops)-len(json))...) // an instant that it added
	if !value.Known(name, len(ops)) {
		return Operand{}, unplannedFunction(name, len(ops))
	}
	if constants(ops) {
		vals := make([]value.Value, len(ops))
		for i, o := range ops {
			vals[i] = o.Value
		}
		v, err := value.CallJSON(name, vals, json, e.b.asOf)
		if err != nil {
			return Operand{}, unsupported("function", "%v", err)
		}
		return constant(v), nil
	}
	return e.apply(name, ops, json)
}

// clock is CURRENT_DATE, CURRENT_TIME or CURRENT_TIMESTAMP.
func (e *env) clock(name string) Operand {
	now := e.b.asOf.Format(timestampFormat)
	switch name {
	case "current_date":
		return text(now[:10])
	case "current_time":
		return text(now[11:])
	}
	return text(now)
}

// fixClock puts the instant where a date function has 'now', or no time at all.
func (e *env) fixClock(name string, ops []Operand) []Operand {
	at, ok := sqlfunc.SQLite(name).TimeArgument()
	if !ok || len(ops) < at {
		return ops
	}
	now := text(e.b.asOf.Format(timestampFormat))
	if len(ops) == at {
		return append(ops, now)
	}
	if ops[at].Kind == Constant && ops[at].Value.Kind() == value.Text {
		switch isNow, modifies := sqlfunc.MeansNow(ops[at].Value.Raw()); {
		case modifies:
			return slices.Insert(ops, at, now)
		case isNow:
			ops[at] = now
		}
	}
	return ops
}

func (e *env) cast(x *sqltree.Cast) (Operand, error) {
	op, err := e.scalar(x.X)
	if err != nil {
		return Operand{}, err
	}
	affinity := x.Affinity()
	if op.Kind == Constant {
		return constant(value.Cast(op.Value, affinity)), nil
	}
	return e.derive(tools.OpCast, op, Arg{Name: toolname.ArgType, Values: []Operand{text(affinity.String())}})
}

// iif plans iif(c, a, b), and iif(c, a, d, b, ...) as the branches of a CASE.
func (e *env) iif(args []sqltree.Expr) (Operand, error) {
	if len(args) < 2 {
		return Operand{}, unsupported("function", "iif takes a condition and a value")
	}
	c := &sqltree.Case{}
	for ; len(args) >= 2; args = args[2:] {
		c.Whens = append(c.Whens, sqltree.When{Cond: args[0], Then: args[1]})
	}
	if len(args) == 1 {
		c.Else = args[0]
	}
	return e.caseExpr(c)
}

// apply plans a scalar function of planned arguments, of which some are JSON.
func (e *env) apply(name string, ops []Operand, json []bool) (Operand, error) {
	if s, ok := substring(name, ops); ok {
		return e.derive(tools.OpSubstring, ops[0], s...)
	}
	if o, ok := vocabulary.OfFunction(name); ok {
		return e.derive(o.Op, ops[o.Key], arguments(o.Parameters(), slices.Delete(slices.Clone(ops), o.Key, o.Key+1))...)
	}
	args := []Arg{{Name: toolname.ArgFunction, Values: []Operand{text(name)}}}
	if len(ops) > 1 {
		args = append(args, Arg{Name: toolname.ArgArguments, Values: ops[1:], List: true})
	}
	if marks := places(json); len(marks) > 0 {
		args = append(args, Arg{Name: toolname.ArgJSON, Values: marks, List: true})
	}
	return e.derive(tools.OpCall, ops[0], args...)
}

// arguments gives operands to the parameters of an operation in their order. A list takes
// all that are left.
func arguments(params []tools.Parameter, ops []Operand) []Arg {
	var args []Arg
	for _, p := range params {
		switch {
		case len(ops) == 0:
			return args
		case p.Kind == tools.KindValues:
			return append(args, Arg{Name: p.Name, Values: ops, List: true})
		}
		args = append(args, Arg{Name: p.Name, Values: ops[:1]})
		ops = ops[1:]
	}
	return args
}

// substring gives the 0-based, half open range of a substr(x, start, length)
// with constants that stand for one.
func substring(name string, ops []Operand) ([]Arg, bool) {
	if sqlfunc.Canonical(name) != "substr" || len(ops) != 3 || !constants(ops[1:]) {
		return nil, false
	}
	start, length := ops[1].Value, ops[2].Value
	if start.Kind() != value.Integer || length.Kind() != value.Integer || start.Int64() < 1 || length.Int64() < 0 ||
		start.Int64() > 1<<30 || length.Int64() > 1<<30 {
		return nil, false
	}
	from := start.Int64() - 1
	return []Arg{
		{Name: toolname.ArgStartIndex, Values: []Operand{constant(value.Int(from))}},
		{Name: toolname.ArgEndIndex, Values: []Operand{constant(value.Int(from + length.Int64()))}},
	}, true
}

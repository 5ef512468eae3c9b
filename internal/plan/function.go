package plan

import (
	"strings"

	"github.com/xwb1989/sqlparser"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/pkg/value"
)

// timestampFormat is how SQLite writes an instant.
const timestampFormat = "2006-01-02 15:04:05"

// function plans a call: of a marker, an aggregate, a window or a scalar
// function (lang_corefunc.html, lang_datefunc.html, lang_mathfunc.html).
func (e *env) function(f *sqlparser.FuncExpr) (Operand, error) {
	if x, typ, ok := dialect.AsCast(f); ok {
		return e.cast(x, typ)
	}
	if name, ok := dialect.Clock(f); ok {
		return e.clock(name), nil
	}
	if w, ok := dialect.AsWindow(f); ok {
		return e.window(w)
	}
	name := f.Name.Lowered()
	args, star := dialect.Args(f)
	if isAggregate(f) {
		return Operand{}, unsupported("misuse of an aggregate", "%s() does not belong here", name)
	}
	if star {
		return Operand{}, unsupported("function", "%s(*) is not planned", name)
	}
	if name == "iif" || name == "if" {
		return e.iif(args)
	}
	ops := make([]Operand, len(args))
	for i, a := range args {
		op, err := e.scalar(a)
		if err != nil {
			return Operand{}, err
		}
		switch name {
		case "min", "max", "nullif":
			if e.b.recollates(op) {
				return Operand{}, unsupported("COLLATE in a function", "%s() by another collation is not planned", name)
			}
		}
		ops[i] = plain(op)
	}
	ops = e.fixClock(name, ops)
	if !value.Known(name, len(ops)) {
		return Operand{}, unplannedFunction(name, len(ops))
	}
	if constants(ops) {
		vals := make([]value.Value, len(ops))
		for i, o := range ops {
			vals[i] = o.Value
		}
		v, err := value.Call(name, vals, e.b.asOf)
		if err != nil {
			return Operand{}, unsupported("function", "%v", err)
		}
		return constant(v), nil
	}
	return e.apply(name, ops)
}

// clock is CURRENT_DATE, CURRENT_TIME or CURRENT_TIMESTAMP.
func (e *env) clock(name string) Operand {
	e.b.clock = true
	now := e.b.asOf.Format(timestampFormat)
	switch name {
	case "current_date":
		return text(now[:10])
	case "current_time":
		return text(now[11:])
	}
	return text(now)
}

// fixClock puts the instant in the place of 'now', or of the missing argument
// that stands for it.
func (e *env) fixClock(name string, ops []Operand) []Operand {
	at := -1
	switch {
	case dateFunctions[name]:
		at = 0
	case name == "strftime":
		at = 1
	}
	if at < 0 {
		return ops
	}
	now := text(e.b.asOf.Format(timestampFormat))
	if len(ops) == at {
		e.b.clock = true
		return append(ops, now)
	}
	if len(ops) > at && ops[at].Kind == Constant && ops[at].Value.Kind() == value.Text && strings.EqualFold(ops[at].Value.Raw(), "now") {
		e.b.clock = true
		ops[at] = now
	}
	return ops
}

func (e *env) cast(x sqlparser.Expr, typ string) (Operand, error) {
	op, err := e.scalar(x)
	if err != nil {
		return Operand{}, err
	}
	affinity := value.AffinityOf(typ)
	if op.Kind == Constant {
		return constant(value.Cast(op.Value, affinity)), nil
	}
	return e.derive("cast", plain(op), Arg{Name: "type", Values: []Operand{text(affinity.String())}})
}

// iif plans iif(c, a, b), and iif(c, a, d, b, ...) as the branches of a CASE.
func (e *env) iif(args []sqlparser.Expr) (Operand, error) {
	if len(args) < 2 {
		return Operand{}, unsupported("function", "iif takes a condition and a value")
	}
	c := &sqlparser.CaseExpr{}
	for ; len(args) >= 2; args = args[2:] {
		c.Whens = append(c.Whens, &sqlparser.When{Cond: args[0], Val: args[1]})
	}
	if len(args) == 1 {
		c.Else = args[0]
	}
	return e.caseExpr(c)
}

// argNames gives, for functions that are operations of their own, the names
// of the arguments after the first. A final "*" takes the rest as a list.
var argNames = map[string]struct {
	op    string
	names []string
}{
	"abs": {"abs", nil}, "upper": {"upper", nil}, "lower": {"lower", nil}, "length": {"length", nil},
	"typeof": {"typeof", nil},
	"trim":   {"trim", []string{"characters"}}, "ltrim": {"ltrim", []string{"characters"}}, "rtrim": {"rtrim", []string{"characters"}},
	"replace": {"replace", []string{"old", "new"}}, "instr": {"instr", []string{"value"}},
	"round": {"round", []string{"digits"}}, "nullif": {"nullif", []string{"value"}},
	"coalesce": {"coalesce", []string{"*values"}}, "ifnull": {"coalesce", []string{"*values"}},
	"min": {"least", []string{"*values"}}, "max": {"greatest", []string{"*values"}},
	"substr": {"substr", []string{"start", "length"}}, "substring": {"substr", []string{"start", "length"}},
	"date": {"date", []string{"*modifiers"}}, "time": {"time", []string{"*modifiers"}},
	"datetime": {"datetime", []string{"*modifiers"}}, "julianday": {"julianday", []string{"*modifiers"}},
	"unixepoch": {"unixepoch", []string{"*modifiers"}},
}

// apply plans a scalar function of planned arguments.
func (e *env) apply(name string, ops []Operand) (Operand, error) {
	if name == "strftime" {
		args := []Arg{{Name: "format", Values: ops[:1]}}
		if len(ops) > 2 {
			args = append(args, Arg{Name: "modifiers", Values: ops[2:], List: true})
		}
		return e.derive("strftime", ops[1], args...)
	}
	if s, ok := substring(name, ops); ok {
		return e.derive("substring", ops[0], s...)
	}
	f, ok := argNames[name]
	if !ok {
		args := []Arg{{Name: "function", Values: []Operand{text(name)}}}
		if len(ops) > 1 {
			args = append(args, Arg{Name: "arguments", Values: ops[1:], List: true})
		}
		return e.derive("call", ops[0], args...)
	}
	var args []Arg
	rest := ops[1:]
	for _, n := range f.names {
		if strings.HasPrefix(n, "*") {
			if len(rest) > 0 {
				args = append(args, Arg{Name: n[1:], Values: rest, List: true})
			}
			break
		}
		if len(rest) > 0 {
			args = append(args, Arg{Name: n, Values: rest[:1]})
			rest = rest[1:]
		}
	}
	return e.derive(f.op, ops[0], args...)
}

// substring gives the 0-based, half open range of a substr(x, start, length)
// with constants that stand for one.
func substring(name string, ops []Operand) ([]Arg, bool) {
	if name != "substr" && name != "substring" || len(ops) != 3 || !constants(ops[1:]) {
		return nil, false
	}
	start, length := ops[1].Value, ops[2].Value
	if start.Kind() != value.Integer || length.Kind() != value.Integer || start.Int64() < 1 || length.Int64() < 0 ||
		start.Int64() > 1<<30 || length.Int64() > 1<<30 {
		return nil, false
	}
	from := start.Int64() - 1
	return []Arg{
		{Name: "start_index", Values: []Operand{constant(value.Int(from))}},
		{Name: "end_index", Values: []Operand{constant(value.Int(from + length.Int64()))}},
	}, true
}

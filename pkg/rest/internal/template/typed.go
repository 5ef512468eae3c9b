package template

import (
	"math"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/value"
)

// constant returns the value of a literal, and what the parameter is cast to that
// replaces it. Where literals have types, it may be DATE '2025-01-01' or
// '2025-01-01'::date too.
func (f *finder) constant(e sqltree.Expr) (v value.Value, cast string, ok bool) {
	if !f.whole.Dialect.TypedLiterals {
		v, ok = constant(e)
		return v, "", ok
	}
	to := ""
	if c, isCast := e.(*sqltree.Cast); isCast {
		e, to = c.X, c.Type
	}
	if v, ok = constant(e); !ok {
		return v, "", false
	}
	cast = literalType(v)
	switch {
	case cast == "":
		cast = to
	case to != "":
		cast += "::" + to
	}
	return v, cast, true
}

// literalType returns the type that Postgres gives a literal
// (https://www.postgresql.org/docs/current/sql-syntax-lexical.html, section
// 4.1.2.6), or "" for a text, which has none yet.
func literalType(v value.Value) string {
	switch v.Kind() {
	case value.Integer:
		if i := v.Int64(); i >= math.MinInt32 && i <= math.MaxInt32 {
			return "int4"
		}
		return "int8"
	case value.Real:
		return "numeric"
	}
	return ""
}

func isNumberType(t string) bool { return t == "int4" || t == "int8" || t == "numeric" }

// widest returns the type of two numbers in one list.
func widest(a, b string) string {
	for _, t := range []string{"numeric", "int8"} {
		if a == t || b == t {
			return t
		}
	}
	return a
}

// literalParam returns the type of a parameter whose literals have types, and what it
// is cast to. A whole number that is compared with what has a fraction is a number.
func literalParam(d *engine.Dialect, p *Param) (Type, string) {
	switch p.Role {
	case Instant:
		return Text, p.cast
	case RowLimit, RowOffset:
		return Integer, p.cast
	}
	t := Integer
	for _, v := range p.Values {
		switch v.Kind() {
		case value.Text:
			return Text, p.cast
		case value.Real:
			t = Real
		}
	}
	if t == Integer && (p.cast == "int4" || p.cast == "int8") && isFractional(d, p.Operand) {
		return Real, "numeric"
	}
	return t, p.cast
}

// isFractional reports whether an expression of Postgres' gives numbers that may
// have a fraction, by its form.
func isFractional(d *engine.Dialect, e sqltree.Expr) bool {
	first := func(list []sqltree.Expr) bool { return len(list) > 0 && isFractional(d, list[0]) }
	switch e := e.(type) {
	case *sqltree.Column:
		o := OriginOf(e)
		switch {
		case o.Item != nil:
			return isFractional(d, o.Item.Expr)
		case o.Info == nil:
			return false
		}
		return o.Info.Affinity == value.AffinityReal || o.Info.Affinity == value.AffinityNumeric && !strings.HasPrefix(strings.ToLower(o.Info.Type), "bool")
	case *sqltree.Cast:
		return e.Affinity() == value.AffinityReal || e.Affinity() == value.AffinityNumeric && !strings.HasPrefix(strings.ToLower(e.Type), "bool")
	case *sqltree.Unary:
		return e.Op == sqltree.Negate && isFractional(d, e.X)
	case *sqltree.Binary:
		switch e.Op {
		case sqltree.Add, sqltree.Subtract, sqltree.Multiply, sqltree.Divide, sqltree.Modulo:
			return isFractional(d, e.X) || isFractional(d, e.Y)
		}
	case *sqltree.Literal:
		return e.Value.Kind() == value.Real
	case *sqltree.Case:
		return isFractional(d, e.Whens[0].Then) || e.Else != nil && isFractional(d, e.Else)
	case *sqltree.Subquery:
		return len(e.Query.Columns) > 0 && e.Query.Columns[0].Item != nil && isFractional(d, e.Query.Columns[0].Item.Expr)
	case *sqltree.Call:
		switch d.Function(e.Name).Result {
		case sqlfunc.Real:
			return true
		case sqlfunc.Sum, sqlfunc.FirstArgument:
			return first(e.Args)
		}
	}
	return false
}

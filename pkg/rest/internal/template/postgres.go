package template

import (
	"fmt"
	"math"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/pgsql"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
)

// NewPostgres makes the template of a SELECT of Postgres'.
//
// A number keeps the type of its literal, $1::int4, $1::int8 or $1::numeric: the
// server would give it that of what it is compared with, and 0.1 as a real is
// another number. A text stays without a type, as its literal is, so that the
// server reads it as what it is compared with.
func NewPostgres(sql string, schema *engine.Schema) (*Template, error) {
	s, err := pgsql.Read(strings.TrimRight(sql, "; \t\r\n"), schema)
	if err != nil {
		return nil, fmt.Errorf("the SQL cannot be read: %w", err)
	}
	return made(s.Query, schema, func(n names) *keys {
		k := &keys{sql: s.SQL, names: n}
		for _, t := range s.Tokens {
			k.words = append(k.words, word{t.Start, t.End, postgresWord(s.SQL[t.Start:t.End])})
		}
		return k
	})
}

// postgresWord returns how the key writes a token of Postgres'.
func postgresWord(text string) string {
	if strings.ContainsAny(text, `'"$`) {
		return text
	}
	switch word := spelling.Lower(text); word {
	case ";", "as", "asc", "inner", "outer":
		return ""
	case "!=":
		return "<>"
	default:
		return word
	}
}

// constant returns the value of a literal, and what Postgres converts the
// parameter to that stands for it. There it may be one of a type: DATE
// '2025-01-01' and '2025-01-01'::date.
func (f *finder) constant(e sqltree.Expr) (v value.Value, cast string, ok bool) {
	if f.whole.Dialect == engine.SQLite {
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

// postgresType returns the type of a parameter, and what Postgres converts it
// to. A whole number that is compared with what has a fraction is a number.
func postgresType(p *Param) (Type, string) {
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
	if t == Integer && (p.cast == "int4" || p.cast == "int8") && isFractional(p.Operand) {
		return Real, "numeric"
	}
	return t, p.cast
}

// isFractional reports whether an expression of Postgres' gives numbers that may
// have a fraction, by its form.
func isFractional(e sqltree.Expr) bool {
	first := func(list []sqltree.Expr) bool { return len(list) > 0 && isFractional(list[0]) }
	switch e := e.(type) {
	case *sqltree.Column:
		o := OriginOf(e)
		switch {
		case o.Item != nil:
			return isFractional(o.Item.Expr)
		case o.Info == nil:
			return false
		}
		return o.Info.Affinity == value.AffinityReal || o.Info.Affinity == value.AffinityNumeric && !strings.HasPrefix(strings.ToLower(o.Info.Type), "bool")
	case *sqltree.Cast:
		return e.Affinity() == value.AffinityReal || e.Affinity() == value.AffinityNumeric && !strings.HasPrefix(strings.ToLower(e.Type), "bool")
	case *sqltree.Unary:
		return e.Op == sqltree.Negate && isFractional(e.X)
	case *sqltree.Binary:
		switch e.Op {
		case sqltree.Add, sqltree.Subtract, sqltree.Multiply, sqltree.Divide, sqltree.Modulo:
			return isFractional(e.X) || isFractional(e.Y)
		}
	case *sqltree.Literal:
		return e.Value.Kind() == value.Real
	case *sqltree.Case:
		return isFractional(e.Whens[0].Then) || e.Else != nil && isFractional(e.Else)
	case *sqltree.Subquery:
		return len(e.Query.Columns) > 0 && e.Query.Columns[0].Item != nil && isFractional(e.Query.Columns[0].Item.Expr)
	case *sqltree.Call:
		switch sqlfunc.Of(engine.Postgres, e.Name).Result {
		case sqlfunc.Real:
			return true
		case sqlfunc.Sum, sqlfunc.FirstArgument:
			return first(e.Args)
		}
	}
	return false
}

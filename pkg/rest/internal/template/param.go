package template

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/language"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/value"
)

// Param is a parameter: a literal, a list of literals, or the clock.
type Param struct {
	Role     Role
	Type     Type
	Operator string        // of a Condition: =, <>, <, <=, >, >=, in, not in, or what LIKE's operator is
	Operand  sqltree.Expr  // of a Condition: what it is compared with
	Values   []value.Value // as the statement has them; none of the clock
	List     bool          // whether it is an IN list
	// Outer says that a LIMIT or OFFSET belongs to no subquery of an expression,
	// and Whole that it belongs to the whole statement.
	Outer, Whole bool

	at     sqltree.Span
	before string // what is before the placeholder
	cast   string // what Postgres converts it to, or ""
	after  string // what is behind it
	part   Part
}

// Role says what a parameter does in its statement.
type Role int

// The roles.
const (
	Condition Role = iota // is compared with something
	RowLimit              // a number of rows
	RowOffset             // a number of rows to leave out
	Instant               // stands for the clock
)

// MaxOffset bounds how many rows a parameter can take or leave out.
const MaxOffset = 1_000_000_000

// listSize is how many values an IN list takes at least. Fewer are filled up
// with the last one, which changes nothing.
const listSize = 10

// Places returns how many values a parameter takes at most.
func (p *Param) Places() int {
	if p.List {
		return max(listSize, len(p.Values))
	}
	return 1
}

// finder finds the literals that are parameters, by the rule in the
// documentation of package rest.
type finder struct {
	language *language.Language
	whole    *sqltree.Query
	params   []*Param
	found    map[sqltree.Span]bool // where there is one
	known    map[sqltree.Expr]bool // what reads has found
	names    names                 // for the key
	random   string                // a function in it that gives each run another answer, or ""
}

// add notes a parameter. A named window is met wherever it is used.
func (f *finder) add(p *Param) {
	if !f.found[p.at] {
		f.found[p.at] = true
		f.params = append(f.params, p)
	}
}

// query looks at a query and those within it. depth is 1 for the whole
// statement; subqueries in FROM have the depth of what they are in.
func (f *finder) query(q *sqltree.Query, depth int) {
	for _, c := range q.With {
		f.query(c.Query, depth)
	}
	for _, s := range q.Arms {
		f.names.addArm(s, depth)
		for _, src := range s.Sources {
			if src.Query != nil && src.CTE == nil {
				f.query(src.Query, depth)
			}
		}
		f.list(s.Exprs(), depth)
	}
	f.list(q.Tail(), depth)
	f.limit(q, depth)
}

func (f *finder) list(all []sqltree.Expr, depth int) {
	for _, e := range all {
		sqltree.Walk(e, func(e sqltree.Expr) bool {
			f.expr(e)
			if q := sqltree.SubqueryOf(e); q != nil {
				f.query(q, depth+1)
			}
			return true
		})
	}
}

// expr looks at one expression, without what is in it.
func (f *finder) expr(e sqltree.Expr) {
	f.clock(e)
	switch e := e.(type) {
	case *sqltree.Column:
		f.names.addColumn(e)
	case *sqltree.Literal:
		if e.Quoted {
			f.names.addText(e)
		}
	case *sqltree.Binary:
		if op := comparison(e.Op); op != "" {
			f.compare(op, e.X, e.Y)
			f.compare(mirrored(op), e.Y, e.X)
		}
	case *sqltree.Pattern:
		f.compare(strings.ToLower(string(e.Op)), e.X, e.Y)
	case *sqltree.Between:
		f.compare(">=", e.X, e.Low)
		f.compare("<=", e.X, e.High)
	case *sqltree.In:
		f.in(e)
	case *sqltree.Case:
		for _, w := range e.Whens {
			if e.Operand != nil {
				f.compare("=", e.Operand, w.Cond)
			}
		}
	case *sqltree.Call:
		if f.whole.Dialect.Function(e.Name).Volatility == sqlfunc.Random {
			f.random = e.Name + "()"
			if e.Name == "random" || e.Name == "randomblob" {
				f.random = "random() and randomblob()"
			}
		}
	}
}

// clock notes where an expression reads the clock.
func (f *finder) clock(e sqltree.Expr) {
	if f.language.ReadsClock != nil {
		if read, ok := f.language.ReadsClock(e); ok {
			f.add(&Param{Role: Instant, Type: Text, at: read.At, cast: read.Cast, after: read.After})
		}
		return
	}
	switch e := e.(type) {
	case *sqltree.Call:
		f.dateFunction(e)
	case *sqltree.Clock:
		part := map[string]Part{"current_date": DateOnly, "current_time": TimeOnly}[e.Name]
		f.add(&Param{Role: Instant, Type: Text, at: e.Span(), part: part})
	}
}

// comparison returns the operator of a parameter for that of an expression, or
// "" for one that does not compare.
func comparison(op sqltree.Op) string {
	switch op {
	case sqltree.Equal, sqltree.NotEqual, sqltree.Less, sqltree.LessEq, sqltree.Greater, sqltree.GreaterEq:
		return string(op)
	case sqltree.Is:
		return "="
	case sqltree.IsNot:
		return "<>"
	}
	return ""
}

// mirrored returns the operator for swapped operands.
func mirrored(op string) string {
	switch {
	case op == "<>":
		return op
	case op[0] == '<':
		return ">" + op[1:]
	case op[0] == '>':
		return "<" + op[1:]
	}
	return op
}

// constant returns the value of a literal, whether signed or not. NULL is none:
// nothing is ever equal to it. A number too large for a REAL is none either:
// JSON cannot write it.
func constant(e sqltree.Expr) (v value.Value, ok bool) {
	switch e := e.(type) {
	case *sqltree.Literal:
		ok = IsNumber(e) || e.Value.Kind() == value.Text
		v = e.Value
	case *sqltree.Unary:
		if ok = IsNumber(e.X) && (e.Op == sqltree.Negate || e.Op == sqltree.Plus); ok {
			v = e.X.(*sqltree.Literal).Value
		}
		if e.Op == sqltree.Negate {
			v = value.Negate(v)
		}
	}
	return v, ok && (v.Kind() != value.Real || !math.IsInf(v.Float64(), 0))
}

// IsNumber reports whether an expression is a number without a sign.
func IsNumber(e sqltree.Expr) bool {
	l, ok := e.(*sqltree.Literal)
	return ok && !l.Word && (l.Value.Kind() == value.Integer || l.Value.Kind() == value.Real)
}

// IsText reports whether an expression is a text in single quotes.
func IsText(e sqltree.Expr) bool {
	l, ok := e.(*sqltree.Literal)
	return ok && !l.Quoted && l.Value.Kind() == value.Text
}

// reads reports whether an expression depends on the data: it names a column,
// counts rows or has a subquery. An OVER clause does not count.
func (f *finder) reads(e sqltree.Expr) bool {
	if reads, known := f.known[e]; known {
		return reads
	}
	reads, operands := false, []sqltree.Expr(nil)
	switch e := e.(type) {
	case *sqltree.Column:
		reads = true
	case *sqltree.Call:
		reads, operands = e.Star, e.Args
	default:
		reads, operands = sqltree.SubqueryOf(e) != nil, sqltree.Children(e)
	}
	reads = reads || slices.ContainsFunc(operands, f.reads)
	f.known[e] = reads
	return reads
}

// compare notes other as a parameter if it is a literal and operand depends on
// the data.
func (f *finder) compare(op string, operand, other sqltree.Expr) {
	if v, cast, ok := f.constant(other); ok && f.reads(operand) && !isPlumbing(operand, op, v) {
		f.add(&Param{Operator: op, Operand: operand, Values: []value.Value{v}, at: other.Span(), cast: cast})
	}
}

// isPlumbing reports whether a literal is no choice but part of how a query is
// written: whether a text is empty, which of two numbers is the greater one, by
// their difference, whether there is something, by a count or a position of at
// least 1, whether a test holds, which row is the first, a pattern that only
// looks at a text's form.
func isPlumbing(operand sqltree.Expr, op string, v value.Value) bool {
	if v.Kind() == value.Text {
		return v.Raw() == "" || isForm(op, v.Raw())
	}
	zero, one := v.Float64() == 0, v.Float64() == 1
	switch e := expression(uncast(operand)).(type) {
	case *sqltree.Binary:
		switch e.Op {
		case sqltree.Subtract:
			return zero
		case sqltree.Equal, sqltree.NotEqual, sqltree.Less, sqltree.LessEq, sqltree.Greater, sqltree.GreaterEq,
			sqltree.Is, sqltree.IsNot, sqltree.And, sqltree.Or:
			return zero || one
		}
	case *sqltree.Unary:
		return e.Op == sqltree.Not && (zero || one)
	case *sqltree.In, *sqltree.Pattern, *sqltree.Between, *sqltree.Exists:
		return zero || one
	case *sqltree.Subquery:
		s := e.Query.Arms[0]
		return len(s.Items) == 1 && IsNumber(s.Items[0].Expr)
	case *sqltree.Call:
		switch e.Name {
		case "instr", "length", "position", "strpos":
			return zero
		case "count":
			return e.Over == nil && (zero || one && (op == ">=" || op == "<"))
		case "row_number", "rank", "dense_rank":
			return one && (op == "=" || op == "<=")
		case "sum", "total":
			return e.Over == nil && len(e.Args) == 1 && zero && isCounting(e.Args[0])
		}
	}
	return false
}

// isForm reports whether a pattern has no letter and no digit: it asks for a
// text's form.
func isForm(op, pattern string) bool {
	return (op == "like" || op == "ilike" || op == "glob") && !strings.ContainsFunc(pattern, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

func uncast(e sqltree.Expr) sqltree.Expr {
	for {
		c, ok := e.(*sqltree.Cast)
		if !ok {
			return e
		}
		e = c.X
	}
}

// isCounting reports whether a sum of an expression counts where a test holds.
func isCounting(e sqltree.Expr) bool {
	isOne := func(e sqltree.Expr) bool { return IsNumber(e) && e.(*sqltree.Literal).Value == value.Int(1) }
	switch e := e.(type) {
	case *sqltree.Case:
		return len(e.Whens) == 1 && isOne(e.Whens[0].Then)
	case *sqltree.Call:
		return sqlfunc.Canonical(e.Name) == "iif" && len(e.Args) > 1 && isOne(e.Args[1])
	case *sqltree.Binary:
		return comparison(e.Op) != ""
	}
	return false
}

// in notes a list of literals as one parameter, which has one type: a list of
// texts and numbers is part of the query, since 1 and '1' may differ.
func (f *finder) in(e *sqltree.In) {
	if len(e.List) == 0 || !f.reads(e.X) {
		return
	}
	p := &Param{Operator: "in", Operand: e.X, List: true, at: sqltree.Span{Start: e.List[0].Span().Start, End: e.List[len(e.List)-1].Span().End}}
	if e.Not {
		p.Operator = "not in"
	}
	for _, item := range e.List {
		v, cast, ok := f.constant(item)
		if !ok {
			return
		}
		if len(p.Values) > 0 && cast != p.cast {
			if !isNumberType(cast) || !isNumberType(p.cast) {
				return // of different types
			}
			cast = widest(cast, p.cast)
		}
		p.cast = cast
		p.Values = append(p.Values, v)
		if (v.Kind() == value.Text) != (p.Values[0].Kind() == value.Text) {
			return
		}
	}
	f.add(p)
}

// limit notes the numbers of a LIMIT clause. LIMIT 1 asks for the first row,
// which is no choice, but how many to leave out before it is, if any are. Numbers
// that a request cannot give stand for all rows or none.
func (f *finder) limit(q *sqltree.Query, depth int) {
	note := func(role Role, e sqltree.Expr, minimum int64) {
		if v, ok := constant(e); ok && v.Kind() == value.Integer && v.Int64() >= minimum && v.Int64() <= MaxOffset {
			cast := ""
			if f.whole.Dialect.TypedLiterals {
				cast = "int8"
			}
			f.add(&Param{Type: Integer, cast: cast, Role: role, Outer: depth == 1, Whole: q == f.whole, Values: []value.Value{v}, at: e.Span()})
		}
	}
	note(RowLimit, q.Limit, 2)
	note(RowOffset, q.Offset, 1)
}

// dateFunction notes where a date function reads the clock: 'now', or no time
// at all (https://www.sqlite.org/lang_datefunc.html).
func (f *finder) dateFunction(e *sqltree.Call) {
	at, ok := sqlfunc.SQLite(e.Name).TimeArgument()
	if !ok {
		return
	}
	p := &Param{Role: Instant, Type: Text}
	switch {
	case len(e.Args) == at: // before the closing parenthesis
		p.at = sqltree.Span{Start: e.Span().End - 1, End: e.Span().End - 1}
		if at > 0 {
			p.before = ", "
		}
	case len(e.Args) > at:
		time := e.Args[at]
		if !IsText(time) || time.Span() != time.Outer() {
			return
		}
		isNow, modifies := sqlfunc.MeansNow(time.(*sqltree.Literal).Value.Raw())
		if !isNow {
			return
		}
		if p.at = time.Span(); modifies {
			p.at.End, p.after = p.at.Start, ", "
		}
	default:
		return
	}
	f.add(p)
}

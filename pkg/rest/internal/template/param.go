package template

import (
	"strings"

	"github.com/birdcall/birdcall/pkg/value"
)

// Param is a parameter: a literal, a list of literals, or the clock.
type Param struct {
	Role     Role
	Type     Type
	Operator string        // of a Condition: =, <>, <, <=, >, >=, in, not in, or what LIKE's operator is
	Operand  *Expr         // of a Condition: what it is compared with
	Values   []value.Value // as the statement has them; none of the clock
	List     bool          // whether it is an IN list
	// Outer says that a LIMIT or OFFSET belongs to no subquery of an expression,
	// and Whole that it belongs to the whole statement.
	Outer, Whole bool

	at     span
	before string // what stands before the placeholder
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
	query  *Query
	params []*Param
	random bool // whether each run may answer differently
}

func (f *finder) add(p *Param) { f.params = append(f.params, p) }

// expr looks at one expression. It is visited before what is in it.
func (f *finder) expr(e *Expr) bool {
	switch e.Kind {
	case Binary:
		if e.IsComparison() {
			f.compare(e.Op, e.Args[0], e.Args[1])
			f.compare(mirrored(e.Op), e.Args[1], e.Args[0])
		}
	case Is:
		f.compare(e.Op, e.Args[0], e.Args[1])
		f.compare(e.Op, e.Args[1], e.Args[0])
	case Like:
		f.compare(e.Op, e.Args[0], e.Args[1])
	case Between:
		f.compare(">=", e.Args[0], e.Args[1])
		f.compare("<=", e.Args[0], e.Args[2])
	case In:
		f.in(e)
	case Case:
		for i := 0; i < len(e.Args) && e.Operand != nil; i += 2 {
			f.compare("=", e.Operand, e.Args[i])
		}
	case Call:
		f.random = f.random || e.Op == "random" || e.Op == "randomblob"
		f.dateFunction(e)
	case Clock:
		part := map[string]Part{"CURRENT_DATE": DateOnly, "CURRENT_TIME": TimeOnly}[e.Op]
		f.add(&Param{Role: Instant, Type: Text, at: e.at, part: part})
	}
	return true
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
// nothing is ever equal to it.
func constant(e *Expr) (v value.Value, ok bool) {
	switch e.Kind {
	case Number, String, Quoted:
		v = e.Value
	case Unary:
		if x := e.Args[0]; x.Kind == Number && e.Op == "-" {
			v = value.Negate(x.Value)
		} else if x.Kind == Number && e.Op == "+" {
			v = x.Value
		}
	}
	return v, v.Kind() != value.Null
}

// compare notes other as a parameter if it is a literal and operand depends on
// the data.
func (f *finder) compare(op string, operand, other *Expr) {
	if v, ok := constant(other); ok && operand.reads {
		f.add(&Param{Operator: op, Operand: operand, Values: []value.Value{v}, at: other.at})
	}
}

// in notes a list of literals as one parameter, which has one type: a list of
// texts and numbers is part of the query, since 1 and '1' may differ.
func (f *finder) in(e *Expr) {
	operand, items := e.Args[0], e.Args[1:]
	if len(items) == 0 || !operand.reads {
		return
	}
	p := &Param{Operator: "in", Operand: operand, List: true, at: span{items[0].at.start, items[len(items)-1].at.end}}
	if e.Not {
		p.Operator = "not in"
	}
	for _, item := range items {
		v, ok := constant(item)
		if !ok {
			return
		}
		p.Values = append(p.Values, v)
		if (v.Kind() == value.Text) != (p.Values[0].Kind() == value.Text) {
			return
		}
	}
	f.add(p)
}

// limit notes the numbers of a LIMIT clause. LIMIT 1 asks for the first row,
// which is no choice, but how many to leave out before it is. Numbers that a
// request cannot give stand for all rows or none.
func (f *finder) limit(s *Select) {
	if s.Limit == nil {
		return
	}
	note := func(role Role, e *Expr, least int64) {
		if e == nil {
			return
		}
		if v, ok := constant(e); ok && v.Kind() == value.Integer && v.Int64() >= least && v.Int64() <= MaxOffset {
			f.add(&Param{Role: role, Outer: s.depth == 1, Whole: s == f.query.Last(), Values: []value.Value{v}, at: e.at})
		}
	}
	note(RowLimit, s.Limit.Count, 2)
	note(RowOffset, s.Limit.Offset, 0)
}

// dateFunction notes where a date function reads the clock: 'now', or no time
// at all (https://www.sqlite.org/lang_datefunc.html).
func (f *finder) dateFunction(e *Expr) {
	at := 0
	switch e.Op {
	case "date", "time", "datetime", "julianday", "unixepoch":
	case "strftime":
		at = 1
	default:
		return
	}
	p := &Param{Role: Instant, Type: Text}
	switch {
	case len(e.Args) == at: // before the closing parenthesis
		p.at = span{e.at.end - 1, e.at.end - 1}
		if at > 0 {
			p.before = ", "
		}
	case len(e.Args) > at:
		time := e.Args[at]
		if time.Kind != String || !strings.EqualFold(time.Value.Raw(), "now") || time.at != time.outer {
			return
		}
		p.at = time.at
	default:
		return
	}
	f.add(p)
}

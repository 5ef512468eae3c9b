package rest

import (
	"strconv"
	"strings"

	"github.com/sqlc-dev/meyer/ast"

	"github.com/birdcall/birdcall/pkg/value"
)

// role says what a parameter does in its statement.
type role int

const (
	condition role = iota // compared with something
	limit                 // a number of rows
	offset                // a number of rows to leave out
	instant               // what stands for the clock
)

// found is a literal, or a list of them, that is a parameter.
type found struct {
	start, end int // its bytes in the statement
	role       role
	operator   string   // of a condition: =, <>, <, <=, >, >=, like, glob, in, not in, ...
	operand    ast.Expr // what it is compared with
	scope      *scope   // of the operand
	values     []value.Value
	list       bool
	outer      bool   // a limit or offset of the whole statement
	part       part   // of an instant
	before     string // to write before the placeholder where there was nothing
}

// part is what is taken of an instant.
type part int

const (
	dateAndTime part = iota
	dateOnly
	timeOnly
)

// comparison returns how the key and the names write an operator that
// compares, and "" for others.
func comparison(op ast.Operator) string {
	switch op {
	case ast.OpEq, ast.OpNe, ast.OpLt, ast.OpLe, ast.OpGt, ast.OpGe:
		return op.String()
	}
	return ""
}

// mirrored returns the operator for swapped operands.
func mirrored(op string) string {
	switch op[0] {
	case '<':
		if op == "<>" {
			return op
		}
		return ">" + op[1:]
	case '>':
		return "<" + op[1:]
	}
	return op
}

// compare notes other as a parameter if it is a literal and operand is not.
func (w *walker) compare(op string, operand, other ast.Expr, s *scope) {
	v, start, end, ok := literal(other, s)
	if ok && reads(operand, s) {
		w.found = append(w.found, &found{start: start, end: end, operator: op, operand: operand, scope: s, values: []value.Value{v}})
	}
}

// in notes a list of literals as one parameter, which has one type: a list of
// texts and numbers is part of the query, since 1 and '1' may differ.
func (w *walker) in(e *ast.InExpr, s *scope) {
	if len(e.List) == 0 || !reads(e.X, s) {
		return
	}
	f := &found{operator: "in", operand: e.X, scope: s, list: true}
	if e.Not {
		f.operator = "not in"
	}
	for i, item := range e.List {
		v, start, end, ok := literal(item, s)
		if !ok {
			return
		}
		if i == 0 {
			f.start = start
		}
		f.end = end
		f.values = append(f.values, v)
		if (v.Kind() == value.Text) != (f.values[0].Kind() == value.Text) {
			return
		}
	}
	w.found = append(w.found, f)
}

// limit notes the numbers of a LIMIT clause. LIMIT 1 asks for the first one,
// which is no choice, but how many to leave out before it is. Numbers that a
// request cannot give stand for all rows or none.
func (w *walker) limit(l *ast.Limit, s *scope) {
	outer := s.depth == 1
	if v, start, end, ok := literal(l.Count, s); ok && v.Kind() == value.Integer && v.Int64() > 1 && v.Int64() <= maxOffset {
		w.found = append(w.found, &found{start: start, end: end, role: limit, outer: outer, values: []value.Value{v}})
	}
	if l.Offset == nil {
		return
	}
	if v, start, end, ok := literal(l.Offset, s); ok && v.Kind() == value.Integer && v.Int64() >= 0 && v.Int64() <= maxOffset {
		w.found = append(w.found, &found{start: start, end: end, role: offset, outer: outer, values: []value.Value{v}})
	}
}

// literal returns the value of a literal, whether signed or in parentheses,
// and its place. NULL is none: nothing is ever equal to it. A name in double
// quotes that names nothing is a string to SQLite
// (https://www.sqlite.org/quirks.html, section 8).
func literal(e ast.Expr, s *scope) (v value.Value, start, end int, ok bool) {
	e = unwrap(e)
	start, end = e.Pos(), e.End()
	switch e := e.(type) {
	case *ast.Literal:
		v, ok = constant(e)
	case *ast.UnaryExpr:
		l, isLiteral := unwrap(e.X).(*ast.Literal)
		if !isLiteral || e.Op != ast.OpMinus && e.Op != ast.OpPlus {
			break
		}
		if v, ok = constant(l); ok && v.Kind() != value.Integer && v.Kind() != value.Real {
			ok = false
		}
		if e.Op == ast.OpMinus {
			v = value.Negate(v)
		}
	case *ast.Ident:
		ok = isString(e, s)
		v = value.Str(e.Name)
	}
	return v, start, end, ok
}

func isString(e *ast.Ident, s *scope) bool {
	return e.Quote == ast.QuoteDouble && s.reference(e) == nil && s.known()
}

// constant returns the value of a literal that is a number or text.
func constant(l *ast.Literal) (value.Value, bool) {
	switch l.Kind {
	case ast.LitString:
		return value.Str(l.Value), true
	case ast.LitInteger, ast.LitFloat:
		return numeral(strings.ReplaceAll(l.Raw, "_", ""))
	}
	return value.Value{}, false
}

// numeral reads a number as SQLite reads its literals
// (https://www.sqlite.org/lang_expr.html, "Literal Values"): digits that are
// too large for 64 bits are a REAL.
func numeral(text string) (value.Value, bool) {
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") {
		u, err := strconv.ParseUint(text[2:], 16, 64)
		return value.Int(int64(u)), err == nil
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value.Int(i), true
	}
	f, err := strconv.ParseFloat(text, 64)
	return value.Float(f), err == nil
}

// reads reports whether an expression depends on the data: it names a column,
// counts rows or has a subquery.
func reads(e ast.Expr, s *scope) bool {
	yes := false
	ast.Walk(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncCall:
			yes = yes || n.Star
			for _, arg := range n.Args {
				yes = yes || reads(arg, s)
			}
			return false
		case *ast.CollateExpr:
			yes = yes || reads(n.X, s)
			return false
		case *ast.Ident:
			yes = yes || !isString(n, s)
		case *ast.SelectStmt:
			yes = true
		}
		return !yes
	})
	return yes
}

// clock notes where a date function reads the clock: 'now', or no time at all
// (https://www.sqlite.org/lang_datefunc.html).
func (w *walker) clock(e *ast.FuncCall, s *scope) {
	at := 0
	switch fold(e.Name.Name) {
	case "date", "time", "datetime", "julianday", "unixepoch":
	case "strftime":
		at = 1
	default:
		return
	}
	f := &found{role: instant, scope: s}
	switch {
	case len(e.Args) == at:
		f.start = e.End() - 1
		f.end = f.start
		if at > 0 {
			f.before = ", "
		}
	case len(e.Args) > at:
		l, ok := e.Args[at].(*ast.Literal)
		if !ok || l.Kind != ast.LitString || !strings.EqualFold(l.Value, "now") {
			return
		}
		f.start, f.end = l.Pos(), l.End()
	default:
		return
	}
	w.found = append(w.found, f)
}

// instant notes CURRENT_TIMESTAMP, CURRENT_DATE and CURRENT_TIME.
func (w *walker) instant(l *ast.Literal, s *scope) {
	f := &found{role: instant, scope: s, start: l.Pos(), end: l.End()}
	switch l.Kind {
	case ast.LitCurrentTimestamp:
	case ast.LitCurrentDate:
		f.part = dateOnly
	case ast.LitCurrentTime:
		f.part = timeOnly
	default:
		return
	}
	w.found = append(w.found, f)
}

package dialect

import (
	"math"
	"strings"

	"github.com/sqlc-dev/meyer/token"

	"github.com/birdcall/birdcall/pkg/value"
)

// Binding strengths of SQLite's operators, weakest first
// (lang_expr.html, section 2).
const (
	bindOr = iota + 1
	bindAnd
	bindNot
	bindEqual   // = == <> != IS IN LIKE GLOB BETWEEN ISNULL NOTNULL
	bindCompare // < <= > >=
	bindBit     // & | << >>
	bindAdd     // + -
	bindMul     // * / %
	bindConcat  // || -> ->>
	bindCollate
	bindUnary
	bindAtom
)

// lowered is a piece of lowered text and how tightly its outermost operator
// binds in SQLite.
type lowered struct {
	text string
	bind int
}

func atom(text string) lowered { return lowered{text, bindAtom} }

// operand returns the text for use under an operator: everything that is not
// an atom gets parentheses, so that the other grammar has nothing to decide.
func (x lowered) operand() string {
	if x.bind == bindAtom {
		return x.text
	}
	return "(" + x.text + ")"
}

// leftOf is operand for the left side of an operator that both grammars group
// from left to right; chains of it need no parentheses.
func (x lowered) leftOf(bind int) string {
	if x.bind == bind {
		return x.text
	}
	return x.operand()
}

// since is the span from a place up to the cursor.
func (l *lowerer) since(start int) Span { return Span{start, l.toks[l.i-1].End} }

// whole gives an expression that the cursor has just passed its span.
func (l *lowerer) whole(start int, text string) lowered {
	return atom(l.call(&Whole{l.since(start)}, text))
}

// expr reads one whole expression.
func (l *lowerer) expr() string { return l.exprAt(bindOr).text }

// exprAt reads an expression whose operators bind at least as tightly as min.
func (l *lowerer) exprAt(min int) lowered {
	l.enter()
	defer l.leave()
	height := l.height
	l.height = 0
	start := l.cur().Pos
	var left lowered
	if l.at(token.NOT) && l.peek(1) != token.EXISTS {
		l.advance()
		left = l.whole(start, "not "+l.exprAt(bindNot).operand())
	} else {
		left = l.unary()
	}
	for {
		// What was read within is below this node, be it an operand or the
		// operator that has taken left in.
		if l.height++; l.height > MaxHeight {
			l.fail("nesting", "an expression is more than %d operators deep", MaxHeight)
		}
		next, ok := l.infix(start, left, min)
		if !ok {
			l.height = max(l.height, height)
			return left
		}
		left = next
	}
}

// chained lists the operators that the two grammars write and group alike.
var chained = map[token.Kind]struct {
	bind int
	text string
}{
	token.OR:     {bindOr, " or "},
	token.AND:    {bindAnd, " and "},
	token.PLUS:   {bindAdd, " + "},
	token.MINUS:  {bindAdd, " - "},
	token.STAR:   {bindMul, " * "},
	token.SLASH:  {bindMul, " / "},
	token.REM:    {bindMul, " % "},
	token.LT:     {bindCompare, " < "},
	token.LE:     {bindCompare, " <= "},
	token.GT:     {bindCompare, " > "},
	token.GE:     {bindCompare, " >= "},
	token.EQ:     {bindEqual, " = "},
	token.NE:     {bindEqual, " != "},
	token.BITAND: {bindBit, " & "},
	token.BITOR:  {bindBit, " | "},
	token.LSHIFT: {bindBit, " << "},
	token.RSHIFT: {bindBit, " >> "},
	token.CONCAT: {bindConcat, " ^ "}, // SQLite has no ^, MySQL no ||
}

// infix extends left, which begins at start, by the operator at the cursor, if
// one binds tightly enough.
func (l *lowerer) infix(start int, left lowered, min int) (lowered, bool) {
	k := l.cur().Kind
	if op, ok := chained[k]; ok {
		if op.bind < min {
			return left, false
		}
		l.advance()
		right := l.exprAt(op.bind + 1).operand()
		side := left.operand()
		switch op.bind {
		case bindOr, bindAnd, bindAdd, bindMul:
			side = left.leftOf(op.bind)
		}
		return lowered{side + op.text + right, op.bind}, true
	}
	switch {
	case k == token.PTR && bindConcat >= min:
		op := l.advance().Text(l.src)
		right := l.exprAt(bindConcat + 1).text
		return atom(l.call(&Operator{Span: l.since(start), Op: op}, left.text, right)), true
	case k == token.COLLATE && bindCollate >= min:
		l.advance()
		name := l.name("a collation")
		return atom(l.call(&Collate{l.since(start), name}, left.text)), true
	case bindEqual >= min:
		return l.predicate(start, left)
	}
	return left, false
}

// predicate reads the operators of equality's strength that are words.
func (l *lowerer) predicate(start int, left lowered) (lowered, bool) {
	not := false
	switch l.cur().Kind {
	case token.ISNULL:
		l.advance()
		return l.nullTest(start, left, false), true
	case token.NOTNULL:
		l.advance()
		return l.nullTest(start, left, true), true
	case token.IS:
		l.advance()
		return l.is(start, left), true
	case token.NOT:
		switch l.peek(1) {
		case token.NULL:
			l.advance()
			l.advance()
			return l.nullTest(start, left, true), true
		case token.IN, token.LIKE_KW, token.MATCH, token.BETWEEN:
			l.advance()
			not = true
		default:
			return left, false
		}
	}
	switch l.cur().Kind {
	case token.IN:
		l.advance()
		return l.in(start, left, not), true
	case token.BETWEEN:
		l.advance()
		low := l.exprAt(bindCompare).operand()
		l.expect(token.AND, "AND")
		return lowered{left.operand() + negation(not) + "between " + low + " and " + l.exprAt(bindCompare).operand(), bindEqual}, true
	case token.LIKE_KW, token.MATCH:
		return l.like(start, left, not), true
	}
	return left, false
}

func negation(not bool) string {
	if not {
		return " not "
	}
	return " "
}

// nullTest is IS [NOT] NULL in its short forms.
func (l *lowerer) nullTest(start int, left lowered, not bool) lowered {
	null := ":" + l.marks.add(&Literal{Span{l.toks[l.i-1].Pos, l.toks[l.i-1].End}, value.NullValue()})
	return l.same(start, left, null, not)
}

// same is a IS b, or a IS NOT b.
func (l *lowerer) same(start int, left lowered, right string, not bool) lowered {
	text := left.operand() + " <=> " + right
	if not {
		return atom(l.call(&IsNot{l.since(start)}, text))
	}
	return l.whole(start, text)
}

// like reads LIKE, GLOB, MATCH or REGEXP and its right side. GLOB travels as
// REGEXP.
func (l *lowerer) like(start int, left lowered, not bool) lowered {
	op := strings.ToUpper(l.advance().Text(l.src))
	right := l.exprAt(bindCompare)
	switch op {
	case "GLOB":
		return lowered{left.operand() + negation(not) + "regexp " + right.operand(), bindEqual}
	case "LIKE":
		text := left.operand() + negation(not) + "like " + right.operand()
		if l.accept(token.ESCAPE) {
			text += " escape " + l.exprAt(bindCompare).operand()
		}
		return lowered{text, bindEqual}
	}
	if l.accept(token.ESCAPE) {
		l.fail("ESCAPE", "%s has no ESCAPE", op)
	}
	return atom(l.call(&Operator{Span: l.since(start), Op: op, Not: not}, left.text, right.text))
}

// is reads what follows IS: [NOT] [DISTINCT FROM] operand.
func (l *lowerer) is(start int, left lowered) lowered {
	not := l.accept(token.NOT)
	if l.accept(token.DISTINCT) { // IS NOT, by another name
		l.expect(token.FROM, "FROM")
		not = !not
	}
	right := l.exprAt(bindCompare).operand()
	return l.same(start, left, right, not)
}

// in reads the right side of IN: a list, a subquery or a table's name.
func (l *lowerer) in(start int, left lowered, not bool) lowered {
	open := l.cur().Pos
	text := left.operand() + negation(not) + "in ("
	switch {
	case !l.accept(token.LP):
		t := &Table{Name: l.name("a list, a subquery or a table")}
		args := l.table(t, open)
		return l.whole(start, text+l.call(&InTable{t.Span, t}, args...)+")")
	case l.startsQuery():
		q := &Query{Statement: l.subquery()}
		l.expect(token.RP, "')'")
		q.Span = l.since(open)
		return l.whole(start, text+l.call(q)+")")
	case l.accept(token.RP): // IN () is false and NOT IN () true, for NULL too
		return atom(l.call(&InNothing{l.since(start), not}, left.text))
	}
	list := l.exprList()
	l.expect(token.RP, "')'")
	return l.whole(start, text+list+")")
}

// unary reads a prefix operator or an operand.
func (l *lowerer) unary() lowered {
	op, start := "", l.cur().Pos
	switch l.cur().Kind {
	case token.MINUS:
		op = "-"
	case token.PLUS:
		op = "+"
	case token.BITNOT:
		op = "~"
	default:
		return l.primary()
	}
	l.advance()
	if op == "-" && strings.ReplaceAll(l.text(), "_", "") == "9223372036854775808" {
		l.advance() // the smallest integer, whose digits alone are none
		return atom(":" + l.marks.add(&Literal{l.since(start), value.Int(math.MinInt64)}))
	}
	return l.whole(start, op+l.exprAt(bindUnary).operand())
}

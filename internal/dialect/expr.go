package dialect

import (
	"strings"

	"github.com/sqlc-dev/meyer/token"
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

// expr reads one whole expression.
func (l *lowerer) expr() string { return l.exprAt(bindOr).text }

// exprAt reads an expression whose operators bind at least as tightly as min.
func (l *lowerer) exprAt(min int) lowered {
	l.enter()
	defer l.leave()
	beside := l.height
	l.height = 0
	var left lowered
	if l.at(token.NOT) && l.peek(1) != token.EXISTS {
		l.advance()
		left = lowered{"not " + l.exprAt(bindNot).operand(), bindNot}
	} else {
		left = l.unary()
	}
	for {
		// What was read within is below this node, be it an operand or the
		// operator that has taken left in.
		if l.height++; l.height > MaxHeight {
			l.fail("nesting", "an expression is more than %d operators deep", MaxHeight)
		}
		next, ok := l.infix(left, min)
		if !ok {
			l.height = max(l.height, beside)
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

// infix extends left by the operator at the cursor, if one binds tightly
// enough.
func (l *lowerer) infix(left lowered, min int) (lowered, bool) {
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
	case k == token.PTR:
		l.fail("JSON operator", "-> and ->> are not supported")
	case k == token.COLLATE && bindCollate >= min:
		l.advance()
		return lowered{left.operand() + " collate " + quote(l.name("a collation")), bindCollate}, true
	case bindEqual >= min:
		return l.predicate(left)
	}
	return left, false
}

// predicate reads the operators of equality's strength that are words.
func (l *lowerer) predicate(left lowered) (lowered, bool) {
	is := func(text string) (lowered, bool) {
		return lowered{left.operand() + " " + text, bindEqual}, true
	}
	switch l.cur().Kind {
	case token.ISNULL:
		l.advance()
		return is("is null")
	case token.NOTNULL:
		l.advance()
		return is("is not null")
	case token.IS:
		l.advance()
		return l.is(left), true
	}
	not := ""
	if l.at(token.NOT) {
		switch l.peek(1) {
		case token.NULL:
			l.advance()
			l.advance()
			return is("is not null")
		case token.IN, token.LIKE_KW, token.MATCH, token.BETWEEN:
			l.advance()
			not = "not "
		default:
			return left, false
		}
	}
	switch l.cur().Kind {
	case token.IN:
		l.advance()
		return l.in(left, not), true
	case token.BETWEEN:
		l.advance()
		low := l.exprAt(bindCompare).operand()
		l.expect(token.AND, "AND")
		return is(not + "between " + low + " and " + l.exprAt(bindCompare).operand())
	case token.LIKE_KW:
		return is(not + l.like())
	case token.MATCH:
		l.fail("MATCH", "the MATCH operator belongs to full-text tables, which are not supported")
	}
	return left, false
}

// like reads LIKE or GLOB and its right side. GLOB travels as REGEXP, for
// which SQLite has no implementation of its own.
func (l *lowerer) like() string {
	op := strings.ToUpper(l.text())
	if op == "REGEXP" {
		l.fail("REGEXP", "SQLite has no REGEXP function of its own")
	}
	l.advance()
	right := l.exprAt(bindCompare).operand()
	if op == "GLOB" {
		return "regexp " + right
	}
	if l.accept(token.ESCAPE) {
		right += " escape " + l.exprAt(bindCompare).operand()
	}
	return "like " + right
}

// is reads what follows IS: [NOT] [DISTINCT FROM] operand.
func (l *lowerer) is(left lowered) lowered {
	not := l.accept(token.NOT)
	if l.accept(token.DISTINCT) { // IS NOT, by another name
		l.expect(token.FROM, "FROM")
		not = !not
	}
	word := "is "
	if not {
		word = "is not "
	}
	first := l.i
	right := l.exprAt(bindCompare)
	if l.i == first+1 { // one token: NULL, TRUE and FALSE make tests of their own
		switch t := l.toks[first]; {
		case t.Kind == token.NULL:
			return lowered{left.operand() + " " + word + "null", bindEqual}
		case t.Kind == token.ID && (strings.EqualFold(t.Text(l.src), "true") || strings.EqualFold(t.Text(l.src), "false")):
			return lowered{left.operand() + " " + word + strings.ToLower(t.Text(l.src)), bindEqual}
		}
	}
	same := left.operand() + " <=> " + right.operand()
	if not {
		return lowered{"not (" + same + ")", bindNot}
	}
	return lowered{same, bindEqual}
}

// in reads the right side of IN: a list, a subquery or a table's name.
func (l *lowerer) in(left lowered, not string) lowered {
	if !l.accept(token.LP) {
		t := quote(l.name("a list, a subquery or a table"))
		return lowered{left.operand() + " " + not + "in (select * from " + t + ")", bindEqual}
	}
	switch {
	case l.at(token.SELECT), l.at(token.WITH):
		m := l.split()
		l.expect(token.RP, "')'")
		return lowered{left.operand() + " " + not + "in (select * from " + quote(m) + ")", bindEqual}
	case l.accept(token.RP): // IN () is false and NOT IN () true, for NULL too
		if not != "" {
			return atom("1")
		}
		return atom("0")
	}
	list := l.exprList()
	l.expect(token.RP, "')'")
	return lowered{left.operand() + " " + not + "in (" + list + ")", bindEqual}
}

// unary reads a prefix operator or an operand.
func (l *lowerer) unary() lowered {
	op := ""
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
	x := l.exprAt(bindUnary)
	if op == "-" && (l.toks[l.i-1].Kind == token.INTEGER || l.toks[l.i-1].Kind == token.FLOAT) && x.bind == bindAtom {
		return lowered{"-" + x.text, bindUnary}
	}
	return lowered{op + x.operand(), bindUnary}
}

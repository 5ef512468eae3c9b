package dialect

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/sqlc-dev/meyer/token"

	"github.com/birdcall/birdcall/pkg/value"
)

// primary reads an operand without operators: a literal, a column, a call, a
// CASE, a CAST, or something in parentheses.
func (l *lowerer) primary() lowered {
	start := l.cur().Pos
	switch k := l.cur().Kind; k {
	case token.INTEGER, token.FLOAT, token.QNUMBER:
		return l.literal(l.number())
	case token.STRING:
		if s := l.text(); s[0] == '"' {
			break
		}
		if l.peek(1) == token.DOT { // 'table'.column
			break
		}
		return l.literal(value.Str(unquote(l.text())))
	case token.BLOB:
		b, err := hex.DecodeString(strings.TrimSuffix(l.text()[2:], "'"))
		if err != nil {
			l.fail("blob literal", "%s is not hexadecimal", l.text())
		}
		return l.literal(value.Bytes(string(b)))
	case token.NULL:
		return l.literal(value.NullValue())
	case token.CTIME_KW:
		name := strings.ToLower(l.advance().Text(l.src))
		return atom(l.call(&Clock{l.since(start), name}))
	case token.VARIABLE:
		l.fail("bind parameter", "%s has no value here; write the value into the statement", l.text())
	case token.LP:
		return l.parenthesized()
	case token.NOT, token.EXISTS:
		return l.exists()
	case token.CASE:
		return l.caseExpr()
	case token.CAST:
		if l.peek(1) == token.LP {
			return l.cast()
		}
	case token.RAISE:
		if l.peek(1) == token.LP {
			l.fail("RAISE", "RAISE belongs into triggers")
		}
	}
	if !token.IsName(l.cur().Kind) {
		l.fail("syntax", "expected an expression, found %s", l.found())
	}
	if l.peek(1) == token.LP && l.cur().Kind != token.STRING {
		return l.function()
	}
	return l.column()
}

// literal passes the token at the cursor, which stands for that value.
func (l *lowerer) literal(v value.Value) lowered {
	t := l.advance()
	return atom(":" + l.marks.add(&Literal{Span{t.Pos, t.End}, v}))
}

// number reads a numeric literal (lang_expr.html, section 4): an integer beyond
// 64 bits is a REAL.
func (l *lowerer) number() value.Value {
	s := strings.ReplaceAll(l.text(), "_", "")
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") {
		u, err := strconv.ParseUint(s[2:], 16, 64)
		if err != nil {
			l.fail("hexadecimal literal", "%s does not fit into 64 bits", s)
		}
		return value.Int(int64(u))
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return value.Int(n)
	}
	return value.ToNumeric(value.Str(s))
}

// parenthesized reads an expression, a row value or a subquery in parentheses.
func (l *lowerer) parenthesized() lowered {
	start := l.cur().Pos
	l.expect(token.LP, "'('")
	if l.startsQuery() {
		q := &Query{Statement: l.subquery()}
		l.expect(token.RP, "')'")
		q.Span = l.since(start)
		// Parentheses distinguish a subquery that is a value from that of an IN.
		return atom(l.call(&Parens{q.Span}, l.call(q)))
	}
	list := l.exprList()
	l.expect(token.RP, "')'")
	return atom(l.call(&Parens{l.since(start)}, list))
}

func (l *lowerer) exists() lowered {
	start := l.cur().Pos
	not := l.accept(token.NOT)
	q := &Query{Exists: true}
	from := l.cur().Pos
	l.expect(token.EXISTS, "EXISTS")
	l.expect(token.LP, "'('")
	q.Statement = l.subquery()
	l.expect(token.RP, "')'")
	q.Span = l.since(from)
	if not {
		return l.whole(start, "not "+l.call(q))
	}
	return atom(l.call(q))
}

func (l *lowerer) caseExpr() lowered {
	start := l.cur().Pos
	l.expect(token.CASE, "CASE")
	var b strings.Builder
	b.WriteString("case ")
	if !l.at(token.WHEN) {
		b.WriteString("(" + l.expr() + ") ")
	}
	for l.accept(token.WHEN) {
		b.WriteString("when " + l.expr())
		l.expect(token.THEN, "THEN")
		b.WriteString(" then " + l.expr() + " ")
	}
	if l.accept(token.ELSE) {
		b.WriteString("else " + l.expr() + " ")
	}
	l.expect(token.END, "END")
	b.WriteString("end")
	return l.whole(start, b.String())
}

func (l *lowerer) cast() lowered {
	first := l.cur().Pos
	l.expect(token.CAST, "CAST")
	l.expect(token.LP, "'('")
	x := l.expr()
	l.expect(token.AS, "AS")
	typ := l.typeName()
	l.expect(token.RP, "')'")
	return atom(l.call(&Cast{l.since(first), typ}, x))
}

// typeName reads the name of a type: any words, maybe none, and after words one
// or two numbers in parentheses (https://www.sqlite.org/syntax/type-name.html).
func (l *lowerer) typeName() string {
	start := l.cur().Pos
	for token.IsID(l.cur().Kind) || l.at(token.STRING) {
		l.advance()
	}
	if l.cur().Pos > start && l.accept(token.LP) {
		l.signedNumber()
		if l.accept(token.COMMA) {
			l.signedNumber()
		}
		l.expect(token.RP, "')'")
	}
	return strings.TrimSpace(l.src[start:l.cur().Pos])
}

func (l *lowerer) signedNumber() {
	if !l.accept(token.MINUS) {
		l.accept(token.PLUS)
	}
	if !l.accept(token.FLOAT) {
		l.expect(token.INTEGER, "a number")
	}
}

// column reads [[schema.]table.]column. A name in double quotes may turn out
// to be a string (lang_expr.html, section 3.1), which only its scope shows.
func (l *lowerer) column() lowered {
	n := &Name{Quoted: l.text()[0] == '"'}
	start := l.cur().Pos
	parts := []string{l.name("a column")}
	for l.at(token.DOT) && len(parts) < 3 {
		l.advance()
		parts = append(parts, l.name("a column"))
	}
	switch len(parts) {
	case 3:
		n.Schema, n.Table = parts[0], parts[1]
	case 2:
		n.Table = parts[0]
	}
	n.Column, n.Span = parts[len(parts)-1], l.since(start)
	n.Quoted = n.Quoted && len(parts) == 1
	return atom(l.marks.add(n))
}

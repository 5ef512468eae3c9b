package dialect

import (
	"strconv"
	"strings"

	"github.com/sqlc-dev/meyer/token"
)

// primary reads an operand without operators: a literal, a column, a call, a
// CASE, a CAST, or something in parentheses.
func (l *lowerer) primary() lowered {
	switch k := l.cur().Kind; k {
	case token.INTEGER, token.FLOAT, token.QNUMBER:
		return atom(l.number())
	case token.STRING:
		if s := l.text(); s[0] == '"' {
			break
		}
		if l.peek(1) == token.DOT { // 'table'.column
			break
		}
		return atom(literal(unquote(l.advance().Text(l.src))))
	case token.BLOB:
		return atom("x'" + strings.ToLower(l.advance().Text(l.src)[2:]))
	case token.NULL:
		l.advance()
		return atom("null")
	case token.CTIME_KW:
		return atom(call("?" + strings.ToLower(l.advance().Text(l.src))))
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

// number normalizes a numeric literal to what both grammars take: hexadecimal
// integers become decimal, integers beyond 64 bits become reals, and reals get
// a digit on each side of the point.
func (l *lowerer) number() string {
	s := strings.ReplaceAll(l.advance().Text(l.src), "_", "")
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") {
		u, err := strconv.ParseUint(s[2:], 16, 64)
		if err != nil {
			l.fail("hexadecimal literal", "%s does not fit into 64 bits", s)
		}
		return strconv.FormatInt(int64(u), 10)
	}
	if !strings.ContainsAny(s, ".eE") {
		if _, err := strconv.ParseUint(s, 10, 63); err != nil && s != "9223372036854775808" {
			return s + ".0"
		}
		return s
	}
	mantissa, exponent := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], "e"+strings.TrimPrefix(s[i+1:], "+")
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		fraction = "0"
	}
	return whole + "." + fraction + exponent
}

func (l *lowerer) parenthesized() lowered {
	l.expect(token.LP, "'('")
	if l.at(token.SELECT) || l.at(token.WITH) || l.at(token.VALUES) {
		m := l.split()
		l.expect(token.RP, "')'")
		return atom("(select * from " + quote(m) + ")")
	}
	list := l.exprList()
	l.expect(token.RP, "')'")
	return atom("(" + list + ")")
}

func (l *lowerer) exists() lowered {
	not := l.accept(token.NOT)
	l.expect(token.EXISTS, "EXISTS")
	l.expect(token.LP, "'('")
	m := l.split()
	l.expect(token.RP, "')'")
	text := "exists (select * from " + quote(m) + ")"
	if not {
		return lowered{"not " + text, bindNot}
	}
	return lowered{text, bindEqual}
}

func (l *lowerer) caseExpr() lowered {
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
	return atom(b.String())
}

func (l *lowerer) cast() lowered {
	l.expect(token.CAST, "CAST")
	l.expect(token.LP, "'('")
	x := l.expr()
	l.expect(token.AS, "AS")
	start := l.cur().Pos
	for depth := 0; depth > 0 || !l.at(token.RP); {
		switch l.cur().Kind {
		case token.LP:
			depth++
		case token.RP:
			depth--
		case token.EOF:
			l.expect(token.RP, "')'")
		}
		l.advance()
	}
	typ := strings.TrimSpace(l.src[start:l.cur().Pos])
	l.expect(token.RP, "')'")
	return atom(call(fnCast, x, literal(typ)))
}

// column reads [[schema.]table.]column. A name in double quotes may turn out
// to be a string (lang_expr.html, section 3.1), which only its scope can
// tell: it is marked, and AsName hands the mark on.
func (l *lowerer) column() lowered {
	quoted := l.text()[0] == '"'
	parts := []string{l.name("a column")}
	for l.at(token.DOT) && len(parts) < 3 {
		l.advance()
		parts = append(parts, l.name("a column"))
	}
	if quoted && len(parts) == 1 {
		return atom(quote(doubleQuoted) + "." + quote(parts[0]))
	}
	for i, p := range parts {
		parts[i] = quote(p)
	}
	return atom(strings.Join(parts, "."))
}

// call writes a function call.
func call(name string, args ...string) string {
	return quote(name) + "(" + strings.Join(args, ", ") + ")"
}

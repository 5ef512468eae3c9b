package dialect

import (
	"strings"

	"github.com/sqlc-dev/meyer/token"
)

// quote writes a name as MySQL's backquoted identifier.
func quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// literal writes a text as MySQL's string, whose backslash is an escape.
func literal(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\'', '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case 0:
			b.WriteString(`\0`)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// unquote takes the quotes off a SQLite token: 'x', "x", `x` or [x]. A doubled
// quote inside stands for one.
func unquote(s string) string {
	if len(s) < 2 {
		return s
	}
	switch q := s[0]; q {
	case '\'', '"', '`':
		return strings.ReplaceAll(s[1:len(s)-1], string([]byte{q, q}), string(q))
	case '[':
		return s[1 : len(s)-1]
	}
	return s
}

// name reads a name token ("nm" of SQLite's grammar: an identifier, a string,
// a keyword that may serve as a name, or one of the join words).
func (l *lowerer) name(what string) string {
	if !token.IsName(l.cur().Kind) {
		l.fail("syntax", "expected %s, found %s", what, l.found())
	}
	return l.checked(unquote(l.advance().Text(l.src)))
}

// checked refuses the few names that cannot pass: the empty one, which MySQL's
// grammar lacks, and those that would look like the markers of this package.
func (l *lowerer) checked(n string) string {
	if n == "" {
		l.fail("empty name", "an identifier without a character cannot be carried over; give it a name")
	}
	if n[0] == '?' {
		l.fail("name with '?'", "names that start with '?' are reserved; rename %q", n)
	}
	return n
}

// alias reads [AS] name where one stands here, else returns "". A bare alias
// may not be one of the join words, as in SQLite.
func (l *lowerer) alias() string {
	if l.accept(token.AS) {
		return l.name("an alias")
	}
	if k := l.cur().Kind; token.IsIDS(k) {
		return l.name("an alias")
	}
	return ""
}

func asAlias(a string) string {
	if a == "" {
		return ""
	}
	return " as " + quote(a)
}

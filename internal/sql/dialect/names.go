package dialect

import (
	"strconv"
	"strings"

	"github.com/sqlc-dev/meyer/token"
)

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
	return unquote(l.advance().Text(l.src))
}

// names reads a list of names.
func (l *lowerer) names(what string) []string {
	var out []string
	for {
		out = append(out, l.name(what))
		if !l.accept(token.COMMA) {
			return out
		}
	}
}

// alias reads [AS] name, if there is one. An alias without AS may not be one of
// the join words, as in SQLite.
func (l *lowerer) alias() (string, Span) {
	if !l.accept(token.AS) && !token.IsIDS(l.cur().Kind) {
		return "", Span{}
	}
	start := l.cur().Pos
	name := l.name("an alias")
	return name, l.since(start)
}

// columnName is what SQLite calls a column of VALUES, counted from 1.
func columnName(n int) string { return "column" + strconv.Itoa(n) }

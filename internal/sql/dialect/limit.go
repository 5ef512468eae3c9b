package dialect

import (
	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"
)

// WithoutLimit returns the statement without the LIMIT and OFFSET that close
// it, and whether there was one. Those of subqueries stay.
func WithoutLimit(sql string) (string, bool) {
	depth, at := 0, -1
	for _, t := range lexer.Lex(sql) {
		switch t.Kind {
		case token.LP:
			depth++
		case token.RP:
			depth--
		case token.LIMIT:
			if depth == 0 {
				at = t.Pos
			}
		}
	}
	if at < 0 {
		return sql, false
	}
	return sql[:at], true
}

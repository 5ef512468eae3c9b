package sqlite

import (
	"fmt"
	"strings"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"
)

// Quote returns name as a quoted identifier
// (https://www.sqlite.org/lang_keywords.html).
func Quote(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// single returns the one SELECT in sql without surrounding space, comments
// and semicolons.
func single(sql string) (string, error) {
	tokens := lexer.Lex(sql)
	if i := strings.IndexByte(sql, 0); i >= 0 {
		return "", fmt.Errorf("%w: it has a NUL byte at offset %d", ErrNotSelect, i)
	}
	tokens = tokens[:len(tokens)-1] // the end of input
	for len(tokens) > 0 && tokens[len(tokens)-1].Kind == token.SEMI {
		tokens = tokens[:len(tokens)-1]
	}
	for len(tokens) > 0 && tokens[0].Kind == token.SEMI {
		tokens = tokens[1:]
	}
	if len(tokens) == 0 {
		return "", fmt.Errorf("%w: it is empty", ErrNotSelect)
	}
	for _, t := range tokens {
		if t.Kind == token.SEMI {
			return "", fmt.Errorf("%w: another one follows the semicolon at offset %d", ErrManyStatements, t.Pos)
		}
	}
	switch first := tokens[0]; first.Kind {
	case token.SELECT, token.WITH, token.VALUES:
		return sql[first.Pos:tokens[len(tokens)-1].End], nil
	default:
		return "", fmt.Errorf("%w: it starts with %s", ErrNotSelect, first.Text(sql))
	}
}

package sqlite

import (
	"fmt"
	"strconv"
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

// exact wraps a SELECT of n columns so that its first step computes and keeps
// all rows (a materialized CTE, https://www.sqlite.org/lang_with.html), which
// later steps only read. The statement itself runs as it was written and the
// rows keep their order. There are two reasons. The driver watches the
// context only during the first step. And it turns the text of a column
// declared DATE, DATETIME or TIMESTAMP into a time.Time, but an expression
// such as +c1 has no declared type.
func exact(sql string, n int) string {
	name := "answer"
	for strings.Contains(strings.ToLower(sql), name) {
		name += "_"
	}
	var b strings.Builder
	b.WriteString("WITH " + name + "(")
	list(&b, "c", n)
	b.WriteString(") AS MATERIALIZED (" + sql + "\n) SELECT ")
	list(&b, "+c", n)
	b.WriteString(" FROM " + name)
	return b.String()
}

// list writes prefix1,prefix2,...,prefixN.
func list(b *strings.Builder, prefix string, n int) {
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(prefix + strconv.Itoa(i+1))
	}
}

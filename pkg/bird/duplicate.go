package bird

import (
	"strings"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"
)

// markDuplicates sets DuplicateOf in each question that repeats the statement of an
// earlier question on the same database.
func markDuplicates(questions []Question) {
	type statement struct{ db, sql string }
	first := map[statement]ID{}
	for i := range questions {
		q := &questions[i]
		s := statement{q.DB, tokensOf(q.SQL)}
		if id, ok := first[s]; ok {
			q.DuplicateOf = id
		} else {
			first[s] = q.ID
		}
	}
}

// tokensOf returns a statement with one space between its tokens, without its
// comments and without semicolons at its end.
func tokensOf(sql string) string {
	tokens := lexer.Lex(sql)
	end := len(tokens) - 1 // the end of input
	if tokens[end].Pos < len(sql) {
		return sql // a NUL byte, which no statement has
	}
	for end > 0 && tokens[end-1].Kind == token.SEMI {
		end--
	}
	texts := make([]string, end)
	for i, t := range tokens[:end] {
		texts[i] = t.Text(sql)
	}
	return strings.Join(texts, " ")
}

package language

import (
	"strings"
	"time"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

var sqlite = Language{Dialect: engine.SQLite, Parse: parseSQLite, FixClock: fixSQLiteClock}

func parseSQLite(sql string) (*Statement, error) {
	query, err := sqltree.Parse(sql)
	if err != nil {
		return nil, err
	}
	s := &Statement{SQL: sql, Query: query}
	toks := lexer.Lex(sql)
	for i, t := range toks {
		if t.Kind == token.EOF {
			break
		}
		text := sqliteWord(sql, t)
		if i+1 < len(toks) && toks[i+1].Kind == token.LP {
			text = sqlfunc.Canonical(text)
		}
		s.Words = append(s.Words, Word{sqltree.Span{Start: t.Pos, End: t.End}, text})
	}
	return s, nil
}

func sqliteWord(sql string, t token.Token) string {
	text := t.Text(sql)
	switch t.Kind {
	case token.SEMI, token.AS, token.ASC:
		return ""
	case token.STRING:
		return text
	}
	switch word := spelling.Lower(strings.Trim(text, "`\"[]")); word {
	case "inner", "outer":
		return ""
	case "==":
		return "="
	case "!=":
		return "<>"
	default:
		return word
	}
}

// fixSQLiteClock fails for a statement that is too large.
func fixSQLiteClock(sql string, asOf time.Time) (fixed string, changed bool, err error) {
	if err := dialect.CheckSize(sql); err != nil {
		return "", false, err
	}
	fixed, changed = dialect.FixClock(sql, asOf)
	return fixed, changed, nil
}

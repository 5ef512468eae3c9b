package language

import (
	"strings"

	db "github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/sql/pgsql"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

var postgres = Language{Dialect: db.Dialect, Parse: parsePostgres, FixClock: pgsql.FixClock, ReadsClock: readsPostgresClock}

func parsePostgres(sql string) (*Statement, error) {
	parsed, err := pgsql.Parse(sql)
	if err != nil {
		return nil, err
	}
	s := &Statement{SQL: sql, Query: parsed.Query}
	for _, t := range parsed.Tokens {
		s.Words = append(s.Words, Word{sqltree.Span{Start: t.Start, End: t.End}, postgresWord(sql[t.Start:t.End])})
	}
	return s, nil
}

func postgresWord(text string) string {
	if strings.ContainsAny(text, `'"$`) {
		return text
	}
	switch word := spelling.Lower(text); word {
	case ";", "as", "asc", "inner", "outer":
		return ""
	case "!=":
		return "<>"
	default:
		return word
	}
}

func readsPostgresClock(e sqltree.Expr) (ClockRead, bool) {
	read, ok := pgsql.ReadsClock(e)
	return ClockRead(read), ok
}

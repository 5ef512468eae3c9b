package dialect

import (
	"strings"
	"time"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"
)

// timestamp is how SQLite writes an instant (lang_datefunc.html, section 2).
const timestamp = "2006-01-02 15:04:05"

// FixClock rewrites a statement so that it reads the given instant instead of
// the clock: CURRENT_DATE, CURRENT_TIME and CURRENT_TIMESTAMP, 'now' as the
// time of a date function, and a date function without a time
// (lang_datefunc.html). changed reports whether there was any of these. The
// rest of the text stays as it is.
func FixClock(sql string, asOf time.Time) (fixed string, changed bool) {
	now := asOf.UTC().Format(timestamp)
	toks := lexer.Lex(sql)
	kind := func(i int) token.Kind {
		if i >= len(toks) {
			return token.EOF
		}
		return toks[i].Kind
	}
	var b strings.Builder
	from := 0
	put := func(upTo, next int, text string) {
		b.WriteString(sql[from:upTo])
		b.WriteString(text)
		from, changed = next, true
	}
	for i, t := range toks {
		switch {
		case t.Kind == token.CTIME_KW:
			put(t.Pos, t.End, clockWord(t.Text(sql), now))
		case kind(i+1) == token.LP && isDateFunction(t.Text(sql)):
			at := i + 2
			if strings.EqualFold(t.Text(sql), "strftime") {
				if at = afterComma(toks, at); at < 0 {
					if end := closing(toks, i+2); end > i+2 {
						put(toks[end].Pos, toks[end].Pos, ", '"+now+"'")
					}
					continue
				}
			}
			switch {
			case kind(at) == token.RP:
				put(toks[at].Pos, toks[at].Pos, "'"+now+"'")
			case kind(at) == token.STRING && strings.EqualFold(unquote(toks[at].Text(sql)), "now"):
				put(toks[at].Pos, toks[at].End, "'"+now+"'")
			}
		}
	}
	b.WriteString(sql[from:])
	return b.String(), changed
}

func clockWord(word, now string) string {
	switch strings.ToUpper(word) {
	case "CURRENT_DATE":
		now = now[:10]
	case "CURRENT_TIME":
		now = now[11:]
	}
	return "'" + now + "'"
}

func isDateFunction(name string) bool {
	switch strings.ToLower(name) {
	case "date", "time", "datetime", "julianday", "unixepoch", "strftime":
		return true
	}
	return false
}

// afterComma returns the place after the first comma of the argument list
// that starts at i, or -1.
func afterComma(toks []token.Token, i int) int {
	for depth := 0; i < len(toks); i++ {
		switch toks[i].Kind {
		case token.LP:
			depth++
		case token.RP:
			if depth == 0 {
				return -1
			}
			depth--
		case token.COMMA:
			if depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// closing returns the place of the parenthesis that closes the list starting
// at i, or -1.
func closing(toks []token.Token, i int) int {
	for depth := 0; i < len(toks); i++ {
		switch toks[i].Kind {
		case token.LP:
			depth++
		case token.RP:
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

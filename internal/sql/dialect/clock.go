package dialect

import (
	"slices"
	"strings"
	"time"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
)

// timestamp is how SQLite writes an instant (lang_datefunc.html, section 2).
const timestamp = "2006-01-02 15:04:05"

// FixClock rewrites a statement so that it reads the given instant instead of
// the clock: CURRENT_DATE, CURRENT_TIME and CURRENT_TIMESTAMP, 'now' or 'subsec' as the
// time of a date function, and a date function without a time
// (lang_datefunc.html). changed reports whether there was any of these. The
// rest of the text stays as it is.
//
// A statement that CheckSize refuses is returned as it is.
func FixClock(sql string, asOf time.Time) (fixed string, changed bool) {
	if CheckSize(sql) != nil {
		return sql, false
	}
	now := asOf.UTC().Format(timestamp)
	toks := lexer.Lex(sql)
	lists := argumentLists(toks)
	kind := func(i int) token.Kind {
		if i >= len(toks) {
			return token.EOF
		}
		return toks[i].Kind
	}
	type edit struct {
		from, to int
		text     string
	}
	var edits []edit
	put := func(from, to int, text string) { edits = append(edits, edit{from, to, text}) }
	for i, t := range toks {
		switch {
		case t.Kind == token.CTIME_KW:
			put(t.Pos, t.End, clockWord(t.Text(sql), now))
		case kind(i+1) == token.LP:
			place, ok := sqlfunc.SQLite(t.Text(sql)).TimeArgument()
			if !ok {
				continue
			}
			at := i + 2
			if place == 1 {
				list := lists[i+1]
				if at = list.second; at < 0 {
					if list.end > i+2 {
						put(toks[list.end].Pos, toks[list.end].Pos, ", '"+now+"'")
					}
					continue
				}
			}
			switch {
			case kind(at) == token.RP:
				put(toks[at].Pos, toks[at].Pos, "'"+now+"'")
			case kind(at) == token.STRING:
				switch isNow, modifies := sqlfunc.MeansNow(unquote(toks[at].Text(sql))); {
				case modifies:
					put(toks[at].Pos, toks[at].Pos, "'"+now+"', ")
				case isNow:
					put(toks[at].Pos, toks[at].End, "'"+now+"'")
				}
			}
		}
	}
	// What a function within another one needs may come before what the outer
	// one does.
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	from := 0
	for _, e := range edits {
		b.WriteString(sql[from:e.from] + e.text)
		from = e.to
	}
	b.WriteString(sql[from:])
	return b.String(), len(edits) > 0
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

// argumentList says where the list in a pair of parentheses goes on after its
// first comma, and where it closes; -1 where it does not.
type argumentList struct{ second, end int }

// argumentLists finds those of all parentheses, by the place of the opening one.
func argumentLists(toks []token.Token) map[int]argumentList {
	lists := map[int]argumentList{}
	var open []int
	for i, t := range toks {
		switch t.Kind {
		case token.LP:
			open = append(open, i)
			lists[i] = argumentList{-1, -1}
			continue
		case token.COMMA, token.RP:
		default:
			continue
		}
		if len(open) == 0 {
			continue
		}
		at := open[len(open)-1]
		list := lists[at]
		if t.Kind == token.RP {
			list.end = i
			open = open[:len(open)-1]
		} else if list.second < 0 {
			list.second = i + 1
		}
		lists[at] = list
	}
	return lists
}

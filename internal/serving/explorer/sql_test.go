package explorer

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// marked writes spans with the first letters of their kinds, and | where a line is
// to begin. n is a number, or a name in quotes.
func marked(spans []span) string {
	var b strings.Builder
	for _, s := range spans {
		if s.Line {
			b.WriteByte('|')
		}
		if s.Kind == "" {
			b.WriteString(s.Text)
			continue
		}
		b.WriteString("<" + s.Kind[:1] + " " + s.Text + ">")
	}
	return b.String()
}

func TestColour(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"", ""},
		{"SELECT 1", "<k SELECT> <n 1>"},
		{"select a.`b c`, \"d\" from t", "<k select> a.<n `b c`>, <n \"d\"> |<k from> t"},
		{"SELECT COUNT(*) FROM t -- all\nWHERE a = 'x''y'", "<k SELECT> <f COUNT>(*) |<k FROM> t<c  -- all\n>|<k WHERE> a = <s 'x''y'>"},
		{"SELECT t.key, replace(a, 'b', x'00') FROM t", "<k SELECT> t.key, <f replace>(a, <s 'b'>, <s x'00'>) |<k FROM> t"},
		{"SELECT a FROM t LEFT OUTER JOIN u ON 1.5 JOIN v", "<k SELECT> a |<k FROM> t |<k LEFT> <k OUTER> <k JOIN> u <k ON> <n 1.5> |<k JOIN> v"},
		{"SELECT (SELECT 1 FROM t WHERE 1)", "<k SELECT> (<k SELECT> <n 1> <k FROM> t <k WHERE> <n 1>)"},
		{"SELECT 'open", "<k SELECT> 'open"},
		{"no SQL; \x00 at all", "<k no> SQL;<c  \x00 at all>"},
	} {
		if got := marked(colour(c.sql)); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.sql, got, c.want)
		}
	}
}

// The spans of any text are that text.
func FuzzColour(f *testing.F) {
	for _, seed := range []string{"SELECT a FROM t WHERE b = 'c' -- d", "((", "'", "/*", "SELECT \xff, [a", "GROUP BY x'0'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		var b strings.Builder
		for _, s := range colour(sql) {
			b.WriteString(s.Text)
			if utf8.ValidString(sql) && !utf8.ValidString(s.Text) {
				t.Errorf("%q: a character is cut in %q", sql, s.Text)
			}
		}
		if b.String() != sql {
			t.Errorf("%q became %q", sql, b.String())
		}
	})
}

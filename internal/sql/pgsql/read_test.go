package pgsql_test

import (
	"os"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/sql/pgsql"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestRoundTrip renders statements from their trees, and reads that again. The
// lines of testdata/statements.sql are statements; statements.txt has what is
// rendered, or the error.
func TestRoundTrip(t *testing.T) {
	input, err := os.ReadFile("testdata/statements.sql")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(input)) {
		line = strings.TrimRight(line, "\n")
		out.WriteString(line + "\n")
		s, err := pgsql.Parse(line)
		if err != nil {
			out.WriteString("\terror: " + err.Error() + "\n")
			continue
		}
		text := render(s.Query)
		out.WriteString("\t" + text + "\n")
		checkPlaces(t, s)
		again, err := pgsql.Parse(text)
		if err != nil {
			t.Errorf("%s\n\trendered: %s\n\t%v", line, text, err)
			continue
		}
		if got := render(again.Query); got != text {
			t.Errorf("%s\n\trendered: %s\n\tthen:     %s", line, text, got)
		}
	}
	golden.Equal(t, "testdata/statements.txt", out.String())
}

// checkPlaces reports an error where the text at an expression's place is not
// that expression.
func checkPlaces(t *testing.T, s *pgsql.Statement) {
	t.Helper()
	s.Query.WalkAll(func(*sqltree.Query) {}, func(e sqltree.Expr) {
		for _, at := range []sqltree.Span{e.Span(), e.Outer()} {
			if l, ok := e.(*sqltree.Literal); ok && at == (sqltree.Span{}) && l.Value == value.Int(1) {
				continue // FETCH FIRST ROW ONLY
			}
			if at.Start < 0 || at.End > len(s.SQL) || at.Start >= at.End {
				t.Errorf("%s: %T is at %v", s.SQL, e, at)
				continue
			}
			text := s.SQL[at.Start:at.End]
			if standsInContext(e, text) {
				continue
			}
			part, err := pgsql.Parse("SELECT " + text)
			if err != nil {
				t.Errorf("%s: %T is at %q: %v", s.SQL, e, text, err)
				continue
			}
			if len(part.Query.Arms[0].Items) != 1 || part.Query.Arms[0].Items[0] == nil {
				t.Errorf("%s: %T is at %q", s.SQL, e, text)
				continue
			}
			if got, want := renderExpr(part.Query.Arms[0].Items[0].Expr), renderExpr(e); got != want {
				t.Errorf("%s: %T is at %q:\n\tgot  %s\n\twant %s", s.SQL, e, text, got, want)
			}
		}
	})
}

// standsInContext reports whether a text is no expression where it stands alone:
// a word of the grammar that is read as a literal, a part of ARRAY or GROUP BY, a
// whole row, a call over a named window.
func standsInContext(e sqltree.Expr, text string) bool {
	switch e := e.(type) {
	case *sqltree.Literal:
		switch strings.ToUpper(text) {
		case "YEAR", "MONTH", "DAY", "MINUTE", "SECOND", "ISNULL", "NOTNULL", "UNKNOWN":
			return true
		}
	case *sqltree.Call:
		return e.Over != nil && (strings.Contains(text, "OVER w") || strings.Contains(text, "OVER (w"))
	case *sqltree.Other:
		for _, prefix := range []string{"[", "()", "t.*", "ROLLUP", "CUBE", "GROUPING SETS"} {
			if strings.HasPrefix(text, prefix) {
				return true
			}
		}
	}
	return false
}

// FuzzRead reads any text: it does not panic, and every place is in the text.
func FuzzRead(f *testing.F) {
	input, err := os.ReadFile("testdata/statements.sql")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(input)) {
		f.Add(strings.TrimRight(line, "\n"))
	}
	// The first statement compiles the parser, for which no input has the time.
	if _, err := pgsql.Parse("SELECT 1"); err != nil {
		f.Fatal(err)
	}
	schema := &engine.Schema{Tables: []*engine.Table{{Name: "t", Columns: []engine.Column{{Name: "a"}, {Name: "b"}}}}}
	f.Fuzz(func(t *testing.T, sql string) {
		s, err := pgsql.Read(sql, schema)
		if err != nil {
			return
		}
		in := func(at sqltree.Span) bool { return at.Start >= 0 && at.Start <= at.End && at.End <= len(sql) }
		s.Query.WalkAll(func(*sqltree.Query) {}, func(e sqltree.Expr) {
			if !in(e.Span()) || !in(e.Outer()) {
				t.Errorf("%q: %T is at %v in %v", sql, e, e.Span(), e.Outer())
			}
		})
	})
}

package dialect

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/testkit/randsql/hostile"
)

// TestHostileStatements reads statements of every hostile shape, as large as
// they may be: each gives a tree or an *Error.
func TestHostileStatements(t *testing.T) {
	for _, shape := range hostile.Shapes() {
		sql := shape.Of(MaxSize)
		if len(sql) > MaxSize {
			t.Errorf("%s: %d bytes are more than %d", shape.Name, len(sql), MaxSize)
		}
		fixed, _ := FixClock(sql, time.Unix(0, 0))
		WithoutLimit(sql)
		for _, sql := range []string{sql, fixed} {
			_, err := Parse(sql)
			if e := (*Error)(nil); err != nil && !errors.As(err, &e) {
				t.Errorf("%s: %v is no *Error", shape.Name, err)
			}
		}
	}
}

// TestBounds gives each bound a statement that is just within it, and one that
// is beyond.
func TestBounds(t *testing.T) {
	text := func(n int) string { return "SELECT '" + strings.Repeat("x", n-len("SELECT ''")) + "'" }
	chain := func(n int) string { return "SELECT a" + strings.Repeat(" + a", n-1) + " FROM t" }
	tables := func(n int) string { return "SELECT 1 FROM t" + strings.Repeat(", t", n-1) }
	nested := func(n int) string {
		return "SELECT " + strings.Repeat("(", n) + "a" + strings.Repeat(")", n) + " FROM t"
	}
	for _, c := range []struct {
		construct string
		of        func(int) string
		most      int
	}{
		{"size of the statement", text, MaxSize},
		{"nesting", chain, MaxHeight},
		{"nesting", nested, maxDepth - 2}, // below the statement and its column
		{"join", tables, MaxTables},
	} {
		if _, err := Parse(c.of(c.most)); err != nil {
			t.Errorf("%s: %d of them are refused: %v", c.construct, c.most, err)
		}
		if _, err := Parse(c.of(c.most + 1)); Construct(err) != c.construct {
			t.Errorf("%s: one more than %d of them: %v", c.construct, c.most, err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for _, shape := range hostile.Shapes() {
		for size := 8 << 10; size <= MaxSize; size *= 2 {
			sql := shape.Of(size)
			b.Run(fmt.Sprintf("%s/%dK", shape.Name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(sql)))
				for b.Loop() {
					fixed, _ := FixClock(sql, time.Unix(0, 0))
					_, _ = Parse(fixed)
				}
			})
		}
	}
}

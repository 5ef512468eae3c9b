package rewrite

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestManySteps holds the rules to the plan's own size: hundreds of expressions
// that each of them looks at, in one statement.
func TestManySteps(t *testing.T) {
	db := open(t, tables)
	list := func(n int, format, separator string) string {
		var out []string
		for i := range n {
			out = append(out, strings.ReplaceAll(format, "#", fmt.Sprint(i)))
		}
		return strings.Join(out, separator)
	}
	for _, statement := range []string{
		"SELECT " + list(240, "CAST(i + # AS REAL) * 100 / n", ", ") + " FROM t",
		"SELECT " + list(220, "count(CASE WHEN i = # AND n > # THEN id END)", " + ") + " FROM t",
		"SELECT " + list(150, "CAST(sum(CASE WHEN i = # THEN 1 ELSE 0 END) AS REAL) / count(*)", " + ") + " FROM t",
		"SELECT id FROM t WHERE " + list(300, "(i = # OR i = 1000 + n)", " AND "),
		"SELECT id FROM t WHERE " + list(200, "i >= # AND i <= 2#", " AND "),
		"SELECT " + list(60, "(SELECT max(i + n * #) FROM t WHERE n > # AND w = 'a')", ", ") + " FROM t",
		"SELECT count(*) FROM t WHERE " + list(80, "(SELECT max(i + # * n) FROM t WHERE n = #) < i + # * n", " AND "),
	} {
		start := time.Now()
		p := db.build(t, statement)
		planned := time.Since(start)
		start = time.Now()
		Apply(p, db.schema)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%.80s: %d steps took %v to rewrite, and %v to plan", statement, len(p.Steps), took, planned)
		} else {
			t.Logf("%.60s: %d steps, %v and %v", statement, len(p.Steps), planned, took)
		}
	}
}

// Package hostile builds statements that cost a reader of SQL more than others
// of their size, for tests: very long ones, very deep ones, and unfinished ones.
// They read a table t of columns a, b and c. What takes a statement must come
// to an end with any of them, with a result or an error.
package hostile

import (
	"fmt"
	"strings"
)

// Shape is one way to be hostile.
type Shape struct {
	Name string
	// Of returns a statement of that shape that has at most so many bytes, and
	// nearly as many.
	Of func(size int) string
}

// repeat fills a statement between its head and its tail with an element. The
// number of an element replaces %d.
func repeat(head, element, separator, tail string) func(int) string {
	return func(size int) string {
		var b strings.Builder
		b.WriteString(head)
		for i := 0; ; i++ {
			next := strings.ReplaceAll(element, "%d", fmt.Sprint(i))
			if i > 0 {
				next = separator + next
			}
			if b.Len()+len(next)+len(tail) > size {
				return b.String() + tail
			}
			b.WriteString(next)
		}
	}
}

// nest puts as many openings before the core, and closings after it, as fit.
func nest(head, open, core, closing, tail string) func(int) string {
	return func(size int) string {
		n := max(0, (size-len(head)-len(core)-len(tail))/(len(open)+len(closing)))
		return head + strings.Repeat(open, n) + core + strings.Repeat(closing, n) + tail
	}
}

// grow makes a statement of as many rounds as fit.
func grow(of func(rounds int) string) func(int) string {
	return func(size int) string {
		last := of(0)
		for n := 1; ; n++ {
			next := of(n)
			if len(next) > size {
				return last
			}
			last = next
		}
	}
}

// few is grow with a bound on the rounds, for what doubles with each of them.
func few(most int, of func(rounds int) string) func(int) string {
	return func(size int) string {
		return grow(func(n int) string {
			if n > most {
				return strings.Repeat(" ", size+1)
			}
			return of(n)
		})(size)
	}
}

// Shapes returns all shapes.
func Shapes() []Shape {
	return []Shape{
		// Long ones.
		{"IN list", repeat("SELECT a FROM t WHERE a IN (", "%d", ",", ")")},
		{"IN list of texts", repeat("SELECT a FROM t WHERE b IN (", "'%d'", ",", ")")},
		{"OR chain", repeat("SELECT a FROM t WHERE ", "a=%d", " OR ", "")},
		{"AND chain", repeat("SELECT a FROM t WHERE ", "a<>%d", " AND ", "")},
		{"sum", repeat("SELECT ", "a", "+", " FROM t")},
		{"sum over groups", repeat("SELECT sum(a)", "+%d", "", " FROM t GROUP BY b")},
		{"concatenation", repeat("SELECT ", "b", "||", " FROM t")},
		{"comparisons", repeat("SELECT ", "a", "<", " FROM t")},
		{"operators without operands", repeat("SELECT a ", "||", "", " FROM t")},
		{"text", repeat("SELECT a FROM t WHERE b = '", "x", "", "'")},
		{"quotes in a text", repeat("SELECT a FROM t WHERE b = '", "''", "", "'")},
		{"number", repeat("SELECT a FROM t WHERE a = ", "9", "", "")},
		{"columns", repeat("SELECT ", "a", ", ", " FROM t")},
		{"made columns", repeat("SELECT ", "a+%d", ", ", " FROM t")},
		{"aliases", repeat("SELECT ", "a AS x%d", ", ", " FROM t")},
		{"stars", repeat("SELECT ", "*", ",", " FROM t")},
		{"sort keys", repeat("SELECT a FROM t ORDER BY ", "b+%d", ", ", "")},
		{"columns and sort keys", func(size int) string {
			return repeat("SELECT ", "a+%d", ", ", " FROM t")(size/2) + repeat(" ORDER BY ", "b+%d", ", ", "")(size/2)
		}},
		{"grouping keys", repeat("SELECT count(*) FROM t GROUP BY ", "b||%d", ", ", "")},
		{"aggregates", repeat("SELECT ", "sum(a+%d)", ", ", " FROM t GROUP BY b HAVING count(*) > 0")},
		{"branches of a CASE", repeat("SELECT CASE a ", "WHEN %d THEN b", " ", " END FROM t")},
		{"arguments", repeat("SELECT max(", "a", ",", ") FROM t")},
		{"UNION", repeat("", "SELECT a FROM t", " UNION ", "")},
		{"UNION ALL", repeat("", "SELECT %d FROM t", " UNION ALL ", "")},
		{"tables", repeat("SELECT 1 FROM ", "t", ",", "")},
		{"joins", repeat("SELECT 1 FROM t x0 ", "JOIN t y%d ON y%d.a = x0.a", " ", "")},
		{"common table expressions", repeat("WITH ", "w%d AS (SELECT a FROM t)", ", ", " SELECT a FROM w0")},
		{"subqueries as values", repeat("SELECT ", "(SELECT max(a) FROM t)", ", ", "")},
		{"windows", repeat("SELECT ", "sum(a) OVER (ORDER BY b, %d)", ", ", " FROM t")},
		{"comments", repeat("SELECT a ", "/* %d */", "", " FROM t")},
		{"comment lines", repeat("SELECT a\n", "-- %d\n", "", " FROM t")},
		{"semicolons", repeat("SELECT a FROM t", ";", "", "")},
		{"quoted names", repeat("SELECT ", `"n%d"`, ", ", " FROM t")},
		{"names in brackets", repeat("SELECT ", "[a]", ", ", " FROM t")},
		{"clocks", repeat("SELECT ", "date('now')", ", ", " FROM t")},
		// Deep ones.
		{"parentheses", nest("SELECT ", "(", "a", ")", " FROM t")},
		{"opening parentheses", nest("SELECT ", "(", "a", "", "")},
		{"NOT", nest("SELECT a FROM t WHERE ", "NOT ", "a", "", "")},
		{"minus", nest("SELECT ", "- ", "a", "", " FROM t")},
		{"tilde", nest("SELECT ", "~", "a", "", " FROM t")},
		{"NOT within comparisons", nest("SELECT a FROM t WHERE ", "a = NOT ", "a", "", "")},
		{"CASE", nest("SELECT ", "CASE WHEN ", "a", " THEN 1 END", " FROM t")},
		{"ELSE", nest("SELECT ", "CASE WHEN a THEN 1 ELSE ", "a", " END", " FROM t")},
		{"functions", nest("SELECT ", "abs(", "a", ")", " FROM t")},
		{"functions of the clock", nest("SELECT ", "strftime(", "'%Y'", ")", " FROM t")},
		{"CAST", nest("SELECT ", "CAST(", "a", " AS TEXT)", " FROM t")},
		{"subqueries", nest("SELECT ", "(SELECT ", "max(a)", " FROM t)", " FROM t")},
		{"subqueries in FROM", nest("", "SELECT * FROM (", "SELECT a FROM t", ")", "")},
		{"opening subqueries", nest("", "SELECT (", "", "", "")},
		{"EXISTS", nest("SELECT a FROM t WHERE ", "EXISTS (SELECT 1 FROM t WHERE ", "a", ")", "")},
		{"joins in parentheses", nest("SELECT 1 FROM ", "(t, ", "t", ")", "")},
		{"WITH", nest("", "WITH w AS (", "SELECT a FROM t", ") SELECT a FROM w", "")},
		{"sums in parentheses", nest("SELECT ", "(a+a+a+a+", "a", ")", " FROM t")},
		// Those that grow when they are taken apart.
		{"doubling stars", few(20, func(n int) string {
			return strings.Repeat("SELECT *,* FROM (", n) + "SELECT * FROM t" + strings.Repeat(")", n)
		})},
		{"doubling common table expressions", few(20, func(n int) string {
			sql := "WITH w0 AS (SELECT a FROM t)"
			for i := range n {
				sql += fmt.Sprintf(", w%d AS (SELECT x.a FROM w%d x JOIN w%d y ON x.a = y.a)", i+1, i, i)
			}
			return fmt.Sprintf("%s SELECT a FROM w%d", sql, n)
		})},
		{"doubling aliases", few(30, func(n int) string {
			sql := "SELECT a AS x0"
			for i := range n {
				sql += fmt.Sprintf(", x%d + x%d AS x%d", i, i, i+1)
			}
			return fmt.Sprintf("%s FROM t WHERE x%d > 1", sql, n)
		})},
		{"doubling windows", few(30, func(n int) string {
			sql := "SELECT sum(a) OVER w0 FROM t WINDOW w0 AS (ORDER BY a)"
			for i := range n {
				sql += fmt.Sprintf(", w%d AS (ORDER BY sum(a) OVER w%d, sum(b) OVER w%d)", i+1, i, i)
			}
			return sql
		})},
		{"long window used often", func(size int) string {
			window := repeat(" FROM t WINDOW w AS (ORDER BY ", "a+%d", ", ", ")")(size / 2)
			return repeat("SELECT ", "sum(a) OVER w", ", ", "")(size/2) + window
		}},
		{"ORs in a row", repeat("SELECT a FROM t WHERE abs(c) = 1 AND ", "(a = %d OR b = '%d')", " AND ", "")},
		{"correlated subqueries", few(12, func(n int) string {
			sql := "1"
			for i := n; i > 0; i-- {
				sql = fmt.Sprintf("EXISTS (SELECT 1 FROM t x%d WHERE %s AND x%d.a = x%d.a)", i, sql, i, i-1)
			}
			return "SELECT a FROM t x0 WHERE " + sql
		})},
		{"aliases of themselves", repeat("SELECT ", "z%d AS z%d", ", ", " FROM t WHERE z0 = 1 AND z1 = 2")},
		// Unfinished ones.
		{"open text", repeat("SELECT '", "x", "", "")},
		{"open texts", repeat("SELECT ", "'x", ", ", "")},
		{"open name", repeat(`SELECT "`, "x", "", "")},
		{"open bracket", repeat("SELECT [", "x", "", "")},
		{"open comment", repeat("SELECT a FROM t /*", " *", "", "")},
		{"illegal bytes", repeat("SELECT ", "\x01\xff", "", "")},
		{"NUL bytes", repeat("SELECT a FROM t", "\x00", "", "")},
		{"blobs", repeat("SELECT ", "x'%d", " ", "")},
	}
}

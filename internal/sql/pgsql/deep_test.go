package pgsql_test

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/sql/pgsql"
)

// TestDeep reads what is nested deeply or long: it is read or refused, and the
// next statement is read.
func TestDeep(t *testing.T) {
	for name, sql := range map[string]string{
		"parentheses": "SELECT " + strings.Repeat("(", 20000) + "1" + strings.Repeat(")", 20000),
		"signs":       "SELECT " + strings.Repeat("- ", 20000) + "1",
		"NOT":         "SELECT " + strings.Repeat("NOT ", 10000) + "a",
		"sums":        "SELECT 1" + strings.Repeat(" + 1", 10000),
		"AND":         "SELECT a FROM t WHERE a" + strings.Repeat(" AND a", 9000),
		"subqueries":  strings.Repeat("SELECT (", 5000) + "SELECT 1" + strings.Repeat(")", 5000),
		"calls":       "SELECT " + strings.Repeat("f(", 15000) + "1" + strings.Repeat(")", 15000),
		"UNION":       "SELECT 1" + strings.Repeat(" UNION SELECT 1", 4000),
		"joins":       "SELECT 1 FROM t" + strings.Repeat(" CROSS JOIN t", 4500),
		"CASE":        "SELECT " + strings.Repeat("CASE WHEN a THEN ", 2500) + "1" + strings.Repeat(" END", 2500),
		"left":        "SELECT (a" + strings.Repeat("::int", 200) + ")" + strings.Repeat("::int", 200),
		// As high as may be.
		"most signs":  "SELECT " + strings.Repeat("- ", 240) + "a",
		"most NOT":    "SELECT " + strings.Repeat("NOT ", 240) + "a",
		"most sums":   "SELECT 1" + strings.Repeat(" + 1", 240),
		"most casts":  "SELECT a" + strings.Repeat("::int", 240),
		"most calls":  "SELECT " + strings.Repeat("f(", 240) + "1" + strings.Repeat(")", 240),
		"most UNION":  "SELECT 1" + strings.Repeat(" UNION SELECT 1", 120),
		"most CASE":   "SELECT " + strings.Repeat("CASE WHEN a THEN ", 240) + "1" + strings.Repeat(" END", 240),
		"most nested": strings.Repeat("SELECT (", 120) + "SELECT 1" + strings.Repeat(")", 120),
		"most FROM":   strings.Repeat("SELECT 1 FROM (", 120) + "SELECT 1" + strings.Repeat(") x", 120),
		"most IN":     "SELECT " + strings.Repeat("a IN (SELECT ", 80) + "1" + strings.Repeat(")", 80),
		"most joins":  "SELECT 1 FROM t" + strings.Repeat(" CROSS JOIN t", 240),
		"most rows":   "SELECT " + strings.Repeat("ROW(", 240) + "1" + strings.Repeat(")", 240),
		"most arrays": "SELECT ARRAY" + strings.Repeat("[", 240) + "1" + strings.Repeat("]", 240),
		"wide":        "SELECT a FROM t WHERE a IN (1" + strings.Repeat(", 1", 9000) + ")",
	} {
		_, err := pgsql.Parse(sql)
		if isRead := strings.HasPrefix(name, "most") || name == "wide" || name == "AND"; isRead != (err == nil) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := pgsql.Parse("SELECT 1"); err != nil {
			t.Fatalf("after %s: %v", name, err)
		}
	}
}

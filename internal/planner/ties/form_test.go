package ties_test

import (
	"testing"

	"github.com/birdcall/birdcall/internal/planner/ties"
)

func TestMayBeOpen(t *testing.T) {
	for sql, want := range map[string]bool{
		"SELECT a, b FROM t WHERE a = 1":          false,
		"SELECT a FROM t ORDER BY a":              false,
		"SELECT count(*), avg(a) + sum(b) FROM t": false,
		"SELECT 1": false,
		"SELECT a FROM t WHERE b = (SELECT count(b) FROM t)":       false,
		"SELECT a FROM t WHERE b IN (SELECT b FROM u)":             false,
		"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u)":           false,
		"WITH RECURSIVE n(i) AS (SELECT 1) SELECT count(*) FROM n": false,
		"SELECT a FROM t ORDER BY a LIMIT 3":                       true,
		"SELECT a FROM (SELECT a FROM t LIMIT 2)":                  true,
		"SELECT a FROM t UNION ALL SELECT a FROM u":                false,
		"SELECT count(DISTINCT a) FROM t":                          false,
		"SELECT max(b) FROM t":                                     true,
		"SELECT sum(DISTINCT b) FROM t":                            true,
		"SELECT a FROM t ORDER BY count(*)":                        true,
		"SELECT a FROM t HAVING count(*) > 1":                      true,
		"SELECT a FROM t WHERE (a, b) = (SELECT a, b FROM u)":      true,
		"SELECT a, count(b) FROM t":                                true,
		"SELECT *, max(b) FROM t":                                  true,
		"SELECT a, count(*) FROM t GROUP BY a":                     true,
		"SELECT DISTINCT a FROM t":                                 true,
		"SELECT a FROM t UNION SELECT a FROM u":                    true,
		"SELECT group_concat(a) FROM t":                            true,
		"SELECT a, row_number() OVER (ORDER BY b) FROM t":          true,
		"SELECT a FROM t WHERE b = (SELECT b FROM u)":              true,
		"this is no SQL":                                           true,
	} {
		if got := ties.MayBeOpen(sql); got != want {
			t.Errorf("%s: %v, want %v", sql, got, want)
		}
	}
}

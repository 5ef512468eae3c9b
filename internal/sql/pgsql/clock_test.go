package pgsql_test

import (
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/sql/pgsql"
)

func TestFixClock(t *testing.T) {
	at := time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC)
	const instant = "'2025-03-04T05:06:07Z'::timestamptz"
	for _, c := range []struct{ in, want string }{
		{"SELECT now(), a", "SELECT " + instant + ", a"},
		{"SELECT CURRENT_DATE - d, LOCALTIMESTAMP(0)", "SELECT " + instant + "::date - d, " + instant + "::timestamp(0)"},
		{"SELECT age((d)) FROM t", "SELECT age(" + instant + "::date, (d)) FROM t"},
		{"SELECT age(now(), d)", "SELECT age(" + instant + ", d)"},
		{"SELECT 'now'::timestamp, date 'today', CAST('now' AS time)", "SELECT " + instant + "::timestamp, " + instant + "::date::date, " + instant + "::time"},
		{"SELECT rank() OVER w, sum(a) OVER w FROM t WINDOW w AS (ORDER BY current_time)",
			"SELECT rank() OVER w, sum(a) OVER w FROM t WINDOW w AS (ORDER BY " + instant + "::timetz)"},
		{"SELECT 'now', \"now\" FROM t -- now()", "SELECT 'now', \"now\" FROM t -- now()"},
	} {
		got, changed, err := pgsql.FixClock(c.in, at)
		if err != nil || got != c.want || changed != (c.in != c.want) {
			t.Errorf("%s:\n\tgot  %s, %t, %v\n\twant %s", c.in, got, changed, err, c.want)
		}
	}
	if _, _, err := pgsql.FixClock("SELECT 'tomorrow'::date", at); err == nil {
		t.Error("'tomorrow' is taken, which depends on the clock")
	}
}

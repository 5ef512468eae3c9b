package dialect

import (
	"errors"
	"testing"
	"time"
)

// TestRefusals lists what is not lowered, and the construct that is named.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ sql, construct string }{
		{"SELECT", "syntax"},
		{"SELECT a FROM t WHERE", "syntax"},
		{"SELECT a FROM t; SELECT b FROM t", "syntax"},
		{"DELETE FROM t", "syntax"},
		{"SELECT sum(a) OVER (ROWS UNBOUNDED PRECEDING EXCLUDE ", "syntax"},
		{"SELECT sum(a) OVER (ROWS UNBOUNDED PRECEDING EXCLUDE NO ROW) FROM t", "syntax"},
		{"SELECT sum(a) OVER (ROWS UNBOUNDED PRECEDING EXCLUDE a) FROM t", "syntax"},
		{"SELECT ?1", "bind parameter"},
		{"SELECT sum(a) OVER nowhere FROM t", "window"},
		{"SELECT x'1' FROM t", "syntax"},
	} {
		_, err := Parse(c.sql)
		var e *Error
		if !errors.As(err, &e) || e.Construct != c.construct {
			t.Errorf("%s: got %v, want the construct %q", c.sql, err, c.construct)
		}
	}
}

func TestFixClock(t *testing.T) {
	at := time.Date(2024, 2, 29, 13, 14, 15, 0, time.UTC)
	for _, c := range []struct{ in, want string }{
		{"SELECT a FROM t WHERE b = 'now'", ""},
		{"SELECT date(d, 'now') FROM t", ""},
		{"SELECT CURRENT_TIMESTAMP", "SELECT '2024-02-29 13:14:15'"},
		{"SELECT current_date, CURRENT_TIME", "SELECT '2024-02-29', '13:14:15'"},
		{"SELECT julianday('now') - julianday(d) FROM t", "SELECT julianday('2024-02-29 13:14:15') - julianday(d) FROM t"},
		{"SELECT date()", "SELECT date('2024-02-29 13:14:15')"},
		{"SELECT strftime('%Y', 'NOW', '-1 day')", "SELECT strftime('%Y', '2024-02-29 13:14:15', '-1 day')"},
		{"SELECT unixepoch('subsec'), strftime('%f', 'SUBSECOND', '-1 day')", "SELECT unixepoch('2024-02-29 13:14:15', 'subsec'), strftime('%f', '2024-02-29 13:14:15', 'SUBSECOND', '-1 day')"},
		{"SELECT strftime('%Y')", "SELECT strftime('%Y', '2024-02-29 13:14:15')"},
		{"SELECT strftime('%Y', max(a, 'now')) FROM t", ""},
		{"SELECT strftime(strftime('%Y'))", "SELECT strftime(strftime('%Y', '2024-02-29 13:14:15'), '2024-02-29 13:14:15')"},
		{"SELECT strftime(strftime('%Y', 'now')), date()", "SELECT strftime(strftime('%Y', '2024-02-29 13:14:15'), '2024-02-29 13:14:15'), date('2024-02-29 13:14:15')"},
	} {
		got, changed := FixClock(c.in, at)
		want := c.want
		if want == "" {
			want = c.in
		}
		if got != want || changed != (c.want != "") {
			t.Errorf("%s\n\tgot  %s (%t)\n\twant %s", c.in, got, changed, want)
		}
	}
}

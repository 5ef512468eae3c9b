package plan

import (
	"fmt"
	"strings"
	"testing"
)

// TestChoices lists where SQL leaves the answer open: a LIMIT, a column that is
// neither grouped by nor aggregated, and a subquery's first row.
func TestChoices(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT id FROM orders ORDER BY placed", ""},
		{"SELECT id FROM orders ORDER BY placed LIMIT 3", "cut of a project"},
		{"SELECT customer, count(*) FROM orders GROUP BY customer", ""},
		{"SELECT customer, placed FROM orders GROUP BY customer", "bare orders.placed of a group"},
		{"SELECT customer FROM orders GROUP BY customer ORDER BY total + 1", "bare orders.total of a group"},
		{"SELECT DISTINCT customer FROM orders ORDER BY placed", "bare orders.placed of a group"},
		{"SELECT DISTINCT customer FROM orders ORDER BY total + 1", "bare total#5 of a group"},
		{"SELECT DISTINCT customer FROM orders ORDER BY customer", ""},
		{"SELECT DISTINCT customer FROM orders GROUP BY customer ORDER BY count(*)", ""},
		{"SELECT DISTINCT customer FROM orders GROUP BY customer, placed ORDER BY count(*)", "bare count#5 of a group"},
		{"SELECT DISTINCT abs(total) FROM orders ORDER BY abs(total), total", "bare orders.total of a group"},
		{"SELECT (SELECT id FROM orders)", "first of a project"},
		{"SELECT (SELECT id FROM orders WHERE total > boss GROUP BY id LIMIT 1) FROM customers", "cut each of a window, bare id#9 of a group"},
		{"SELECT customer, group_concat(note) FROM orders GROUP BY customer", "concat concat#5 of a aggregate"},
	} {
		p, err := build(c.sql, shop)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		var got []string
		for _, open := range p.Choices {
			of := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", p.Steps[open.Step]), "*plan."))
			text := []string{"cut", "cut each", "bare", "first", "concat"}[open.Kind]
			if open.Kind == Bare || open.Kind == Concat {
				text += " " + p.name(open.Column)
			}
			got = append(got, text+" of a "+of)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s, want %s", c.sql, strings.Join(got, ", "), c.want)
		}
	}
}

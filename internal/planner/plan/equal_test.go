package plan

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/sql/dialect"
)

// TestEquals lists where one value stands for others that are equal to it.
func TestEquals(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT customer FROM orders", ""},
		{"SELECT customer, count(*) FROM orders GROUP BY customer", "orders.customer of a group"},
		{"SELECT count(*) FROM orders GROUP BY customer", ""},
		{"SELECT upper(note) FROM orders GROUP BY upper(note)", "note#5 of a group"},
		{"SELECT customer FROM orders GROUP BY customer, note ORDER BY note", "orders.customer of a group, orders.note of a group"},
		{"SELECT DISTINCT customer FROM orders", "rows of a project"},
		{"SELECT DISTINCT customer FROM orders ORDER BY placed", "orders.customer of a group"},
		{"SELECT id FROM orders UNION ALL SELECT id FROM customers", ""},
		{"SELECT id FROM orders UNION SELECT id FROM customers", "rows of a setop"},
		{"SELECT max(note) FROM orders", "max#5 of a aggregate"},
		{"SELECT sum(total), count(DISTINCT note) FROM orders", ""},
		{"SELECT sum(DISTINCT total) FROM orders", "sum#5 of a aggregate"},
		{"SELECT (SELECT id FROM orders)", ""},
	} {
		p, err := build(c.sql, shop)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		var got []string
		for _, e := range p.Equals {
			of, what := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", p.Steps[e.Step]), "*plan.")), "rows"
			if e.Column != None {
				what = p.name(e.Column)
			}
			got = append(got, what+" of a "+of)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s, want %s", c.sql, strings.Join(got, ", "), c.want)
		}
	}
}

// TestWorkIsBounded plans statements that repeat their parts: what doubles with
// each level is refused before it takes long.
func TestWorkIsBounded(t *testing.T) {
	var columns []string
	for i := range maxSteps + 1 {
		columns = append(columns, fmt.Sprintf("total + %d", i))
	}
	ctes := "WITH w0 AS (SELECT id FROM orders)"
	for i := range 25 {
		ctes += fmt.Sprintf(", w%d AS (SELECT a.id FROM w%d AS a JOIN w%d AS b ON a.id = b.id)", i+1, i, i)
	}
	for _, c := range []struct{ sql, construct string }{
		{"SELECT " + strings.Join(columns, ", ") + " FROM orders", "size of the plan"},
		{ctes + " SELECT id FROM w25", "size of the plan"},
		{strings.Repeat("SELECT *,* FROM (", 40) + "SELECT * FROM orders" + strings.Repeat(")", 40), "SELECT"},
		{"SELECT 1 FROM (orders" + strings.Repeat(", orders", 40) + "), (orders" + strings.Repeat(", orders", 40) + ")", "join"},
		{"SELECT x AS x FROM orders", "unknown column"},
		{"SELECT x + 1 AS y, y + 1 AS x FROM orders WHERE x = 1", "unknown column"},
	} {
		if _, err := build(c.sql, shop); cmp.Or(construct(err), dialect.Construct(err)) != c.construct {
			t.Errorf("%.80s: %v, want the construct %q", c.sql, err, c.construct)
		}
	}
}

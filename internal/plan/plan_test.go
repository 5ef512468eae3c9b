package plan

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/internal/golden"
)

// catalog is a list of tables by name.
type catalog map[string]*Table

func (c catalog) Table(name string) *Table { return c[strings.ToLower(name)] }

func (c catalog) First() *Table { return c["customers"] }

var shop = catalog{
	"orders":    {Name: "orders", Columns: []string{"id", "customer", "placed", "total", "note"}, RowID: "id"},
	"customers": {Name: "customers", Columns: []string{"id", "name", "city", "boss"}, RowID: "id"},
	"items":     {Name: "items", Columns: []string{"order_id", "sku", "qty", "price (USD)"}},
}

var asOf = Options{AsOf: time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)}

// TestPlans reads testdata/plans.txt: statements, each followed by its plan.
// A blank line ends a case; lines with -- are comments.
func TestPlans(t *testing.T) {
	const file = "testdata/plans.txt"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	cases := strings.Split(strings.TrimSpace(string(data)), "\n\n")
	if len(cases) < 30 {
		t.Fatalf("%s holds only %d cases", file, len(cases))
	}
	for _, c := range cases {
		comment, rest := "", c
		if strings.HasPrefix(c, "--") {
			comment, rest, _ = strings.Cut(c, "\n")
			comment += "\n"
		}
		sql, _, _ := strings.Cut(rest, "\n")
		got := ""
		if p, err := Build(sql, shop, asOf); err != nil {
			got = "refused: " + err.Error() + "\n"
		} else {
			got = p.String()
		}
		out = append(out, comment+sql+"\n"+strings.TrimSpace(got))
	}
	got := strings.Join(out, "\n\n") + "\n"
	golden.Equal(t, file, got)
}

// TestRefusals names the construct of what is not planned.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ sql, construct string }{
		{"SELECT nosuch FROM orders", "unknown column"},
		{"SELECT id FROM nosuch", "unknown table"},
		{"SELECT id FROM orders, customers", "ambiguous column"},
		{"SELECT sum(sum(total)) FROM orders", "misuse of an aggregate"},
		{"SELECT id FROM orders WHERE sum(total) > 1", "misuse of an aggregate"},
		{"SELECT frobnicate(id) FROM orders", "function"},
		{"SELECT abs(1, 2) FROM orders", "function"},
		{"SELECT id FROM orders LIMIT id", "LIMIT"},
		{"SELECT id FROM orders LIMIT 1.5", "LIMIT"},
		{"SELECT id FROM orders WHERE note LIKE 'a!_%' ESCAPE '!!'", "ESCAPE"},
		{"SELECT id FROM orders WHERE note LIKE 'a!_%' ESCAPE NULL", "ESCAPE"},
		{"SELECT nth_value(id, 0) OVER (ORDER BY id) FROM orders", "window function"},
		{"SELECT lag(id, qty) OVER (ORDER BY id) FROM orders JOIN items ON id = order_id", "window function"},
		{"SELECT id FROM orders WHERE (id, total) = (1, 2)", "row value"},
		{"SELECT 1 WHERE 1", "SELECT without FROM"},
		{"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", "recursive CTE"},
		{"SELECT id FROM orders UNION SELECT id, total FROM orders", "compound"},
		{"SELECT id FROM orders ORDER BY 4", "ORDER BY"},
	} {
		_, err := Build(c.sql, shop, asOf)
		var u *Unsupported
		if !errors.As(err, &u) || u.Construct != c.construct {
			t.Errorf("%s: got %v, want the construct %q", c.sql, err, c.construct)
		}
	}
	_, err := Build("SELECT id FROM", shop, asOf)
	if dialect.Construct(err) != "syntax" {
		t.Errorf("a syntax error is the dialect's: got %v", err)
	}
}

// TestStepsComeInOrder checks what executing a plan relies on: a step reads
// only earlier ones, and each step but the last is read by another.
func TestStepsComeInOrder(t *testing.T) {
	data, err := os.ReadFile("testdata/plans.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range strings.Split(string(data), "\n\n") {
		sql := c
		if strings.HasPrefix(c, "--") {
			_, sql, _ = strings.Cut(c, "\n")
		}
		sql, _, _ = strings.Cut(sql, "\n")
		p, err := Build(sql, shop, asOf)
		if err != nil {
			continue
		}
		read := map[StepID]bool{p.Result: true}
		for i, s := range p.Steps {
			for _, in := range s.Inputs() {
				read[in] = true
				if in >= StepID(i) {
					t.Errorf("%s: step %d reads step %d", sql, i, in)
				}
			}
		}
		for i := range p.Steps {
			if !read[StepID(i)] {
				t.Errorf("%s: nothing reads step %d", sql, i)
			}
		}
	}
}

package plan

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/testkit/golden"
)

// table describes a base table. key, if it is one of the columns, is the rowid.
func table(name, key string, columns ...string) *sqlite.Table {
	t := &sqlite.Table{Name: name, IntegerPrimaryKey: key, RowID: true}
	for _, c := range columns {
		t.Columns = append(t.Columns, sqlite.Column{Name: c, Collation: "BINARY"})
	}
	return t
}

var shop = &sqlite.Schema{Tables: []*sqlite.Table{
	table("customers", "id", "id", "name", "city", "boss"),
	table("orders", "id", "id", "customer", "placed", "total", "note"),
	table("items", "", "order_id", "sku", "qty", "price (USD)"),
	weather(),
}}

// weather is a table of an API that gives rows only for cities.
func weather() *sqlite.Table {
	t := table("weather", "", "city", "temperature")
	t.API, t.Required = "met", []string{"city"}
	return t
}

// build reads a statement and plans it.
func build(sql string, schema *sqlite.Schema) (*Plan, error) {
	q, err := sqltree.Read(sql, schema)
	if err != nil {
		return nil, err
	}
	return Build(q, schema, asOf)
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
		if p, err := build(sql, shop); err != nil {
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
		{"SELECT (id, total) FROM orders", "row value"},
		{"SELECT id FROM orders WHERE (id, total) = (1, 2, 3)", "row value"},
		{"SELECT id FROM orders WHERE note REGEXP 'x'", "REGEXP"},
		{"SELECT id FROM orders WHERE note MATCH 'x'", "MATCH"},
		{"SELECT json_array(json_extract(note, '$.x')) FROM orders", "JSON in JSON"},
		{"SELECT json_array(coalesce(note -> '$.x', 1)) FROM orders", "JSON in JSON"},
		{"SELECT json_array(value) FROM orders, json_each(note)", "JSON in JSON"},
		{"SELECT json_array(j) FROM (SELECT json(note) AS j FROM orders)", "JSON in JSON"},
		{"SELECT json_array(json(note)) FROM orders GROUP BY json(note)", "JSON in JSON"},
		{"SELECT value FROM generate_series(1, 3)", "table-valued function"},
		{"SELECT value FROM json_each()", "table-valued function"},
		{"SELECT id FROM orders LEFT JOIN json_each(note)", "table-valued function"},
		{"SELECT root FROM json_each('[1]')", "table-valued function"},
		{"SELECT group_concat(note ORDER BY id) FROM orders", "ORDER BY in an aggregate"},
		{"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", "recursive CTE"},
		{"SELECT id FROM orders UNION SELECT id, total FROM orders", "compound"},
		{"SELECT id FROM orders ORDER BY 4", "ORDER BY"},
	} {
		_, err := build(c.sql, shop)
		var u *Unsupported
		if !errors.As(err, &u) || u.Construct != c.construct {
			t.Errorf("%s: got %v, want the construct %q", c.sql, err, c.construct)
		}
	}
	_, err := build("SELECT id FROM", shop)
	if dialect.Construct(err) != "syntax" {
		t.Errorf("a syntax error is the dialect's: got %v", err)
	}
}

// TestRefusedConstructs shows that each of them is refused by its name.
func TestRefusedConstructs(t *testing.T) {
	list := RefusedConstructs()
	for _, r := range list {
		if _, err := build(r.Example, shop); construct(err) != r.Construct {
			t.Errorf("%s: %v, want the construct %q", r.Example, err, r.Construct)
		}
	}
	if !slices.IsSortedFunc(list, func(a, b Refused) int { return strings.Compare(a.Construct, b.Construct) }) {
		t.Error("they are not in alphabetical order")
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
		p, err := build(sql, shop)
		if err != nil {
			continue
		}
		read := map[StepID]bool{p.Result: true}
		for i, s := range p.Steps {
			for _, in := range Inputs(s) {
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

package sqltree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/value"
)

// shop has two tables that share names, and a view of one of them.
var shop = &engine.Schema{Tables: []*engine.Table{
	{Name: "orders", RowID: true, IntegerPrimaryKey: "id", Columns: []engine.Column{
		{Name: "id", Affinity: value.AffinityInteger, Collation: "BINARY"},
		{Name: "buyer", Affinity: value.AffinityInteger, Collation: "BINARY"},
		{Name: "note", Affinity: value.AffinityText, Collation: "NOCASE"},
	}},
	{Name: "people", RowID: true, Columns: []engine.Column{
		{Name: "id", Affinity: value.AffinityInteger, Collation: "BINARY"},
		{Name: "name", Affinity: value.AffinityText, Collation: "RTRIM"},
	}},
	{Name: "notes", View: true, SQL: "CREATE VIEW notes(text, size) AS SELECT note, length(note) FROM orders", Columns: []engine.Column{
		{Name: "text", Collation: "BINARY"}, {Name: "size", Collation: "BINARY"},
	}},
}}

// meaning writes what a column reference stands for.
func meaning(c *Column) string {
	switch {
	case c.State == Ambiguous:
		return "ambiguous"
	case c.State == Unknown:
		return "unknown"
	case c.Alias != nil:
		return "alias " + c.Alias.Alias
	case c.Coalesced != nil:
		var all []string
		for _, other := range c.Coalesced {
			all = append(all, meaning(other))
		}
		return strings.Join(all, "|")
	case c.Index == RowID:
		return c.Source.Name + "'s rowid"
	}
	return c.Source.Name + "." + c.Source.Columns[c.Index].Name
}

// TestNames lists what each name of a statement stands for, in the order in
// which they are met.
func TestNames(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT id, o.NOTE FROM orders o", "id=o.id, NOTE=o.note"},
		{"SELECT id FROM orders, people", "id=ambiguous"},
		{"SELECT nosuch, x.id FROM orders", "nosuch=unknown, id=unknown"},
		{"SELECT rowid, oid FROM orders", "rowid=orders.id, oid=orders.id"},
		{"SELECT _rowid_ FROM people", "_rowid_=people's rowid"},
		{"SELECT rowid FROM notes", "rowid=unknown"},
		{`SELECT "id", "nosuch", true FROM orders`, "id=orders.id"},
		{"SELECT id + 1 AS n FROM orders WHERE n > 1 GROUP BY note HAVING n < 9 ORDER BY n", "id=orders.id, n=alias n, note=orders.note, n=alias n, n=alias n"},
		{"SELECT -id AS note FROM orders ORDER BY note, note + 1", "id=orders.id, note=alias note, note=orders.note"},
		{"SELECT id FROM orders JOIN people USING (id)", "id=orders.id"},
		{"SELECT id FROM orders RIGHT JOIN people USING (id)", "id=people.id"},
		{"SELECT id, p.id FROM orders FULL JOIN people p USING (id)", "id=orders.id|p.id, id=p.id"},
		{"SELECT id FROM orders NATURAL JOIN people", "id=orders.id"},
		{"SELECT (SELECT buyer FROM people WHERE id = orders.id) FROM orders", "buyer=orders.buyer, id=people.id, id=orders.id"},
		{"WITH w(a) AS (SELECT id FROM people) SELECT a FROM w AS v", "id=people.id, a=v.a"},
		{"WITH b AS (SELECT id FROM a), a AS (SELECT id FROM people) SELECT id FROM b", "id=a.id, id=people.id, id=b.id"},
		{"SELECT d.text FROM (SELECT * FROM notes) AS d", "text=d.text"},
	} {
		q, err := Read(c.sql, shop)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		var got []string
		q.WalkAll(func(*Query) {}, func(e Expr) {
			if column, ok := e.(*Column); ok {
				got = append(got, column.Name+"="+meaning(column))
			}
		})
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", c.sql, strings.Join(got, ", "), c.want)
		}
	}
}

// TestOuter lists what subqueries read of the queries around them.
func TestOuter(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT (SELECT max(id) FROM people) FROM orders", ""},
		{"SELECT (SELECT name FROM people p WHERE p.id = buyer AND buyer > 1) FROM orders", "orders.buyer"},
		{"SELECT 1 FROM orders o WHERE EXISTS (SELECT 1 FROM people p WHERE EXISTS (SELECT 1 FROM orders WHERE buyer = p.id AND note = o.note))", "o.note; p.id o.note"},
		{"SELECT id + 1 AS n FROM orders WHERE EXISTS (SELECT 1 FROM people WHERE name = n)", "orders.id"},
		{"SELECT 1 FROM orders o WHERE EXISTS (WITH w AS (SELECT o.id AS x) SELECT 1 FROM (SELECT x FROM w))", "o.id; o.id; o.id"},
	} {
		q, err := Read(c.sql, shop)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		var got []string
		q.WalkAll(func(q *Query) {
			var all []string
			for _, o := range q.Outer {
				all = append(all, meaning(o))
			}
			if all != nil {
				got = append(got, strings.Join(all, " "))
			}
		}, nil)
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s\n\tgot  %s\n\twant %s", c.sql, strings.Join(got, "; "), c.want)
		}
	}
}

// TestCompared finds the collation of comparisons, by the rules of
// https://www.sqlite.org/datatype3.html, section 7.1.
func TestCompared(t *testing.T) {
	for _, c := range []struct{ where, want string }{
		{"note = 'a'", "NOCASE"},
		{"'a' = note", "NOCASE"},
		{"note = name", "NOCASE"},
		{"name = note", "RTRIM"},
		{"note = name COLLATE BINARY", "BINARY explicit"},
		{"note COLLATE rtrim = name COLLATE BINARY", "RTRIM explicit"},
		{"+note = 'a'", "NOCASE"},
		{"CAST(note AS INTEGER) = 1", "NOCASE"},
		{"note || '' = name", "RTRIM"},
		{"(note COLLATE NOCASE) || 'x' = name", "NOCASE explicit"},
		{"(SELECT note FROM orders) = name", "RTRIM"},
		{"(note COLLATE NOCASE = 'a') = 'b'", "NOCASE explicit"},
		{"iif(note COLLATE NOCASE LIKE 'a', name, 'b') = name", "NOCASE explicit"},
		{"CASE WHEN note COLLATE BINARY = 'a' THEN name COLLATE NOCASE END = name", "BINARY explicit"},
		{"(SELECT note COLLATE NOCASE FROM orders) = name", "RTRIM"},
		{"note IN (SELECT 'a' COLLATE NOCASE) || 'b' = name", "RTRIM"},
		{"text = 'a'", "NOCASE"},
		{"size = name", "BINARY"},
	} {
		schema := &engine.Schema{Tables: shop.Tables}
		CollateViews(schema)
		q, err := Read("SELECT 1 FROM orders, people, notes WHERE "+c.where, schema)
		if err != nil {
			t.Fatal(err)
		}
		x := q.Arms[0].Where.(*Binary)
		got, explicit := Compared(x.X, x.Y)
		if explicit {
			got += " explicit"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.where, got, c.want)
		}
	}
}

// TestAffinity finds the affinities of expressions, by section 3.2 of the same
// page.
func TestAffinity(t *testing.T) {
	q, err := Read("SELECT id, note, +note, CAST(id AS TEXT), (SELECT note FROM orders), note COLLATE NOCASE, id + 1, rowid FROM orders", shop)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, it := range q.Arms[0].Items {
		got = append(got, Affinity(it.Expr).String())
	}
	want := fmt.Sprint([]value.Affinity{value.AffinityInteger, value.AffinityText, value.AffinityNone, value.AffinityText, value.AffinityText, value.AffinityText, value.AffinityNone, value.AffinityInteger})
	if fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// TestConstructs counts what people ask for when they ask what is covered.
func TestConstructs(t *testing.T) {
	const sql = "WITH w AS (VALUES (1)) SELECT DISTINCT count(DISTINCT a) FILTER (WHERE b LIKE 'x'), (SELECT 1 LIMIT 1 OFFSET 0), a -> '$.b' FROM w LEFT JOIN t ON a IS NOT NULL WHERE (a, b) NOT IN (SELECT 1, 2) OR NOT a GROUP BY 1 HAVING date('now') = 1"
	q, err := Parse(sql)
	if err != nil {
		t.Fatal(err)
	}
	const want = "-> or ->>, COUNT(DISTINCT), DATE(), DISTINCT, FILTER, GROUP BY, HAVING, IS NOT NULL, LEFT JOIN, LIKE, LIMIT, NOT, NOT IN (subquery), OFFSET, OR, WHERE, WITH, current time, row value, subquery as a value"
	if got := strings.Join(q.Constructs(), ", "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

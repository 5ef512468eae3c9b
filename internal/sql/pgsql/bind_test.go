package pgsql_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/sql/pgsql"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// TestBind resolves names by Postgres' rules.
func TestBind(t *testing.T) {
	table := func(name string, columns ...string) *engine.Table {
		out := &engine.Table{Name: name}
		for _, c := range columns {
			out.Columns = append(out.Columns, engine.Column{Name: c})
		}
		return out
	}
	schema := &engine.Schema{Tables: []*engine.Table{
		table("t", "a", "b", "A"), table("T", "c"), table("u", "b", "c", "a"),
	}}
	for _, c := range []struct{ sql, want string }{
		// Case distinguishes names.
		{`SELECT a, "A", A FROM t`, "t.a t.A t.a"},
		{`SELECT c FROM "T"`, "T.c"},
		{`SELECT t."c" FROM t`, "?t.c"},
		// A name in quotation marks is never a text.
		{`SELECT "x" FROM t`, "?x"},
		{`SELECT true FROM t`, ""},
		// WHERE does not see the names of result columns, GROUP BY and ORDER BY do.
		{`SELECT a AS x FROM t WHERE x = 1`, "t.a ?x"},
		{`SELECT a + 1 AS x FROM t GROUP BY x ORDER BY x`, "t.a =x =x"},
		{`SELECT a + 1 AS b FROM t GROUP BY b ORDER BY b`, "t.a t.b =b"},
		{`SELECT count(*) FROM t ORDER BY count`, "=count"},
		{`SELECT t.a FROM t JOIN u ON t.b = u.b ORDER BY a`, "t.a t.b u.b =a"},
		// WITH does not see itself, unless it is recursive.
		{`WITH t AS (SELECT a FROM t) SELECT a FROM t`, "t.a t(a)"},
		{`WITH x AS (SELECT 1 AS q), y AS (SELECT q FROM x) SELECT q FROM y`, "x(q) y(q)"},
		{`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n`, "n(i) n(i)"},
		// LATERAL sees what is before it.
		{`SELECT l.x FROM t, LATERAL (SELECT t.a AS x) AS l`, "t.a l(x)"},
		{`SELECT l.x FROM t, (SELECT t.a AS x) AS l`, "?t.a l(x)"},
		// The columns that USING merges come first.
		{`SELECT * FROM t JOIN u USING (b)`, "t.b t.a t.A u.c u.a"},
		{`SELECT u.*, t.b FROM t JOIN u USING (b)`, "u.b u.c u.a t.b"},
		{`SELECT y FROM t AS s (x, y)`, "t.b"},
		{`SELECT g FROM generate_series(1, 3) AS g`, "?g"},
		{`SELECT tables.a FROM information_schema.tables`, "?tables.a"},
	} {
		s, err := pgsql.Read(c.sql, schema)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if got := strings.Join(resolved(s.Query), " "); got != c.want {
			t.Errorf("%s:\n\tgot  %s\n\twant %s", c.sql, got, c.want)
		}
	}
}

// resolved says what the columns of a query stand for, as they are walked:
// table.column, subquery(column), =name of a result column, ?unresolved.
func resolved(q *sqltree.Query) []string {
	var out []string
	say := func(e sqltree.Expr) {
		c, ok := e.(*sqltree.Column)
		switch {
		case !ok:
		case c.Alias != nil:
			out = append(out, "="+c.Alias.Name)
		case c.State != sqltree.Bound && c.Table != "":
			out = append(out, "?"+c.Table+"."+c.Name)
		case c.State != sqltree.Bound:
			out = append(out, "?"+c.Name)
		case c.Source.Table != nil:
			out = append(out, c.Source.Table.Name+"."+c.Source.Table.Columns[c.Index].Name)
		default:
			out = append(out, fmt.Sprintf("%s(%s)", c.Source.Name, c.Source.Columns[c.Index].Name))
		}
	}
	q.WalkAll(func(q *sqltree.Query) {
		for _, s := range q.Arms {
			for _, it := range s.Items {
				if it.Star {
					say(it.Expr)
				}
			}
		}
	}, say)
	return out
}

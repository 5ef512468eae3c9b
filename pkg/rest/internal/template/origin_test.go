package template

import (
	"fmt"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
)

// TestOrigins has statements and what their first result column stands for.
func TestOrigins(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT NAME FROM animal", "animal.name"},
		{"SELECT _rowid_ FROM animal", "animal.id"},
		{"SELECT _rowid_ FROM keeper", "keeper._rowid_"},
		{"SELECT y FROM (SELECT x AS y FROM (SELECT mass AS x FROM animal))", "animal.mass"},
		{"WITH k(most) AS (SELECT max(mass) FROM animal) SELECT q.most FROM (SELECT * FROM k) AS q", "most, an expression"},
		{"SELECT y FROM (SELECT mass * 2 AS y FROM animal UNION SELECT id FROM keeper)", "y, an expression"},
		{"SELECT value AS v FROM json_each('[1]')", "value"},
		{"SELECT v FROM (SELECT value AS v FROM json_each('[1]'))", "v, an expression"},
		{"SELECT column1 FROM (VALUES (1), ('x'))", "column1"},
		{"WITH RECURSIVE c(n) AS (SELECT n + 1 FROM c) SELECT n FROM c", "n, an expression"},
		{"WITH RECURSIVE c(n) AS (SELECT n FROM c) SELECT n FROM c", "n"},
		{"SELECT id FROM animal RIGHT JOIN keeper USING (id)", "keeper.id"},
		{"SELECT 1", ""},
	} {
		tpl, err := New(engine.SQLite, c.sql, zoo)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		o := OriginOf(tpl.Columns[0].Expr)
		got := o.Name
		switch {
		case o.Table != nil:
			got = fmt.Sprintf("%s.%s", o.Table.Name, o.Name)
		case o.Item != nil:
			got += ", an expression"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.sql, got, c.want)
		}
	}
}

// TestNeverNull distinguishes a COUNT from one that an outer join or a set operation
// makes NULL.
func TestNeverNull(t *testing.T) {
	for _, c := range []struct {
		sql  string
		want bool
	}{
		{"SELECT count(*) FROM animal", true},
		{"SELECT n FROM (SELECT count(*) AS n FROM animal)", true},
		{"SELECT count(*) AS n FROM animal GROUP BY name ORDER BY n", true},
		{"SELECT max(id) FROM animal", false},
		{"SELECT n FROM keeper JOIN (SELECT keeper, count(*) AS n FROM animal GROUP BY 1) ON keeper = id", true},
		{"SELECT n FROM keeper LEFT JOIN (SELECT keeper, count(*) AS n FROM animal GROUP BY 1) ON keeper = id", false},
		{"SELECT n FROM (SELECT count(*) AS n FROM animal UNION SELECT NULL)", false},
		{"SELECT count(*) FROM animal UNION SELECT NULL", false},
	} {
		tpl, err := New(engine.SQLite, c.sql, zoo)
		if err != nil {
			t.Fatal(err)
		}
		if got := tpl.NeverNull(tpl.Query.Arms[0].Items[0]); got != c.want {
			t.Errorf("%s: %t, want %t", c.sql, got, c.want)
		}
	}
}

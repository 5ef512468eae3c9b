package template

import (
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/value"
)

// zoo is the schema of the examples.
var zoo = &engine.Schema{Tables: []*engine.Table{
	{Name: "animal", RowID: true, IntegerPrimaryKey: "id", Columns: []engine.Column{
		{Name: "id", Type: "INTEGER", Affinity: value.AffinityInteger, PrimaryKey: 1},
		{Name: "name", Type: "TEXT", Affinity: value.AffinityText},
		{Name: "mass", Type: "REAL", Affinity: value.AffinityReal},
		{Name: "born", Type: "DATE", Affinity: value.AffinityNumeric},
		{Name: "keeper", Type: "INTEGER", Affinity: value.AffinityInteger},
	}},
	{Name: "keeper", RowID: true, Columns: []engine.Column{
		{Name: "id", Type: "INTEGER", Affinity: value.AffinityInteger},
		{Name: "name", Type: "TEXT", Affinity: value.AffinityText},
	}},
}}

func TestTemplateParameters(t *testing.T) {
	for _, c := range []struct{ sql, want, params string }{
		{"SELECT name FROM animal WHERE mass > 10", "SELECT name FROM animal WHERE mass > ?1", "number > 10"},
		{"SELECT name FROM animal WHERE 10 < mass;", "SELECT name FROM animal WHERE ?1 < mass", "number > 10"},
		{"SELECT name FROM animal WHERE id = -5", "SELECT name FROM animal WHERE id = ?1", "integer = -5"},
		{"SELECT 'a' FROM animal WHERE name = 'it''s'", "SELECT 'a' FROM animal WHERE name = ?1", "string = it's"},
		// The list has room for more than the query's own values.
		{"SELECT 1 FROM animal WHERE id NOT IN (1, 2)", "SELECT 1 FROM animal WHERE id NOT IN (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", "integer not in 1 2"},
		{"SELECT 1 FROM animal WHERE id IN json_each('[1]')", "SELECT 1 FROM animal WHERE id IN json_each('[1]')", ""},
		{"SELECT 1 FROM animal WHERE (id) = (5) AND (mass > 5) = 1",
			"SELECT 1 FROM animal WHERE (id) = (?1) AND (mass > ?2) = 1", "integer = 5, number > 5"},
		{"SELECT sum(mass) FILTER (WHERE id > 3) OVER (ORDER BY id = 4) FROM animal LIMIT (SELECT count(*) FROM keeper WHERE id = 2)",
			"SELECT sum(mass) FILTER (WHERE id > ?1) OVER (ORDER BY id = ?2) FROM animal LIMIT (SELECT count(*) FROM keeper WHERE id = ?3)",
			"integer > 3, integer = 4, integer = 2"},
		// A parameter has one type.
		{"SELECT 1 FROM animal WHERE keeper IN (1, '1')", "SELECT 1 FROM animal WHERE keeper IN (1, '1')", ""},
		{"SELECT 1 FROM animal WHERE mass BETWEEN 1 AND 2.5", "SELECT 1 FROM animal WHERE mass BETWEEN ?1 AND ?2", "number >= 1, number <= 2.5"},
		{"SELECT 1 FROM animal WHERE name NOT LIKE '%x%' ESCAPE '!'", "SELECT 1 FROM animal WHERE name NOT LIKE ?1 ESCAPE '!'", "string like %x%"},
		{"SELECT 1 FROM animal WHERE name IS NOT 'Ida' AND born IS NULL", "SELECT 1 FROM animal WHERE name IS NOT ?1 AND born IS NULL", "string <> Ida"},
		// Names in double quotes that name nothing are strings.
		{`SELECT 1 FROM animal WHERE "name" = "Ida"`, `SELECT 1 FROM animal WHERE "name" = ?1`, "string = Ida"},
		// One literal in the same comparison is one parameter, whatever the alias.
		{"SELECT 1 FROM animal AS a WHERE a.id = 3 OR mass = (SELECT max(mass) FROM animal b WHERE b.id = 3)",
			"SELECT 1 FROM animal AS a WHERE a.id = ?1 OR mass = (SELECT max(mass) FROM animal b WHERE b.id = ?1)", "integer = 3"},
		// Those of a self-join are two.
		{"SELECT 1 FROM animal a JOIN animal b ON a.id = 3 AND b.id = 3", "SELECT 1 FROM animal a JOIN animal b ON a.id = ?1 AND b.id = ?2", "integer = 3, integer = 3"},
		{"SELECT SUM(CASE WHEN mass >= 5 THEN 1 ELSE 0 END) * 100 / COUNT(*) FROM animal",
			"SELECT SUM(CASE WHEN mass >= ?1 THEN 1 ELSE 0 END) * 100 / COUNT(*) FROM animal", "number >= 5"},
		{"SELECT CASE name WHEN 'Ida' THEN 'x' END FROM animal", "SELECT CASE name WHEN ?1 THEN 'x' END FROM animal", "string = Ida"},
		{"SELECT IIF(mass > 1, 'big', 'small') FROM animal", "SELECT IIF(mass > ?1, 'big', 'small') FROM animal", "number > 1"},
		{"SELECT keeper FROM animal GROUP BY keeper HAVING COUNT(*) > 2 ORDER BY 1", "SELECT keeper FROM animal GROUP BY keeper HAVING COUNT(*) > ?1 ORDER BY 1", "integer > 2"},
		{"SELECT 1 FROM animal WHERE substr(name, 1, 2) = 'Id' AND mass * 2 > 3", "SELECT 1 FROM animal WHERE substr(name, 1, 2) = ?1 AND mass * 2 > ?2", "string = Id, number > 3"},
		// LIMIT.
		{"SELECT name FROM animal LIMIT 1", "SELECT name FROM animal LIMIT 1", ""},
		{"SELECT name FROM animal LIMIT 3", "SELECT name FROM animal LIMIT ?1", "limit 3"},
		{"SELECT name FROM animal LIMIT 9000000000 OFFSET 4", "SELECT name FROM animal LIMIT 9000000000 OFFSET ?1", "offset 4"},
		{"SELECT name FROM animal LIMIT 2, 3", "SELECT name FROM animal LIMIT ?1, ?2", "offset 2, limit 3"},
		{"SELECT name FROM animal LIMIT 1 OFFSET 4", "SELECT name FROM animal LIMIT 1 OFFSET ?1", "offset 4"},
		// A named window is written once, however often it is used.
		{"SELECT sum(mass) OVER w, avg(mass) OVER w FROM animal WINDOW w AS (ORDER BY id = 3)",
			"SELECT sum(mass) OVER w, avg(mass) OVER w FROM animal WINDOW w AS (ORDER BY id = ?1)", "integer = 3"},
		// The clock.
		{"SELECT date('now') - born, strftime('%Y') FROM animal WHERE born < CURRENT_DATE",
			"SELECT date(?1) - born, strftime('%Y', ?1) FROM animal WHERE born < ?2", "now"},
		{"SELECT unixepoch('subsec') - born FROM animal", "SELECT unixepoch(?1, 'subsec') - born FROM animal", "now"},
		{"SELECT 1 FROM animal WHERE mass < 1e999 AND mass > -1e999 AND id IN (1, 1e999)",
			"SELECT 1 FROM animal WHERE mass < 1e999 AND mass > -1e999 AND id IN (1, 1e999)", ""},
		// Plumbing is part of the query.
		{"SELECT 1 FROM animal WHERE name <> '' AND name = 'x'", "SELECT 1 FROM animal WHERE name <> '' AND name = ?1", "string = x"},
		{"SELECT 1 FROM animal WHERE mass - id > 0 AND mass - id > 1", "SELECT 1 FROM animal WHERE mass - id > 0 AND mass - id > ?1", "number > 1"},
		{"SELECT 1 FROM animal WHERE mass > 0", "SELECT 1 FROM animal WHERE mass > ?1", "number > 0"},
		{"SELECT 1 FROM animal WHERE instr(name, 'a') > 0", "SELECT 1 FROM animal WHERE instr(name, 'a') > 0", ""},
		{"SELECT 1 FROM animal GROUP BY name HAVING COUNT(*) > 0", "SELECT 1 FROM animal GROUP BY name HAVING COUNT(*) > 0", ""},
		{"SELECT 1 FROM animal GROUP BY name HAVING COUNT(*) = 1", "SELECT 1 FROM animal GROUP BY name HAVING COUNT(*) = ?1", "integer = 1"},
		{"SELECT SUM(mass > 5) > 0, SUM(mass) > 0 FROM animal", "SELECT SUM(mass > ?1) > 0, SUM(mass) > ?2 FROM animal", "number > 5, number > 0"},
		{"SELECT n FROM (SELECT name AS n, RANK() OVER (ORDER BY mass) AS r FROM animal) WHERE r = 1",
			"SELECT n FROM (SELECT name AS n, RANK() OVER (ORDER BY mass) AS r FROM animal) WHERE r = 1", ""},
		{"SELECT 1 FROM animal WHERE name LIKE '_:%' OR name LIKE 'a%'", "SELECT 1 FROM animal WHERE name LIKE '_:%' OR name LIKE ?1", "string like a%"},
		{"SELECT name FROM animal ORDER BY mass LIMIT 0, 3", "SELECT name FROM animal ORDER BY mass LIMIT 0, ?1", "limit 3"},
		// What no data decides is part of the query.
		{"SELECT 1 WHERE 1 = 1", "SELECT 1 WHERE 1 = 1", ""},
		{"SELECT 1 FROM animal WHERE 1", "SELECT 1 FROM animal WHERE 1", ""},
		{"SELECT t.m FROM (SELECT max(mass) AS m FROM animal) AS t WHERE t.m > 7", "SELECT t.m FROM (SELECT max(mass) AS m FROM animal) AS t WHERE t.m > ?1", "number > 7"},
		{"WITH k AS (SELECT id FROM keeper WHERE name = 'Bo') SELECT name FROM animal WHERE keeper IN k",
			"WITH k AS (SELECT id FROM keeper WHERE name = ?1) SELECT name FROM animal WHERE keeper IN k", "string = Bo"},
	} {
		tpl, err := New(engine.SQLite, c.sql, zoo)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if got := show(tpl.Params); tpl.SQL != c.want || got != c.params {
			t.Errorf("%s\n got %s (%s)\nwant %s (%s)", c.sql, tpl.SQL, got, c.want, c.params)
		}
	}
}

func show(params []*Param) string {
	var out []string
	for _, f := range params {
		text := fmt.Sprintf("%s %s", f.Type, f.Operator)
		switch f.Role {
		case RowLimit:
			text = "limit"
		case RowOffset:
			text = "offset"
		case Instant:
			text = "now"
		}
		for _, v := range f.Values {
			text += " " + value.AsText(v)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestTemplateKey(t *testing.T) {
	same := [][2]string{
		{"SELECT name FROM animal WHERE mass > 10", "select  NAME from animal where mass>2.5 -- heavier"},
		{"SELECT a.name FROM animal AS a JOIN keeper AS k ON a.keeper = k.id WHERE k.name = 'Bo'",
			"SELECT `x`.`name` FROM animal x INNER JOIN keeper y ON x.keeper == y.id WHERE y.name = 'Al';"},
		{"SELECT name FROM animal WHERE id IN (1, 2, 3)", "SELECT name FROM animal WHERE id IN (4)"},
		{"SELECT name FROM animal WHERE id IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)", "SELECT name FROM animal WHERE id IN (4)"},
		{"SELECT name FROM animal ORDER BY mass LIMIT 3", "SELECT name FROM animal ORDER BY mass ASC LIMIT 5"},
		{"SELECT a.* FROM animal a WHERE a.id = 1", "SELECT b.* FROM animal b WHERE b.id = 2"},
		// The order of inner joins and of conditions.
		{"SELECT a.name FROM animal AS a JOIN keeper AS k ON a.keeper = k.id WHERE k.name = 'Bo' AND a.mass > 1",
			"SELECT a.name FROM keeper AS k JOIN animal AS a ON k.id = a.keeper WHERE a.mass > 2 AND k.name = 'Al'"},
		{"SELECT COUNT(*) FROM animal WHERE mass > 1 AND id = 2", "SELECT COUNT(*) FROM animal WHERE id = 3 AND mass > 4"},
		{"SELECT substring(name, 1) FROM animal", "SELECT substr(name, 1) FROM animal"},
	}
	different := [][2]string{
		{"SELECT name FROM animal WHERE mass > 10", "SELECT name FROM animal WHERE mass >= 10"},
		// Where the order of conditions decides which rows or what sums come out.
		{"SELECT name FROM animal WHERE mass > 1 AND id = 2 LIMIT 1", "SELECT name FROM animal WHERE id = 2 AND mass > 1 LIMIT 1"},
		{"SELECT name FROM animal WHERE mass > 1 AND id = 2 ORDER BY id", "SELECT name FROM animal WHERE id = 2 AND mass > 1 ORDER BY id"},
		{"SELECT SUM(mass) FROM animal WHERE mass > 1 AND id = 2", "SELECT SUM(mass) FROM animal WHERE id = 2 AND mass > 1"},
		{"SELECT name, MAX(mass), COUNT(*) FROM animal WHERE mass > 1 AND id = 2", "SELECT name, MAX(mass), COUNT(*) FROM animal WHERE id = 2 AND mass > 1"},
		{"SELECT name FROM animal WHERE name = 'a'", "SELECT name FROM animal WHERE name = 1"},
		{"SELECT name FROM animal ORDER BY mass LIMIT 3", "SELECT name FROM animal ORDER BY mass LIMIT 1"},
		{"SELECT a.name FROM animal a, animal b", "SELECT b.name FROM animal a, animal b"},
		{"SELECT a.* FROM animal a JOIN animal b ON a.id < b.id", "SELECT a.* FROM animal b JOIN animal a ON b.id < a.id"},
		{"SELECT a.value FROM json_each('[1]') a, json_each('[2]') b", "SELECT a.value FROM json_each('[1]') b, json_each('[2]') a"},
		{`SELECT "Ida" FROM animal`, `SELECT "IDA" FROM animal`},
		{"SELECT mass * 100 FROM animal", "SELECT mass * 10 FROM animal"},
		// Beyond ten, an endpoint takes as many values as its own list has.
		{"SELECT name FROM animal WHERE id IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)", "SELECT name FROM animal WHERE id IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)"},
		// One value twice is one parameter, so the shapes differ.
		{"SELECT 1 FROM animal WHERE id = 1 OR id = 1", "SELECT 1 FROM animal WHERE id = 1 OR id = 2"},
		// The outer and the inner table of a correlated subquery.
		{"SELECT 1 FROM animal a WHERE EXISTS (SELECT 1 FROM animal b WHERE a.id = b.keeper)",
			"SELECT 1 FROM animal a WHERE EXISTS (SELECT 1 FROM animal b WHERE b.id = a.keeper)"},
	}
	key := func(sql string) string {
		tpl, err := New(engine.SQLite, sql, zoo)
		if err != nil {
			t.Fatal(err)
		}
		return tpl.Key
	}
	for _, c := range same {
		if a, b := key(c[0]), key(c[1]); a != b {
			t.Errorf("different keys\n%s\n%s", a, b)
		}
	}
	for _, c := range different {
		if a, b := key(c[0]), key(c[1]); a == b {
			t.Errorf("%s\n%s\nhave the same key %s", c[0], c[1], a)
		}
	}
}

// TestTemplateRefusals lists statements that no endpoint can answer.
func TestTemplateRefusals(t *testing.T) {
	for sql, says := range map[string]string{
		"SELECT name FROM animal WHERE":                     "cannot be read",
		"DELETE FROM animal":                                "expected SELECT",
		"SELECT name FROM animal ORDER BY RANDOM() LIMIT 3": "leave random() and randomblob() out",
		"SELECT name FROM animal LIMIT random()":            "leave random() and randomblob() out",
		"SELECT (SELECT hex(randomblob(4)))":                "leave random() and randomblob() out",
	} {
		if _, err := New(engine.SQLite, sql, zoo); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

package plan

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/planner/vocabulary"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestFunctionsOfSQLite asks for every function that SQLite has: those that are
// not planned are refused by their names, and never said not to exist.
func TestFunctionsOfSQLite(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT DISTINCT name, iif(narg < 0, 4, narg) FROM pragma_function_list WHERE name NOT LIKE '->%' AND name NOT LIKE 'current_%'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	refused := 0
	for rows.Next() {
		var name string
		var nargs int
		if err := rows.Scan(&name, &nargs); err != nil {
			t.Fatal(err)
		}
		args := strings.TrimSuffix(strings.Repeat("note, ", nargs), ", ")
		_, err := build("SELECT "+name+"("+args+") FROM orders", shop)
		var u *Unsupported
		switch {
		case err == nil, value.Known(name, nargs), vocabulary.Aggregation(name) != "", windowOf(name) != "":
		case !errors.As(err, &u), u.Construct != fullText && u.Construct != "function "+name,
			u.Reason != "the function "+name+"() is not planned":
			t.Errorf("%s of %d arguments: %v", name, nargs, err)
		default:
			refused++
		}
	}
	if err := rows.Err(); err != nil || refused < 40 {
		t.Errorf("%d functions are refused by name, %v", refused, err)
	}
}

func windowOf(name string) tools.WindowFunction {
	fn, _ := vocabulary.Window(name)
	return fn
}

// TestUnplannedFunctions distinguishes functions of SQLite from those that it lacks.
func TestUnplannedFunctions(t *testing.T) {
	for _, c := range []struct{ call, says string }{
		{"json_pretty(note)", "function json_pretty: the function json_pretty() is not planned"},
		{"jsonb_extract('{}', '$.x')", "function jsonb_extract: the function jsonb_extract() is not planned"},
		{"JSON(note, 1)", "function: there is no function json of 2 arguments"},
		{"json_group_array(id) OVER ()", "function json_group_array: the function json_group_array() is not planned"},
		{"random()", "function random: the function random() is not planned"},
		{"highlight(orders, 0, '<', '>')", "full-text search: the function highlight() is not planned"},
		{"frobnicate(id, 1)", "function: there is no function frobnicate of 2 arguments"},
		{"frobnicate(1)", "function: there is no function frobnicate of 1 arguments"},
		{"abs(1, 2)", "function: there is no function abs of 2 arguments"},
		{"upper(note) OVER ()", "window function: upper is no window function"},
	} {
		// A full-text table's name is a hidden column, which its functions take.
		call := strings.Replace(c.call, "orders", "note", 1)
		if _, err := build("SELECT "+call+" FROM orders", shop); err == nil || err.Error() != c.says {
			t.Errorf("%s: %v, want %s", c.call, err, c.says)
		}
	}
}

// notes has a full-text table and an ordinary one.
var notes = &sqlite.Schema{Tables: []*sqlite.Table{
	table("customers", "id", "id", "name"),
	{Name: "notes", Columns: []sqlite.Column{{Name: "title"}, {Name: "body"}, {Name: "notes", Hidden: true}, {Name: "rank", Hidden: true}}},
}}

// TestFullTextSearch refuses what only a full-text table understands, however
// it is written: in double quotes it is no text. Ordinary columns are read as
// those of any table.
func TestFullTextSearch(t *testing.T) {
	for _, sql := range []string{
		"SELECT title FROM notes WHERE notes = 'quick'",
		"SELECT title FROM notes WHERE 'quick' = notes",
		`SELECT title FROM notes WHERE "notes" = 'quick'`,
		"SELECT title FROM notes AS n WHERE n.notes = 'quick'",
		"SELECT title FROM notes WHERE notes IN ('quick')",
		"SELECT title, rank FROM notes",
		"SELECT title AS rank FROM notes WHERE rank IS NULL",
		"SELECT title FROM notes ORDER BY Rank",
		`SELECT count(*) || "rank" FROM notes`,
		`SELECT max(title), "rank" FROM notes GROUP BY body`,
		"SELECT bm25(notes) FROM notes",
		"SELECT bm25(title) FROM notes",
		"SELECT snippet(title, 0, '<', '>', '...', 3) FROM notes",
		"SELECT title FROM notes WHERE match('quick', title)",
		`SELECT name FROM customers WHERE id IN (SELECT 1 FROM notes WHERE "rank" < 0)`,
		`SELECT (SELECT max(id) FROM customers WHERE "rank" < 0) FROM notes`,
		`SELECT name FROM customers LEFT JOIN notes ON name = title AND "rank" = 'rank'`,
	} {
		if _, err := build(sql, notes); err == nil || !strings.Contains(err.Error(), fullText) {
			t.Errorf("%s: %v, want it refused as %s", sql, err, fullText)
		}
	}
	for _, sql := range []string{
		"SELECT * FROM notes",
		"SELECT title FROM notes WHERE body LIKE '%quick%' ORDER BY title",
		"SELECT title AS rank FROM notes ORDER BY rank",
		"SELECT n.rank FROM (SELECT title AS rank FROM notes) AS n WHERE rank > 'a'",
		"SELECT name FROM customers JOIN notes ON name = title",
	} {
		if p, err := build(sql, notes); err != nil {
			t.Errorf("%s: %v", sql, err)
		} else if strings.Contains(p.String(), ".rank") {
			t.Errorf("%s reads a hidden column:\n%s", sql, p)
		}
	}
}

// TestNoText lists names in double quotes that are no text, though no column in
// FROM has them.
func TestNoText(t *testing.T) {
	for _, c := range []struct{ sql, construct string }{
		{`SELECT "rowid" FROM items`, "unknown column"},
	} {
		if _, err := build(c.sql, shop); construct(err) != c.construct {
			t.Errorf("%s: %v, want the construct %q", c.sql, err, c.construct)
		}
	}
	if _, err := build(`SELECT name FROM customers LEFT JOIN orders ON customer = name AND "nosuch" = 'nosuch'`, shop); err != nil {
		t.Error(err)
	}
}

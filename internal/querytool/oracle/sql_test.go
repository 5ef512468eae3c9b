package oracle

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/data/usecases"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// small is a database whose results can be worked out by hand.
const small = `
CREATE TABLE dishes (name TEXT, course TEXT, price INTEGER, "is hot" BOOLEAN);
INSERT INTO dishes VALUES
('smoky garlic soup', 'soup', 6, 1),
('garlic bread', 'starter', 4, 1),
('cold soup', 'soup', 6, 0),
('Smoked trout', 'main', 15, NULL),
('bread', NULL, NULL, 0);
CREATE VIRTUAL TABLE dishes_search USING fts5(name, course, tokenize = 'porter unicode61');
INSERT INTO dishes_search(rowid, name, course) SELECT rowid, name, course FROM dishes;`

func openSmall(t *testing.T) (*query.Database, *Database, *sql.DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.sqlite")
	file, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if _, err := file.Exec(small); err != nil {
		t.Fatal(err)
	}
	info := &bird.Database{ID: "small", Path: path}
	db, err := query.Open(t.Context(), info)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	proof, err := Open(t.Context(), info, db.Collections(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { proof.Close() })
	return db, proof, file
}

// rowsOf runs statements as a program would that has no package of this module, and
// returns the rows of all of them, a line each.
func rowsOf(t *testing.T, db *sql.DB, statements string) string {
	t.Helper()
	var b strings.Builder
	for _, statement := range strings.Split(statements, ";\n") {
		readRows(t, &b, db, statement)
	}
	return b.String()
}

func readRows(t *testing.T, b *strings.Builder, db *sql.DB, statement string) {
	t.Helper()
	rows, err := db.Query(statement)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		cells := make([]any, len(columns))
		to := make([]any, len(columns))
		for i := range cells {
			to[i] = &cells[i]
		}
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		for i, cell := range cells {
			cells[i] = fmt.Sprint(cell)
			if cell == nil {
				cells[i] = "NULL"
			}
		}
		fmt.Fprintln(b, strings.Trim(fmt.Sprint(cells), "[]"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

func where(property string, operator query.Operator, v any) []query.Filter {
	return []query.Filter{{Property: property, Operator: operator, Value: v}}
}

func compute(list ...query.Aggregation) []query.Aggregation { return list }

// The rows that queries of the small database give, worked out by hand.
var worked = []struct {
	name  string
	query query.Query
	want  string
}{
	{"objects in the order of the table", query.Query{Properties: []string{"name"}, Filters: where("course", query.Equal, "soup")}, "smoky garlic soup\ncold soup\n"},
	{"a stem finds another word of it", query.Query{Search: "SMOKE", Properties: []string{"price"}}, "15\n"},
	{"all words, in any text, the best first", query.Query{Search: "soup", Properties: []string{"name"}}, "cold soup\nsmoky garlic soup\n"},
	{"NULL is neither equal nor unequal", query.Query{Properties: []string{"name"}, Filters: where("is hot", query.NotEqual, true)}, "cold soup\nbread\n"},
	{"LIKE disregards case", query.Query{Properties: []string{"name"}, Filters: where("name", query.Like, "smok%")}, "smoky garlic soup\nSmoked trout\n"},
	{"values are no syntax", query.Query{Properties: []string{"name"}, Filters: where("name", query.Equal, "' OR 1 = 1 --")}, ""},
	{"one of several values", query.Query{Properties: []string{"name"}, Filters: where("price", query.In, []any{int64(4), 15.0})}, "garlic bread\nSmoked trout\n"},
	{
		"OR and AND", query.Query{Properties: []string{"name"}, Filters: []query.Filter{{AnyOf: []query.Filter{
			{Property: "price", Operator: query.IsNull},
			{AllOf: []query.Filter{{Property: "price", Operator: query.Greater, Value: int64(4)}, {Property: "is hot", Operator: query.Equal, Value: true}}},
		}}}}, "smoky garlic soup\nbread\n",
	},
	{"distinct objects stand where the first one does", query.Query{Properties: []string{"course", "price"}, Distinct: true}, "soup 6\nstarter 4\nmain 15\nNULL NULL\n"},
	{
		"order, limit and offset", query.Query{Properties: []string{"name"}, OrderBy: []query.Order{{Property: "price", Descending: true}}, Limit: 2, Offset: 1},
		"smoky garlic soup\ncold soup\n",
	},
	{
		"numbers", query.Query{Aggregations: compute(query.Aggregation{Property: "price", Metric: query.Count}, query.Aggregation{Property: "price", Metric: query.Min},
			query.Aggregation{Property: "price", Metric: query.Max}, query.Aggregation{Property: "price", Metric: query.Mean}, query.Aggregation{Property: "price", Metric: query.Sum},
			query.Aggregation{Property: "price", Metric: query.Median}, query.Aggregation{Property: "price", Metric: query.Mode}, query.Aggregation{Metric: query.Count})},
		"4 4 15 7.75 31 6 6 5\n",
	},
	{"the median of an odd number is a value", query.Query{Filters: where("price", query.Less, int64(10)), Aggregations: compute(query.Aggregation{Property: "price", Metric: query.Median})}, "6\n"},
	{"the mode is the least one", query.Query{Filters: where("course", query.NotEqual, "soup"), Aggregations: compute(query.Aggregation{Property: "price", Metric: query.Mode})}, "4\n"},
	{"distinct values", query.Query{Aggregations: compute(query.Aggregation{Property: "price", Metric: query.Sum, Distinct: true})}, "25\n"},
	{
		"booleans", query.Query{Aggregations: compute(query.Aggregation{Property: "is hot", Metric: query.Count}, query.Aggregation{Property: "is hot", Metric: query.TotalTrue},
			query.Aggregation{Property: "is hot", Metric: query.TotalFalse}, query.Aggregation{Property: "is hot", Metric: query.PercentageTrue},
			query.Aggregation{Property: "is hot", Metric: query.PercentageFalse}, query.Aggregation{Property: "is hot", Metric: query.TypeOf})},
		"4 2 2 50 50 boolean\n",
	},
	{"nothing", query.Query{Filters: where("price", query.Greater, int64(99)), Aggregations: compute(query.Aggregation{Property: "price", Metric: query.Count}, query.Aggregation{Property: "price", Metric: query.Median}, query.Aggregation{Property: "is hot", Metric: query.PercentageTrue})}, "0 NULL NULL\n"},
	{"occurrences, and other values", query.Query{Aggregations: compute(query.Aggregation{Property: "course", Metric: query.TopOccurrences, Limit: 2}, query.Aggregation{Property: "price", Metric: query.Max})}, "15\nsoup 2\nmain 1\n"},
	{"groups by their keys, NULL first", query.Query{GroupBy: []string{"course"}, Aggregations: compute(query.Aggregation{Property: "price", Metric: query.Median})}, "NULL NULL\nmain 15\nsoup 6\nstarter 4\n"},
	{"objects of groups", query.Query{GroupBy: []string{"is hot"}, Properties: []string{"price"}}, "NULL 15\n0 6\n0 NULL\n1 6\n1 4\n"},
	{
		"groups in an order", query.Query{
			GroupBy: []string{"course"}, Properties: []string{"name"}, Limit: 2,
			OrderBy: []query.Order{{Aggregation: &query.Aggregation{Property: "price", Metric: query.Median}, Descending: true}},
		}, "main Smoked trout\nsoup smoky garlic soup\nsoup cold soup\n",
	},
	{
		"occurrences of groups, one of which has none", query.Query{GroupBy: []string{"is hot"}, Aggregations: compute(query.Aggregation{Property: "course", Metric: query.TopOccurrences, Limit: 1})},
		"NULL main 1\n0 soup 1\n1 soup 1\n",
	},
	{
		"a group without a value", query.Query{GroupBy: []string{"name"}, Filters: where("price", query.IsNull, nil), Aggregations: compute(query.Aggregation{Property: "course", Metric: query.TopOccurrences})},
		"bread NULL 0\n",
	},
}

// TestSQL runs what is shown of each query with FTS5 itself, and holds the rows
// against those that were worked out, and the result of the query against its SQL.
func TestSQL(t *testing.T) {
	db, proof, file := openSmall(t)
	var shown strings.Builder
	for _, w := range worked {
		w.query.Collection = "dishes"
		text, err := proof.SQL(w.query)
		if err != nil {
			t.Errorf("%s: %v", w.name, err)
			continue
		}
		fmt.Fprintf(&shown, "-- %s\n%s\n\n", w.name, text)
		if got := rowsOf(t, file, text); got != w.want {
			t.Errorf("%s: got\n%swant\n%s%s", w.name, got, w.want, text)
		}
		result, err := db.Run(t.Context(), w.query)
		if err != nil {
			t.Errorf("%s: %v", w.name, err)
		} else if err := proof.Verify(t.Context(), w.query, result); err != nil {
			t.Errorf("%s: %v", w.name, err)
		}
	}
	golden.Equal(t, "testdata/small.sql", shown.String())
}

// TestVerifyFindsDifferences spoils results.
func TestVerifyFindsDifferences(t *testing.T) {
	db, proof, _ := openSmall(t)
	prices := compute(query.Aggregation{Property: "price", Metric: query.Mean})
	for _, test := range []struct {
		name  string
		query query.Query
		spoil func(*query.Result)
	}{
		{"a value", query.Query{Aggregations: prices}, func(r *query.Result) { r.Values[0].Value = value.Float(7.5) }},
		{"its type", query.Query{Aggregations: compute(query.Aggregation{Property: "price", Metric: query.Median})}, func(r *query.Result) { r.Values[0].Value = value.Int(6) }},
		{"the order of objects", query.Query{}, func(r *query.Result) { r.Objects[0], r.Objects[1] = r.Objects[1], r.Objects[0] }},
		{"the order of a search", query.Query{Search: "soup"}, func(r *query.Result) { r.Objects[0], r.Objects[1] = r.Objects[1], r.Objects[0] }},
		{"an object more", query.Query{Search: "trout"}, func(r *query.Result) { r.Objects = append(r.Objects, r.Objects[0]) }},
		{"the properties", query.Query{Properties: []string{"price"}}, func(r *query.Result) { r.Columns[0] = "name" }},
		{"a group less", query.Query{GroupBy: []string{"course"}}, func(r *query.Result) { r.Groups = r.Groups[1:] }},
		{"an empty group", query.Query{GroupBy: []string{"course"}}, func(r *query.Result) { r.Groups[0].Objects = nil }},
		{"what groups agree in", query.Query{GroupBy: []string{"course"}, Aggregations: prices}, func(r *query.Result) { r.Keys[0] = "name" }},
		{"an occurrence", query.Query{Aggregations: compute(query.Aggregation{Property: "course", Metric: query.TopOccurrences})}, func(r *query.Result) { r.Values[0].Occurrences[0].Count++ }},
		{"a missing value", query.Query{Aggregations: prices}, func(r *query.Result) { r.Values = nil }},
		{"groups beside values", query.Query{Aggregations: prices}, func(r *query.Result) { r.Groups = []query.Group{{}} }},
	} {
		test.query.Collection = "dishes"
		result, err := db.Run(t.Context(), test.query)
		if err != nil {
			t.Fatal(err)
		}
		if err := proof.Verify(t.Context(), test.query, result); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		test.spoil(result)
		err = proof.Verify(t.Context(), test.query, result)
		if m := (*Mismatch)(nil); !errors.As(err, &m) || m.SQL == "" || m.Reason == "" {
			t.Errorf("%s: got error %v, want a mismatch", test.name, err)
		}
	}
}

func TestNames(t *testing.T) {
	for s, want := range map[string]string{
		"price": "price", "_x1": "_x1", "order": `"order"`, "Order": `"Order"`, "list price": `"list price"`, `a"b`: `"a""b"`, "1st": `"1st"`, "": `""`, "café": `"café"`, "groups": `"groups"`,
	} {
		if got := name(s); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for _, test := range []struct {
		v    any
		want string
	}{
		{"it's", "'it''s'"},
		{"a\x00b", "CAST(x'610062' AS TEXT)"},
		{true, "TRUE"},
		{int64(-9223372036854775808), "-9223372036854775808"},
		{2.0, "2.0"},
		{1e300, "1e+300"},
		{0.1, "0.1"},
	} {
		if got, err := literal(test.v); err != nil || got != test.want {
			t.Errorf("%v: got %s, %v; want %s", test.v, got, err, test.want)
		}
	}
	if _, err := literal([]byte("x")); err == nil {
		t.Error("a value of no kind is a literal")
	}
}

func TestErrors(t *testing.T) {
	_, proof, _ := openSmall(t)
	if _, err := proof.SQL(query.Query{Collection: "dish"}); err == nil || !strings.Contains(err.Error(), `no table "dish"`) {
		t.Errorf("got error %v", err)
	}
	if err := proof.Verify(t.Context(), query.Query{Collection: "dishes", Search: "?!"}, &query.Result{}); err == nil || !strings.Contains(err.Error(), "no words") {
		t.Errorf("got error %v", err)
	}
	d, err := bird.Load(bird.Options{FS: usecases.FS(), AllDatabases: true})
	if err != nil {
		t.Fatal(err)
	}
	missing := *d.Databases[0]
	missing.Name = "nowhere.sqlite"
	if _, err := Open(t.Context(), &missing, nil, 0); err == nil {
		t.Error("a database that is missing opens")
	}
}

func FuzzLiteral(f *testing.F) {
	f.Add("it's", "smoky \"garlic\"")
	f.Add("\x00'", "NEAR(a b)")
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		f.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'porter unicode61')"); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s, search string) {
		if len(s) > 10_000 || len(search) > 10_000 {
			return
		}
		var back string
		if err := db.QueryRow("SELECT " + text(s)).Scan(&back); err != nil || back != s {
			t.Errorf("%q comes back as %q: %v", s, back, err)
		}
		if len(tokens(search)) == 0 {
			return
		}
		var n int
		if err := db.QueryRow("SELECT COUNT(*) FROM words WHERE words MATCH " + text(matched(search))).Scan(&n); err != nil {
			t.Errorf("a search for %q: %v", search, err)
		}
	})
}

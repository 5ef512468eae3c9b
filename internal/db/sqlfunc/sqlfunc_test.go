package sqlfunc_test

import (
	"database/sql"
	"maps"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/pkg/value"
)

func open(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// extensions are what the names of functions of SQLite's extensions begin with.
var extensions = []string{"fts5", "geopoly_", "rtree", "bm25", "highlight", "snippet", "match"}

// TestFunctionList holds the table against what SQLite says of its own functions
// (https://www.sqlite.org/pragma.html#pragma_function_list).
func TestFunctionList(t *testing.T) {
	const deterministic = 0x800
	rows, err := open(t).Query("SELECT name, type, narg, flags & ? > 0 FROM pragma_function_list", deterministic)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	classes := map[string]sqlfunc.Class{}
	for rows.Next() {
		var name, kind string
		var nargs int
		var pure bool
		if err := rows.Scan(&name, &kind, &nargs, &pure); err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(extensions, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			continue
		}
		f := sqlfunc.SQLite(name)
		class := sqlfunc.Scalar
		if kind != "s" { // aggregates are window functions, too
			class = f.Class & (sqlfunc.Aggregate | sqlfunc.Window)
		}
		classes[name] |= class
		if class == 0 || f.Class&class != class || kind == "s" && pure != (f.Volatility == sqlfunc.Deterministic) {
			t.Errorf("%s of %d arguments is %s, deterministic %t: %+v", name, nargs, kind, pure, f)
		}
		if f.Is(sqlfunc.Aggregate) && nargs >= 0 && f.Aggregates(nargs, false) != (kind == "w") {
			t.Errorf("%s of %d arguments is %s, and aggregates: %t", name, nargs, kind, f.Aggregates(nargs, false))
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, f := range sqlfunc.All() {
		if f.Class != classes[f.Name] && f.Class != sqlfunc.TableValued {
			t.Errorf("%s: SQLite has the class %b, and the table %b", f.Name, classes[f.Name], f.Class)
		}
		if (f.Aggregate != sqlfunc.NoAggregate) != f.Is(sqlfunc.Aggregate) {
			t.Errorf("%s is of the class %b and the kind %d", f.Name, f.Class, f.Aggregate)
		}
	}
}

// TestAggregatesAndWindows has SQLite run each aggregate and window function: an
// aggregate as both, and a window function only as that.
func TestAggregatesAndWindows(t *testing.T) {
	db := open(t)
	runs := func(call string) bool {
		_, err := db.Exec("SELECT " + call + " FROM (SELECT 1 AS x)")
		return err == nil
	}
	for _, f := range sqlfunc.All() {
		if !f.Is(sqlfunc.Aggregate | sqlfunc.Window) {
			continue
		}
		aggregates, windows := false, false
		for _, args := range []string{"", "x", "x, 1"} {
			call := f.Name + "(" + args + ")"
			aggregates = aggregates || runs(call)
			windows = windows || runs(call+" OVER ()")
		}
		if aggregates != f.Is(sqlfunc.Aggregate) || !windows {
			t.Errorf("%s: SQLite takes it as an aggregate: %t, as a window function: %t", f.Name, aggregates, windows)
		}
	}
}

// TestResults holds the types of results against what SQLite gives.
func TestResults(t *testing.T) {
	db := open(t)
	kinds := map[sqlfunc.Result]string{sqlfunc.Integer: "integer", sqlfunc.Real: "real", sqlfunc.Text: "text"}
	for _, f := range sqlfunc.All() {
		for x, ofArgument := range map[string]string{"1": "integer", "2.5": "real"} {
			want := kinds[f.Result]
			if f.Result == sqlfunc.FirstArgument || f.Result == sqlfunc.Sum {
				want = ofArgument
			}
			if want == "" {
				continue
			}
			over := ""
			if f.Is(sqlfunc.Window) {
				over = " OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)"
			}
			got := ""
			for _, args := range []string{"x", "", "x, 1", "'%Y', x", "x, 1, 1"} {
				err := db.QueryRow("SELECT typeof(" + f.Name + "(" + args + ")" + over + ") AS kind FROM (SELECT " + x + " AS x UNION ALL SELECT " + x + ") ORDER BY kind = 'null'").Scan(&got)
				if err == nil && got != "null" {
					break
				}
			}
			if got != want {
				t.Errorf("%s of %s is %s, want %s", f.Name, x, got, want)
			}
		}
	}
}

// TestValue checks which scalar functions, deterministic or reading the clock, package
// value does not compute, and that it computes no other functions of the table.
func TestValue(t *testing.T) {
	var missing []string
	for _, f := range sqlfunc.All() {
		computes := slices.ContainsFunc([]int{0, 1, 2, 3}, func(n int) bool { return value.Known(f.Name, n) })
		may := f.Is(sqlfunc.Scalar) && (f.Volatility == sqlfunc.Deterministic || f.Clock != sqlfunc.NoClock)
		switch {
		case computes && !may:
			t.Errorf("package value computes %s: %+v", f.Name, f)
		case may && !computes && !strings.HasPrefix(f.Name, "jsonb"):
			missing = append(missing, f.Name)
		}
	}
	slices.Sort(missing)
	if want := strings.Fields("json_array_insert json_error_position json_pretty sqlite_offset subtype"); !slices.Equal(missing, want) {
		t.Errorf("package value lacks %q, want %q", missing, want)
	}
}

// TestClock names the functions that read the clock, and the texts that mean now.
func TestClock(t *testing.T) {
	var names []string
	for _, f := range sqlfunc.All() {
		if f.Clock != sqlfunc.NoClock {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	if want := strings.Fields("current_date current_time current_timestamp date datetime julianday strftime time unixepoch"); !slices.Equal(names, want) {
		t.Errorf("%q read the clock, want %q", names, want)
	}
	if now, _ := sqlfunc.MeansNow(" now"); now {
		t.Error("a text with a space is now")
	}
	for text, want := range map[string][2]bool{
		"now": {true, false}, "NOW": {true, false}, "subsec": {true, true}, "SubSecond": {true, true}, "": {}, "utc": {}, "2024-01-01": {},
	} {
		if now, modifies := sqlfunc.MeansNow(text); [2]bool{now, modifies} != want {
			t.Errorf("%q: now %t, a modifier %t, want %v", text, now, modifies, want)
		}
	}
}

// TestCanonical names the functions that have several names.
func TestCanonical(t *testing.T) {
	got := map[string]string{}
	for _, f := range sqlfunc.All() {
		if name := sqlfunc.Canonical(f.Name); name != f.Name {
			got[f.Name] = name
		}
	}
	want := map[string]string{
		"if": "iif", "ifnull": "coalesce", "substring": "substr", "format": "printf", "ceiling": "ceil", "power": "pow", "string_agg": "group_concat",
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for name := range want {
		if sqlfunc.SQLite(strings.ToUpper(name)).Name != name {
			t.Errorf("%s is not found in capitals", name)
		}
	}
	if got := sqlfunc.Canonical("frobnicate"); got != "frobnicate" {
		t.Errorf("an unknown function is %s", got)
	}
}

package emit

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// typed has columns of each affinity.
var typed = &engine.Schema{Tables: []*engine.Table{
	{Name: "t", RowID: true, Columns: []engine.Column{
		{Name: "text", Affinity: value.AffinityText, Collation: "BINARY"}, {Name: "whole", Affinity: value.AffinityInteger, Collation: "BINARY"},
		{Name: "real", Affinity: value.AffinityReal, Collation: "BINARY"}, {Name: "any", Collation: "BINARY"},
		{Name: "folded", Affinity: value.AffinityText, Collation: "NOCASE"},
	}},
	{Name: "u", RowID: true, Columns: []engine.Column{{Name: "text", Affinity: value.AffinityText, Collation: "BINARY"}, {Name: "whole", Affinity: value.AffinityInteger, Collation: "BINARY"}}},
}}

func emitTyped(t *testing.T, sql string) *Sequence {
	t.Helper()
	q, err := sqltree.Read(sql, typed)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	p, err := plan.Build(q, typed, plan.Options{AsOf: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	s, err := Emit(p, typed, false)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return s
}

// TestFilterValues lists what filters compare with: constants of the column's
// type where the comparison makes them that.
func TestFilterValues(t *testing.T) {
	for _, c := range []struct{ where, want string }{
		{"text = 31", `"31"`},
		{"text IN (1, 2.5, 'x')", `["1","2.5","x"]`},
		{"text BETWEEN 1 AND 2", `["1","2"]`},
		{"text LIKE 31", `31`},
		{"whole = '31'", `31`},
		{"whole = '3x'", `"3x"`},
		{"whole IN ('1', 2)", `[1,2]`},
		{"real > '9007199254740993'", `9007199254740993`},
		{"any = '31'", `"31"`},
		{"any = 31", `31`},
		{"whole + 0 = '31'", `"31"`},
		{"text IS 31", `"31"`},
		{"text <> NULL", `null`},
	} {
		s := emitTyped(t, "SELECT real FROM t WHERE "+c.where)
		for _, call := range s.Calls {
			if call.Name != toolname.Filter {
				continue
			}
			v, _ := call.Arguments.Get(toolname.ArgValue)
			if got, err := json.Marshal(v); err != nil || string(got) != c.want {
				t.Errorf("%s: %s %v, want %s", c.where, got, err, c.want)
			}
		}
	}
}

// TestOldFirst says which side of a join comes first: that of the tables joined
// so far, unless the sides compare in different ways.
func TestOldFirst(t *testing.T) {
	for _, c := range []struct{ on, left, right string }{
		{"a.text = b.text", "a.text", "b.text"},
		{"b.text = a.text", "a.text", "b.text"},
		{"b.text = a.folded", "b.text", "a.folded"},
		{"b.whole = a.real", "a.real", "b.whole"},
	} {
		s := emitTyped(t, "SELECT a.real FROM t AS a JOIN u AS b ON "+c.on)
		if got := s.Starts[0].Conditions[0]; got.Left != c.left || got.Right != c.right {
			t.Errorf("%s: %s and %s, want %s and %s", c.on, got.Left, got.Right, c.left, c.right)
		}
	}
}

// TestCounted lists the key that rows are counted by: of the table that each row
// is about, and none where an outer join fills up with NULL.
func TestCounted(t *testing.T) {
	schema := &engine.Schema{Tables: []*engine.Table{
		baseTable("league", "id", "id", "name"), baseTable("match", "id", "id", "league_id"), baseTable("card", "", "match_id"),
	}}
	for _, c := range []struct{ from, want string }{
		{"league", "league_id"},
		{"league JOIN match ON league.id = match.league_id", "match_id"},
		{"match JOIN league ON league.id = match.league_id", "match_id"},
		{"league LEFT JOIN match ON league.id = match.league_id", "league_id"},
		{"league FULL JOIN match ON league.id = match.league_id", ""},
		{"league LEFT JOIN match ON league.id = match.league_id FULL JOIN card ON card.match_id = match.id", ""},
		{"card", ""},
	} {
		sql := "SELECT count(*) FROM " + c.from
		q, err := sqltree.Read(sql, schema)
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.Build(q, schema, plan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := Emit(p, schema, false)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := s.Calls[len(s.Calls)-1].Arguments.Get(toolname.ArgKeyName); got != c.want && (got != nil || c.want != "") {
			t.Errorf("%s: counted by %v, want %s", c.from, got, c.want)
		}
	}
}

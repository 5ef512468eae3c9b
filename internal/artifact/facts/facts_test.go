package facts_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/birdcall/birdcall/internal/artifact/facts"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestNew lists questions with their answers, and what is written of them.
func TestNew(t *testing.T) {
	null := value.NullValue()
	many := slices.Repeat([][]value.Value{{value.Int(1)}}, facts.MaxRows+1)
	for name, c := range map[string]struct {
		question bird.Question
		rows     [][]value.Value
		want     string
	}{
		"all that a dataset tells": {
			bird.Question{SQL: "SELECT n FROM t ORDER BY n", Evidence: "e", Difficulty: "simple", Split: "dev", DuplicateOf: bird.Number(0)},
			[][]value.Value{{value.Float(1)}, {value.Str("x")}},
			`{"evidence":"e","difficulty":"simple","split":"dev","gold":{"columns":["n"],"rows":[[1.0],["x"]],"ordered":true},"constructs":["ORDER BY"],"duplicate_of":0}`,
		},
		"no rows": {
			bird.Question{SQL: "SELECT n FROM t"}, nil,
			`{"gold":{"columns":["n"],"rows":[],"ordered":false},"constructs":[],"trivial":true}`,
		},
		"nothing but NULL": {
			bird.Question{SQL: "SELECT n FROM t WHERE n"}, [][]value.Value{{null}, {null}},
			`{"gold":{"columns":["n"],"rows":[[null],[null]],"ordered":false},"constructs":["WHERE"],"trivial":true}`,
		},
		"NULL beside another value": {
			bird.Question{SQL: "SELECT n FROM t"}, [][]value.Value{{null}, {value.Int(0)}},
			`{"gold":{"columns":["n"],"rows":[[null],[0]],"ordered":false},"constructs":[]}`,
		},
		"what is not SQL": {
			bird.Question{SQL: "?"}, [][]value.Value{{value.Bytes("\x00")}},
			`{"gold":{"columns":["n"],"rows":[[{"blob":"00"}]],"ordered":false},"constructs":[]}`,
		},
	} {
		got, err := json.Marshal(facts.New(&c.question, []string{"n"}, c.rows))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s, want\n%s", name, err, got, c.want)
		}
	}
	for rows, want := range map[int]bool{facts.MaxRows: false, facts.MaxRows + 1: true} {
		if got := facts.New(&bird.Question{}, nil, many[:rows]); got.Oversized != want {
			t.Errorf("%d rows are oversized: %v", rows, got.Oversized)
		}
	}
}

// TestSetTies lists the groups of rows, and the runs of more than one.
func TestSetTies(t *testing.T) {
	for name, c := range map[string]struct {
		rows    int
		ordered bool
		groups  []int
		want    [][2]int
	}{
		"no rows":          {0, true, nil, nil},
		"one row":          {1, true, nil, nil},
		"all are equal":    {3, true, nil, [][2]int{{0, 2}}},
		"none are equal":   {3, true, []int{0, 1, 2}, nil},
		"some are equal":   {6, true, []int{4, 4, 5, 6, 6, 6}, [][2]int{{0, 1}, {3, 5}}},
		"not ordered":      {2, false, []int{0, 0}, nil},
		"of another table": {2, true, []int{0, 0, 0}, nil},
	} {
		g := record.Gold{Rows: make([][]any, c.rows), Ordered: c.ordered}
		if facts.SetTies(&g, c.groups); !slices.Equal(g.Ties, c.want) {
			t.Errorf("%s: %v, want %v", name, g.Ties, c.want)
		}
	}
}

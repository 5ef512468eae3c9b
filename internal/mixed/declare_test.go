package mixed

import (
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/golden"
)

// TestMoved says how many tables are drawn, that the same are drawn again, and that
// what is moved at a share is so at greater ones.
func TestMoved(t *testing.T) {
	for _, c := range []struct{ tables, share, want int }{
		{0, 100, 0}, {1, 40, 0}, {1, 50, 1}, {7, 0, 0}, {7, 20, 1}, {7, 40, 3}, {7, 50, 4}, {7, 100, 7}, {10, 60, 6},
	} {
		for seed := range uint64(5) {
			n := 0
			for _, m := range Moved("birds", c.tables, c.share, seed) {
				if m {
					n++
				}
			}
			if n != c.want {
				t.Errorf("%d %% of %d tables, seed %d: %d, want %d", c.share, c.tables, seed, n, c.want)
			}
		}
	}
	drawn := map[string]bool{}
	for seed := range uint64(20) {
		before := make([]bool, 8)
		for _, share := range []int{0, 20, 40, 50, 60, 80, 100} {
			moved := Moved("birds", 8, share, seed)
			for i := range moved {
				if before[i] && !moved[i] {
					t.Errorf("seed %d: table %d is moved, and at %d %% no more", seed, i, share)
				}
			}
			before = moved
		}
		key := ""
		for _, m := range Moved("birds", 8, 50, seed) {
			if m {
				key += "x"
			} else {
				key += "-"
			}
		}
		drawn[key] = true
	}
	if len(drawn) < 10 {
		t.Errorf("20 seeds draw only %v", drawn)
	}
}

// TestDeclare writes a declaration of names that YAML would take for something else.
func TestDeclare(t *testing.T) {
	databases := []APIPlacement{
		{ID: "birds", Segment: "birds", Tables: []Table{{Name: "species", Rows: 12}, {Name: "order items", Rows: 3, Key: []string{"no.", "item"}}, {Name: "on"}, {Name: `a/"b": #c`, Rows: 1}}},
		{ID: "none", Segment: "none"},
		{ID: "2024 birds", Segment: "2024_birds", Tables: []Table{{Name: "été", Rows: 9, View: true}}},
	}
	golden.Equal(t, "testdata/declared.yaml", string(Declare(databases, true, Asking{})))
	golden.Equal(t, "testdata/declared_tables.yaml", string(Declare(databases[:1], false, Asking{Cache: CacheForever, Page: 50, Many: 7})))
	if text := Declare(databases[1:2], false, Asking{}); text != nil {
		t.Errorf("nothing to declare: %s", text)
	}
}

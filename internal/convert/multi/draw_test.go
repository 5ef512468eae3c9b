package multi_test

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestDrawProperties says what holds for the pairs of any questions: databases and
// answers differ, no pair is there twice, and questions are drawn equally often
// where nothing prevents it.
func TestDrawProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var candidates []multi.Candidate
		for db, n := range rapid.SliceOfN(rapid.IntRange(0, 9), 1, 5).Draw(t, "questions of databases") {
			for range n {
				candidates = append(candidates, multi.Candidate{Database: fmt.Sprint(db), Number: value.Int(int64(rapid.IntRange(0, 6).Draw(t, "number")))})
			}
		}
		n := rapid.IntRange(0, 60).Draw(t, "pairs")
		seed := rapid.Uint64().Draw(t, "seed")
		got := multi.Draw(candidates, n, seed)
		possible := 0
		for i, a := range candidates {
			for _, b := range candidates[:i] {
				if a.Database != b.Database && a.Number != b.Number {
					possible++
				}
			}
		}
		if len(got) != min(n, possible) {
			t.Fatalf("%d pairs, want %d of %d", len(got), n, possible)
		}
		seen := map[[2]int]bool{}
		for _, p := range got {
			a, b := candidates[p.First], candidates[p.Second]
			if a.Database == b.Database || a.Number == b.Number || seen[[2]int{p.First, p.Second}] || seen[[2]int{p.Second, p.First}] {
				t.Fatalf("%+v is no new pair of %+v and %+v", p, a, b)
			}
			seen[[2]int{p.First, p.Second}] = true
		}
		if again := multi.Draw(candidates, n, seed); !reflect.DeepEqual(got, again) {
			t.Fatal("two draws differ")
		}
	})
}

// TestDrawIsFair says that each of many questions is a part once at least, and that
// the order, what is asked for and the wording are mixed.
func TestDrawIsFair(t *testing.T) {
	var candidates []multi.Candidate
	for i := range 100 {
		candidates = append(candidates, multi.Candidate{Database: fmt.Sprint(i % 11 % 4), Number: value.Int(int64(i))})
	}
	for seed := range uint64(3) {
		uses, first, larger, wordings := make([]int, 100), 0, 0, map[int]int{}
		for _, p := range multi.Draw(candidates, 100, seed) {
			uses[p.First]++
			uses[p.Second]++
			wordings[p.Template]++
			if p.Which == multi.Larger {
				larger++
			}
			if p.Which.Of(candidates[p.First].Number, candidates[p.Second].Number) == "Q1" {
				first++
			}
		}
		for i, n := range uses {
			if n < 1 || n > 4 {
				t.Errorf("seed %d: question %d is drawn %d times", seed, i, n)
			}
		}
		if first < 30 || first > 70 || larger < 30 || larger > 70 || len(wordings) < 4 {
			t.Errorf("seed %d: of 100 pairs, Q1 is the answer of %d, and %d ask for the larger number; wordings %v", seed, first, larger, wordings)
		}
	}
}

// TestDrawNoRoundingError says that numbers that differ by a rounding error make no
// pair, and that there may be none at all.
func TestDrawNoRoundingError(t *testing.T) {
	for _, c := range []struct {
		a, b value.Value
		want int
	}{
		{value.Float(0.1 + 0.2), value.Float(0.3), 0},
		{value.Int(3), value.Float(3), 0},
		{value.Int(3), value.Float(3.1), 1},
		{value.Int(1 << 60), value.Int(1<<60 + 1), 0}, // the sum of reals could be either
		{value.Int(-1), value.Int(1), 1},
	} {
		got := multi.Draw([]multi.Candidate{{Database: "a", Number: c.a}, {Database: "b", Number: c.b}}, 5, 0)
		if len(got) != c.want {
			t.Errorf("%v and %v: %d pairs, want %d", c.a, c.b, len(got), c.want)
		}
	}
}

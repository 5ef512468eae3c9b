package verify_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

func cell() *rapid.Generator[value.Value] {
	return rapid.OneOf(
		rapid.Just(null),
		rapid.Map(rapid.Int64Range(0, 3), i),
		rapid.Map(rapid.Int64Range(0, 12), func(n int64) value.Value { return f(float64(n) / 4) }),
		rapid.Map(rapid.StringMatching(`[ab]{0,2}`), s),
		rapid.Map(rapid.StringMatching(`[ab]{0,1}`), b),
	)
}

func table(least int) *rapid.Generator[rows] {
	return rapid.Custom(func(t *rapid.T) rows {
		columns := rapid.IntRange(1, 3).Draw(t, "columns")
		return rapid.SliceOfN(rapid.SliceOfN(cell(), columns, columns), least, 20).Draw(t, "rows")
	})
}

// rounded returns a copy whose reals are off by a rounding error.
func rounded(t *rapid.T, in rows) rows {
	out := make(rows, len(in))
	for r, cells := range in {
		out[r] = slices.Clone(cells)
		for c, v := range cells {
			if v.Kind() == value.Real {
				out[r][c] = f(v.Float64() * (1 + 4e-10*float64(rapid.IntRange(-1, 1).Draw(t, "error"))))
			}
		}
	}
	return out
}

func shuffled(t *rapid.T, in rows) rows {
	out := slices.Clone(in)
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	random.Shuffle(len(out), func(a, b int) { out[a], out[b] = out[b], out[a] })
	return out
}

func TestShufflesAreEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := table(0).Draw(t, "want")
		got := shuffled(t, rounded(t, want))
		for _, loose := range []bool{false, true} {
			if v := verify.Compare(want, got, verify.Options{Loose: loose}); !v.Equal {
				t.Errorf("loose %v: %+v", loose, v)
			}
		}
		if v := verify.Compare(want, rounded(t, want), verify.Options{Ordered: true}); !v.Equal {
			t.Errorf("ordered: %+v", v)
		}
	})
}

func TestOneOtherCellIsUnequal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := table(1).Draw(t, "want")
		got := rounded(t, want)
		r := rapid.IntRange(0, len(got)-1).Draw(t, "row")
		c := rapid.IntRange(0, len(got[r])-1).Draw(t, "column")
		other := cell().Filter(func(v value.Value) bool { return v != want[r][c] }).Draw(t, "other")
		got[r][c] = other
		if v := verify.Compare(want, got, verify.Options{Ordered: true}); v.Equal || v.Reason == "" {
			t.Errorf("ordered: %+v", v)
		}
		got = shuffled(t, got)
		if v := verify.Compare(want, got, verify.Options{}); v.Equal || v.Reason == "" {
			t.Errorf("unordered: %+v", v)
		}
	})
}

func TestTiesChangePlacesOnlyAmongThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := table(1).Draw(t, "want")
		ties := rapid.SliceOfN(rapid.IntRange(0, 2), len(want), len(want)).Draw(t, "ties")
		slices.Sort(ties)
		var got rows
		for _, group := range []int{0, 1, 2} {
			var members rows
			for r, g := range ties {
				if g == group {
					members = append(members, want[r])
				}
			}
			got = append(got, shuffled(t, members)...)
		}
		if v := verify.Compare(want, got, verify.Options{Ordered: true, Ties: ties}); !v.Equal {
			t.Errorf("%+v", v)
		}
		limit := rapid.IntRange(0, len(want)).Draw(t, "limit")
		offset := rapid.IntRange(0, len(want)-limit).Draw(t, "offset")
		c := verify.Candidates{Rows: want, Groups: ties, Limit: int64(limit), Offset: int64(offset)}
		if !verify.OneOf(got[offset:offset+limit], c) {
			t.Error("the window is not one of the answers")
		}
	})
}

func TestAnyChoiceIsOneOfEach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		groups := rapid.SliceOfN(table(1), 0, 6).Draw(t, "groups")
		var got rows
		for _, g := range groups {
			got = append(got, g[rapid.IntRange(0, len(g)-1).Draw(t, "choice")])
		}
		if !verify.OneOfEach(got, groups, true) {
			t.Error("not in order")
		}
		got = shuffled(t, rounded(t, got))
		if !verify.OneOfEach(got, groups, false) {
			t.Error("not in another order")
		}
		if len(got) > 0 {
			got[0] = row(s("in no group"))
			if verify.OneOfEach(got, groups, false) {
				t.Error("a row of no group is right")
			}
		}
	})
}

// Large answers, with many rows alike and many close to each other, are
// compared without looking at all pairs.
func TestLargeAnswers(t *testing.T) {
	const n = 50_000
	want, got := make(rows, n), make(rows, n)
	groups := make([][][]value.Value, n)
	for r := range n {
		want[r] = row(i(int64(r%100)), f(float64(1+r/1000)+float64(r%7)*1e-10), s("same"))
		got[n-1-r] = row(i(int64(r%100)), f(float64(1+r/1000)+float64(r%5)*1e-10), s("same"))
		groups[r] = rows{row(i(int64(r)), s("a")), row(i(int64(r)), s("b"))}
	}
	if v := verify.Compare(want, got, verify.Options{}); !v.Equal {
		t.Errorf("%+v", v)
	}
	if !verify.OneOf(got[:n/2], verify.Candidates{Rows: want, Limit: n / 2}) {
		t.Error("half of the rows are not one of the answers")
	}
	chosen := make(rows, n)
	for r, g := range groups {
		chosen[(r*7+1)%n] = g[r%2]
	}
	if !verify.OneOfEach(chosen, groups, false) {
		t.Error("one row of each group is no answer")
	}
	got[7] = row(i(7), f(-1), s("other"))
	if v := verify.Compare(want, got, verify.Options{}); v.Equal {
		t.Error("another row goes unnoticed")
	}
}

func BenchmarkCompare(b *testing.B) {
	const n = 100_000
	want, got := make(rows, n), make(rows, n)
	for r := range n {
		want[r] = row(i(int64(r)), f(float64(r)/3), s("text"))
		got[n-1-r] = want[r]
	}
	for b.Loop() {
		if v := verify.Compare(want, got, verify.Options{}); !v.Equal {
			b.Fatal(v.Reason)
		}
	}
}

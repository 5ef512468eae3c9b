package verify

import (
	"fmt"
	"math"

	"github.com/birdcall/birdcall/pkg/value"
)

// Options say what else counts as the same answer. The zero Options ask for
// the same rows in any order.
type Options struct {
	// Ordered asks for the rows in the order of the wanted ones.
	Ordered bool
	// Ties gives, if Ordered, the group of each wanted row: neighbours of the
	// same number have equal sort keys and may change places. Nil fixes the
	// place of every row; otherwise there must be a number for each row.
	Ties []int
	// Loose takes an integer and a real that are exactly the same number for
	// the same value. Without it the storage class must match.
	Loose bool
}

// Verdict is the result of a comparison.
type Verdict struct {
	Equal  bool
	Reason string // the first difference, "" if there is none
}

func differ(format string, args ...any) Verdict {
	return Verdict{Reason: fmt.Sprintf(format, args...)}
}

// Compare says whether got is the same answer as want. Cells are the same if
// they are of one storage class and equal to the byte, except that two reals
// may differ by 1e-9 of the greater, or by 1e-12 near zero; NULL is the same
// as NULL.
//
// Rows in any order are paired by a best matching, so that rounding errors do
// not depend on the order. Only where thousands of different rows are within
// rounding errors of each other is the pairing a good guess, which errs by
// finding a difference.
func Compare(want, got [][]value.Value, o Options) Verdict {
	if len(want) != len(got) {
		return differ("got %d rows, want %d", len(got), len(want))
	}
	switch {
	case !o.Ordered:
		return compareRun(want, got, 0, o.Loose)
	case o.Ties == nil:
		for i := range want {
			if column := firstDifference(want[i], got[i], o.Loose); column >= 0 {
				return difference(i, want[i], got[i], column)
			}
		}
		return Verdict{Equal: true}
	case len(o.Ties) != len(want):
		return differ("the ties number %d rows of %d: give one number for each wanted row", len(o.Ties), len(want))
	}
	for _, r := range runs(o.Ties) {
		if v := compareRun(want[r.start:r.end], got[r.start:r.end], r.start, o.Loose); !v.Equal {
			return v
		}
	}
	return Verdict{Equal: true}
}

// run is a range of neighbouring rows of the same group.
type run struct{ start, end int }

func runs(groups []int) []run {
	var list []run
	for i, g := range groups {
		if i == 0 || g != groups[i-1] {
			list = append(list, run{start: i})
		}
		list[len(list)-1].end = i + 1
	}
	return list
}

// compareRun compares as many rows in any order. first is the number of the
// first row in the whole answer.
func compareRun(want, got [][]value.Value, first int, loose bool) Verdict {
	restWant, restGot := matchRows(want, got, loose)
	if len(restWant) == 0 {
		return Verdict{Equal: true}
	}
	w := restWant[0]
	g, column := closest(want[w], got, restGot, loose)
	return difference(first+w, want[w], got[g], column)
}

// closest returns the row that differs from want in the fewest cells, of equal
// ones that which differs last, and the first column where it does. It looks at
// the first candidates only.
func closest(want []value.Value, got [][]value.Value, candidates []int, loose bool) (row, column int) {
	const maxTried = 64
	fewest := math.MaxInt
	for _, g := range candidates[:min(maxTried, len(candidates))] {
		n, first := differences(want, got[g], loose), firstDifference(want, got[g], loose)
		if n < fewest || n == fewest && first > column {
			fewest, row, column = n, g, first
		}
	}
	return row, column
}

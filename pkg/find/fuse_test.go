package find

import (
	"slices"
	"testing"
)

func TestFuse(t *testing.T) {
	for _, c := range []struct {
		name  string
		lists [][]int
		k     float64
		want  []int
	}{
		{"none", nil, 60, nil},
		{"empty lists", [][]int{{}, nil}, 60, nil},
		{"one list stays as it is", [][]int{{3, 1, 2}}, 60, []int{3, 1, 2}},
		{"two that agree", [][]int{{2, 0}, {2, 0}}, 60, []int{2, 0}},
		{"what both have comes before the first of one", [][]int{{1, 2, 3}, {4, 2, 5}}, 60, []int{2, 1, 4, 3, 5}},
		{"with k 0 the first of one counts as much as the second of both", [][]int{{1, 2}, {4, 2}}, 0, []int{1, 2, 4}},
		{"equal sums are in the order of the places", [][]int{{9, 5}, {5, 9}, {7}}, 60, []int{5, 9, 7}},
		{"the same in another order of the lists", [][]int{{7}, {5, 9}, {9, 5}}, 60, []int{5, 9, 7}},
	} {
		var got []int
		for _, f := range fuse(c.lists, c.k) {
			got = append(got, f.place)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

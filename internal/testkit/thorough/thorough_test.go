package thorough

import (
	"slices"
	"testing"
)

func TestEvery(t *testing.T) {
	for _, test := range []struct {
		set   string
		first int
		want  []int
	}{
		{"", 0, []int{1, 4, 7}},
		{"", 1, []int{2, 5}},
		{"", 2, []int{3, 6}},
		{"", 3, []int{1, 4, 7}},
		{"1", 1, []int{1, 2, 3, 4, 5, 6, 7}},
	} {
		t.Setenv("BIRDCALL_THOROUGH", test.set)
		if got := Every([]int{1, 2, 3, 4, 5, 6, 7}, 3, test.first); !slices.Equal(got, test.want) {
			t.Errorf("%q, first %d: %v, want %v", test.set, test.first, got, test.want)
		}
		if got, want := Rounds(3, 40), map[string]int{"": 3, "1": 40}[test.set]; got != want {
			t.Errorf("%q: %d rounds, want %d", test.set, got, want)
		}
	}
}

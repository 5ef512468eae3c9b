package convert

import (
	"slices"
	"testing"

	"github.com/birdcall/birdcall/pkg/record"
)

// TestGroups numbers five rows by which of them may change places.
func TestGroups(t *testing.T) {
	rows := make([][]any, 5)
	for _, test := range []struct {
		name string
		gold record.Gold
		want []int
	}{
		{"no ties", record.Gold{Rows: rows}, nil},
		{"one tie", record.Gold{Rows: rows, Ties: [][2]int{{1, 2}}}, []int{0, 1, 1, 3, 4}},
		{"two ties", record.Gold{Rows: rows, Ties: [][2]int{{0, 1}, {3, 4}}}, []int{0, 0, 2, 3, 3}},
		{"all rows", record.Gold{Rows: rows, Ties: [][2]int{{0, 4}}}, []int{0, 0, 0, 0, 0}},
		{"a tie that goes on", record.Gold{Rows: rows, Ties: [][2]int{{3, 9}}}, []int{0, 1, 2, 3, 3}},
		{"other rows", record.Gold{Rows: rows[:4], Ties: [][2]int{{1, 2}}}, nil},
	} {
		if got := groups(test.gold, len(rows)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

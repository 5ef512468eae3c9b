package page

import (
	"slices"
	"testing"

	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestPartners says which predicted call is shown next to each gold call.
func TestPartners(t *testing.T) {
	calls := func(names ...string) (out []evaluate.Called) {
		for _, name := range names {
			out = append(out, evaluate.Called{Call: tools.Call{Name: name}})
		}
		return out
	}
	for _, test := range []struct {
		name    string
		outcome evaluate.Outcome
		want    []int
	}{
		{"none", evaluate.Outcome{}, []int{}},
		{"the same names", evaluate.Outcome{Gold: calls("a", "b"), Predicted: calls("b", "a")}, []int{1, 0}},
		{"too few", evaluate.Outcome{Gold: calls("a", "a"), Predicted: calls("a")}, []int{0, -1}},
		{"one that an argument tells", evaluate.Outcome{Gold: calls("a"), Predicted: calls("a", "a"),
			Differences: []evaluate.Difference{{Gold: 0, Predicted: 0, Argument: "x"}}}, []int{0}},
		{"the second of two", evaluate.Outcome{Gold: calls("a", "a"), Predicted: calls("a", "a"),
			Differences: []evaluate.Difference{{Gold: 0, Predicted: 1, Argument: "x"}}}, []int{1, 0}},
		{"the first that an argument tells", evaluate.Outcome{Gold: calls("a"), Predicted: calls("a", "a"),
			Differences: []evaluate.Difference{{Gold: 0, Predicted: 0, Argument: "x"}, {Gold: 0, Predicted: 1, Argument: "y"}}}, []int{0}},
		{"one that is missing", evaluate.Outcome{Gold: calls("a"), Predicted: calls("a"),
			Differences: []evaluate.Difference{{Gold: 0, Predicted: -1}}}, []int{-1}},
		{"one too many", evaluate.Outcome{Gold: calls("a"), Predicted: calls("a", "a"),
			Differences: []evaluate.Difference{{Gold: -1, Predicted: 0}}}, []int{1}},
		{"calls that are not there", evaluate.Outcome{Gold: calls("a"), Predicted: calls("a"),
			Differences: []evaluate.Difference{{Gold: 1, Predicted: 0, Argument: "x"}, {Gold: 0, Predicted: 1, Argument: "x"}}}, []int{0}},
	} {
		if got := partners(&test.outcome); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

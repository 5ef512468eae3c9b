package evaluate

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestReadCalls says which calls a prediction has, in each of its forms, and why it has
// none.
func TestReadCalls(t *testing.T) {
	call := &tools.Call{Name: "f"}
	for _, test := range []struct {
		name       string
		prediction Prediction
		want       string // the names of the calls
		err        string
	}{
		{"nothing", Prediction{}, "", "there is no text"},
		{"no calls", Prediction{Calls: []tools.Call{}}, "", ""},
		{"calls", Prediction{Calls: []tools.Call{{Name: "f"}, {Name: "g"}}}, "f g", ""},
		{"steps", Prediction{Steps: []Step{{Call: call}, {Text: "I think"}, {Call: &tools.Call{Name: "g"}}}}, "f g", ""},
		{"a step that failed", Prediction{Steps: []Step{{Call: call, Failed: true}}}, "", "no step has a call that returned something"},
		{"a step that looked for tools", Prediction{Steps: []Step{{Call: &tools.Call{Name: spec.SearchName}}}}, "", "no step has a call that returned something"},
		{"steps without calls", Prediction{Steps: []Step{{Text: "I think"}}}, "", "no step has a call that returned something"},
	} {
		calls, err := readCalls(&test.prediction)
		var names []string
		for _, c := range calls {
			names = append(names, c.Name)
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if strings.Join(names, " ") != test.want || got != test.err {
			t.Errorf("%s: %q, %q; want %q, %q", test.name, names, got, test.want, test.err)
		}
	}
}

// TestValueReason says how many wrong values a reason has.
func TestValueReason(t *testing.T) {
	wrong := func(number int) (out []Difference) {
		for range number {
			out = append(out, Difference{Argument: "x", Got: "1", Want: "2"})
		}
		return out
	}
	const one = "call 1: x is 1, gold has 2"
	for _, test := range []struct {
		differences []Difference
		want        string
	}{
		{nil, "the calls are gold's, but they return something else"},
		{[]Difference{{Predicted: -1, Argument: "x"}, {Predicted: 0}}, "the calls are gold's, but they return something else"},
		{[]Difference{{Predicted: 1, Argument: "x", Want: "2"}}, "call 2: x is missing, gold has 2"},
		{[]Difference{{Predicted: 1, Argument: "x", Got: "1"}}, "call 2: x is 1, gold has none"},
		{wrong(3), one + "; " + one + "; " + one},
		{wrong(4), one + "; " + one + "; " + one + "; and 1 more"},
		{wrong(9), one + "; " + one + "; " + one + "; and 6 more"},
	} {
		if got := valueReason(&compared{differences: test.differences}); got != test.want {
			t.Errorf("%+v:\n got %s\nwant %s", test.differences, got, test.want)
		}
	}
}

// TestArrayEnds says that an array of predictions ends as one does, or with the file.
func TestArrayEnds(t *testing.T) {
	for text, ok := range map[string]bool{"[]": true, "[": true, "[ ]": true, "[}": false} {
		if err := new(predictionReader).array([]byte(text)); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

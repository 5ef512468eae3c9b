package toolnames

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// paired begins the variants of samples over two databases, in this test.
const paired = "two of "

// TestLabels says which label a call of each variant gets.
func TestLabels(t *testing.T) {
	count := func(name string) tools.Call {
		return tools.Call{Name: name, Arguments: tools.Arguments{{Name: "data_source", Value: "$t$"}, {Name: "aggregation_type", Value: "count"}}}
	}
	bound := tools.Call{Name: "compute_data_count", Arguments: tools.Arguments{{Name: "data_source", Value: "$t$"}}}
	for _, c := range []struct {
		variant     string
		call        tools.Call
		first, then string
	}{
		{record.SLOT, count("aggregate_data"), "COUNT", "COUNT_1"},
		{record.SEL, bound, "COUNT", "COUNT_1"},
		{record.SEL, count("nothing"), "", ""},
		{record.REST, count("aggregate_data"), "", ""},
		{paired + record.SLOT, count("aggregate_data"), "COUNT", "COUNT_1"},
		{paired + record.REST, tools.Call{Name: "branch_count"}, "RESULT_0", "RESULT_1"},
		{paired + record.REST, tools.Call{Name: multi.CompareTool}, "COMPARISON", "COMPARISON_1"},
	} {
		variant, isPair := strings.CutPrefix(c.variant, paired)
		s := &evaluate.Sample{Variant: variant, ID: bird.Number(1), Start: &record.Slot{}}
		if isPair {
			s.Pair = &record.Multi{}
		}
		l := NewLabeler(s)
		first := l.Next(c.call, nil)
		l.Keep(c.call)
		if then := l.Next(c.call, nil); first != c.first || then != c.then {
			t.Errorf("%s %s: %q, then %q", c.variant, c.call.Name, first, then)
		}
	}
}

// TestLabelArgument says that an argument called label is only taken for a label
// where the tool has none of that name.
func TestLabelArgument(t *testing.T) {
	s := &evaluate.Sample{Variant: record.SLOT, Start: &record.Slot{}, Tools: []spec.Tool{
		{Name: "f"}, {Name: "g", Parameters: map[string]any{"properties": map[string]any{"label": map[string]any{}}}},
	}}
	for name, want := range map[string]string{"f": "x", "g": ""} {
		c := NewLabeler(s).TakeLabel(tools.Call{Name: name, Arguments: tools.Arguments{{Name: "label", Value: "$x$"}}})
		if c.Label != want || len(c.Arguments) == 1 != (want == "") {
			t.Errorf("%s: got %+v", name, c)
		}
	}
}

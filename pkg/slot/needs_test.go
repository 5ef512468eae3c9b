package slot_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestNeeds says that needs which were collected apart, written and read list
// the tools that they list together.
func TestNeeds(t *testing.T) {
	sequences := [][]tools.Call{
		{{Name: tools.ToolWindow, Arguments: tools.Arguments{{Name: tools.ArgOutputKey, Value: "n"}}}},
		{{Name: tools.ToolFilter, Arguments: tools.Arguments{{Name: tools.ArgCondition, Value: "glob"}, {Name: tools.ArgValue, Value: json.Number("3")}}}},
		{{Name: tools.ToolTransform, Arguments: tools.Arguments{
			{Name: tools.ArgOperationType, Value: string(tools.OpCast)},
			{Name: tools.ArgOperationArgs, Value: tools.Arguments{{Name: tools.ArgType, Value: tools.CastReal}}},
		}}},
		nil,
	}
	together, merged := &slot.Needs{}, &slot.Needs{}
	for _, calls := range sequences {
		together.Add(calls)
		one := &slot.Needs{}
		one.Add(calls)
		text, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		read := &slot.Needs{}
		if err := json.Unmarshal(text, read); err != nil {
			t.Fatal(err)
		}
		merged.Merge(read)
	}
	merged.Merge(nil)
	want := slot.Auto.Definitions(together)
	if diff := cmp.Diff(want, slot.Auto.Definitions(merged)); diff != "" {
		t.Errorf("the tools (-together +merged):\n%s", diff)
	}
	if none := slot.Auto.Definitions(&slot.Needs{}); len(want) <= len(none) {
		t.Errorf("%d tools are needed, and without needs there are %d", len(want), len(none))
	}
	if err := json.Unmarshal([]byte(`[]`), merged); err == nil {
		t.Error("a list is read as needs")
	}
}

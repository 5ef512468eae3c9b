package slot_test

import (
	"encoding/json"
	"testing"

	"github.com/birdcall/birdcall/internal/text/toolname"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestNeeds checks that needs that were collected separately, written and read give the
// same tools as needs that were collected together.
func TestNeeds(t *testing.T) {
	sequences := [][]tools.Call{
		{{Name: toolname.Window, Arguments: tools.Arguments{{Name: toolname.ArgOutputKey, Value: "n"}}}},
		{{Name: toolname.Filter, Arguments: tools.Arguments{{Name: toolname.ArgCondition, Value: "glob"}, {Name: toolname.ArgValue, Value: json.Number("3")}}}},
		{{Name: toolname.Transform, Arguments: tools.Arguments{
			{Name: toolname.ArgOperationType, Value: string(tools.OpCast)},
			{Name: toolname.ArgOperationArgs, Value: tools.Arguments{{Name: toolname.ArgType, Value: tools.CastReal}}},
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

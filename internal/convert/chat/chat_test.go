package chat

import (
	"testing"

	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestAnswer lists results of the last call with the answers that are written.
func TestAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		last observation.Observation
		want string
	}{
		"all is shown":         {observation.Observation{RowCount: 2, Shown: 2}, `["<a>",1]`},
		"rows are left out":    {observation.Observation{RowCount: 60, Shown: 50, Truncated: true}, `{"result":"$L$","row_count":60}`},
		"columns are left out": {observation.Observation{RowCount: 1, Shown: 1, Truncated: true, ColumnsNotShown: 3}, `{"result":"$L$","row_count":1}`},
		"a text is cut":        {observation.Observation{RowCount: 1, Shown: 1, Truncated: true, TextsCut: true}, `{"result":"$L$","row_count":1}`},
	} {
		if got, err := Answer(&c.last, []any{"<a>", 1}, "$L$"); err != nil || got != c.want {
			t.Errorf("%s: %v, the answer is %s, want %s", name, err, got, c.want)
		}
	}
}

// TestMessagesFail says that each call needs what it returned.
func TestMessagesFail(t *testing.T) {
	if _, err := (Sample{Calls: []tools.Call{{Name: "a"}}}).Messages(); err == nil {
		t.Error("a call without a result is told")
	}
	if _, err := (Sample{Calls: []tools.Call{{Name: "a", Arguments: tools.Arguments{{Name: "x", Value: func() {}}}}}, Returned: []string{"1"}}).Messages(); err == nil {
		t.Error("an argument that is no JSON is told")
	}
}

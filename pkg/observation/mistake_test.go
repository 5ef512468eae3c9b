package observation_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestOfError lists errors with what a model is shown for them.
func TestOfError(t *testing.T) {
	unknown := &tools.ToolError{Tool: "filter_data", Argument: "key_name", Reason: `unknown key "x"`, Hint: "use one of a, b"}
	for _, c := range []struct {
		err  error
		want string
	}{
		{unknown, `{"error":{"message":"filter_data: key_name: unknown key \"x\"; use one of a, b","tool":"filter_data","argument":"key_name","reason":"unknown key \"x\"","hint":"use one of a, b"}}`},
		{fmt.Errorf("call 2: %w", unknown), `{"error":{"message":"call 2: filter_data: key_name: unknown key \"x\"; use one of a, b","tool":"filter_data","argument":"key_name","reason":"unknown key \"x\"","hint":"use one of a, b"}}`},
		{&tools.ToolError{Tool: "f", Reason: "no"}, `{"error":{"message":"f: no","tool":"f","reason":"no"}}`},
		{&tools.LimitError{Tool: "join_data", What: "rows", Limit: 10}, `{"error":{"message":"join_data: the result has more than 10 rows; filter first or join on a key"}}`},
		{errors.New("it takes too long"), `{"error":{"message":"it takes too long"}}`},
	} {
		got, err := observation.OfError(c.err).JSON()
		if err != nil || got != c.want {
			t.Errorf("%v, the text is\n%s, want\n%s", err, got, c.want)
		}
		for _, variant := range []string{"slot", "rest"} {
			if err := fits(schemaOf(t, variant), got); err != nil {
				t.Error(err)
			}
		}
	}
}

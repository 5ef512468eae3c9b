package spec_test

import (
	"encoding/json"
	"testing"

	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestValidate says which calls the tools of a sample allow.
func TestValidate(t *testing.T) {
	list := slot.Specs([]slot.Key{{Name: "orders_id", Description: "number of the order", Type: "integer"}}, slot.Full)
	var v spec.Validator
	for _, c := range []struct {
		name, args string
		ok         bool
	}{
		{"retrieve_data", `{"data_source": "$starting_table_var$", "key_name": "orders_id", "distinct": false, "limit": -1}`, true},
		{"retrieve_data", `{"data_source": "$starting_table_var$", "key_name": ["orders_id"], "distinct": false}`, true},
		{"retrieve_data", `{"data_source": "$starting_table_var$", "key_name": "people_id"}`, false},
		{"filter_data", `{"data_source": "$starting_table_var$", "key_name": "orders_id", "value": 1, "condition": "same"}`, false},
		{"filter_data", `{"key_name": "orders_id", "value": 1, "condition": "equal_to"}`, false},
		{"drop_data", `{}`, false},
	} {
		call := tools.Call{Name: c.name}
		if err := json.Unmarshal([]byte(c.args), &call.Arguments); err != nil {
			t.Fatal(err)
		}
		if err := v.Validate(list, []tools.Call{call}); (err == nil) != c.ok {
			t.Errorf("%s %s: got %v", c.name, c.args, err)
		}
	}
}

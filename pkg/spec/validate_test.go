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
	list := slot.Specs(tools.Definitions())
	var v spec.Validator
	for _, c := range []struct {
		name, args string
		ok         bool
	}{
		{"retrieve_data", `{"data_source": "$starting_table_var$", "key_name": "orders_id", "distinct": false, "limit": -1}`, true},
		{"retrieve_data", `{"data_source": "$starting_table_var$", "key_name": ["orders_id"], "distinct": false}`, true},
		{"retrieve_data", `{"data_source": "$starting_table_var$", "key_name": "made_by_an_earlier_call"}`, true},
		{"retrieve_data", `{"data_source": "$starting_table_var$", "key_name": 1}`, false},
		{"transform_data", `{"data_source": "$s$", "key_name": "k", "operation_type": "round", "operation_args": {"digits": 2}}`, true},
		{"transform_data", `{"data_source": "$s$", "key_name": "k", "operation_type": "round", "operation_args": {"places": 2}}`, false},
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

package sel_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// schools is a session on a table of three schools, and its functions.
func schools() *sel.Session {
	table, err := tools.NewTable(
		[]tools.Field{{Key: "schools_School"}, {Key: "schools_Takers"}},
		[]*tools.Column{
			tools.NewColumn(value.Str("Millikan High"), value.Str("Polytechnic High"), value.Str("Troy High")),
			tools.NewColumn(value.Int(700), value.Int(400), value.Int(900)),
		})
	if err != nil {
		panic(err)
	}
	session := tools.NewSession(nil, tools.Options{})
	session.Put(tools.StartLabel, table)
	set := sel.New(tools.Definitions(), []record.Key{
		{Name: "schools_School", Description: "name of the school"},
		{Name: "schools_Takers", Description: "number of test takers"},
	})
	return sel.NewSession(set, session)
}

// A sequence of SEL calls is run like one of SLOT calls.
func ExampleSession_Run() {
	session := schools()
	for _, c := range []tools.Call{
		{Name: "select_data_greater_than", Label: "FILTERED_DF_0", Arguments: tools.Arguments{
			{Name: "data_source", Value: "$starting_table_var$"}, {Name: "key_name", Value: "schools_Takers"}, {Name: "value", Value: 500},
		}},
		{Name: "sort_data_descending", Label: "SORTED_DF", Arguments: tools.Arguments{
			{Name: "data_source", Value: "$FILTERED_DF_0$"}, {Name: "key_name", Value: "schools_Takers"},
		}},
		{Name: "get_schools_Schools", Arguments: tools.Arguments{{Name: "data_source", Value: "$SORTED_DF$"}}},
	} {
		table, err := session.Run(context.Background(), c)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(c.Name, table.Len())
	}
	// Output:
	// select_data_greater_than 2
	// sort_data_descending 2
	// get_schools_Schools 2
}

// TestErrorsNameTheFunction checks that an error names the function that the model
// called.
func TestErrorsNameTheFunction(t *testing.T) {
	for want, c := range map[string]tools.Call{
		"sort_data_descending: data_source: unknown label": {Name: "sort_data_descending", Arguments: tools.Arguments{
			{Name: "data_source", Value: "$NOTHING$"}, {Name: "key_name", Value: "schools_Takers"},
		}},
		"select_data_equal_to: value: is missing":      {Name: "select_data_equal_to", Arguments: tools.Arguments{{Name: "data_source", Value: "$starting_table_var$"}, {Name: "key_name", Value: "schools_Takers"}}},
		"get_schools_Names: there is no such function": {Name: "get_schools_Names"},
	} {
		_, err := schools().Run(t.Context(), c)
		var wrong *tools.ToolError
		if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", c.Name, err, want)
		}
	}
}

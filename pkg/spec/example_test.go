package spec_test

import (
	"encoding/json"
	"fmt"

	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// A sample's tools and gold calls, with a tenth of the tools, hidden names, and
// in the form of OpenAI's strict mode.
func ExampleOptions_Prepare() {
	specs := slot.Specs([]slot.Key{{Name: "bird_name", Description: "what it is called"}}, slot.Paper)
	gold := []tools.Call{{Name: "sort_data", Label: "SORTED_DF", Arguments: tools.Arguments{
		{Name: "data_source", Value: "$starting_table_var$"}, {Name: "key_name", Value: "bird_name"}, {Name: "ascending", Value: true},
	}}}
	how := spec.Options{Format: spec.OpenAIStrict, Shortlist: 10, Names: spec.NewNames(specs)}
	list, calls, err := how.Prepare(specs, gold, "birds/1")
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(calls[0])
	if err != nil {
		panic(err)
	}
	fmt.Println(len(specs), len(list))
	fmt.Println(string(text))
	back, err := how.Names.Reveal(calls[0])
	fmt.Println(back.Name, err)
	// Output:
	// 7 1
	// {"name":"FUNC_1","arguments":{"ARG_2":"$starting_table_var$","ARG_3":"bird_name","ARG_1":true},"label":"SORTED_DF"}
	// sort_data <nil>
}

package observation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/tools"
)

// What a model is shown of a filter, of a count, and of a key that does not exist.
func Example() {
	ctx := context.Background()
	birds, err := tools.FromStructs([]struct {
		Name string `tools:"name"`
		Eggs int    `tools:"eggs"`
	}{{"Wren", 6}, {"Robin", 5}, {"Swift", 2}})
	if err != nil {
		log.Fatal(err)
	}
	session := tools.NewSession(nil, tools.Options{})
	if err := session.Put("bird", birds); err != nil {
		log.Fatal(err)
	}
	var calls []tools.Call
	err = json.Unmarshal([]byte(`[
		{"name": "filter_data", "arguments": {"data_source": "$bird$", "key_name": "eggs", "value": 4, "condition": "greater_than"}, "label": "FILTERED_DF_0"},
		{"name": "aggregate_data", "arguments": {"data_source": "$FILTERED_DF_0$", "aggregation_type": "count"}, "label": "COUNT"},
		{"name": "sort_data", "arguments": {"data_source": "$bird$", "key_name": "egg", "ascending": true}, "label": "SORTED_DF"}]`), &calls)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range calls {
		var shown *observation.Observation
		if result, err := session.Run(ctx, c); err != nil {
			shown = observation.OfError(err)
		} else if shown, err = observation.OfTable(ctx, c, result); err != nil {
			log.Fatal(err)
		}
		text, err := shown.JSON()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(text)
	}
	// Output:
	// {"label":"FILTERED_DF_0","row_count":2,"shown":2,"truncated":false,"columns":{"name":"string","eggs":"integer"},"rows":[["Wren",6],["Robin",5]]}
	// {"label":"COUNT","row_count":1,"shown":1,"truncated":false,"columns":{"count":"integer"},"value":2}
	// {"error":{"message":"sort_data: key_name: unknown key \"egg\"; use one of name, eggs","tool":"sort_data","argument":"key_name","reason":"unknown key \"egg\"","hint":"use one of name, eggs"}}
}

// An endpoint's answer is shown with its rows as they came.
func ExampleOfAnswer() {
	o, err := observation.OfAnswer(tools.Call{Name: "bird_names"}, `{"data":[{"name":"Wren"}],"count":1,"truncated":true,"next_offset":1}`)
	if err != nil {
		log.Fatal(err)
	}
	text, err := o.JSON()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
	// Output: {"row_count":1,"shown":1,"truncated":true,"next_offset":1,"data":[{"name":"Wren"}]}
}

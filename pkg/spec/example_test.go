package spec_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"

	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// A sample's tools and gold calls, with a tenth of the tools, hidden names, and
// in the form of OpenAI's strict mode.
func ExampleOptions_Prepare() {
	specs := slot.Specs(slot.Paper.Definitions(nil))
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

// The tool list of a request, in one line for each interface.
func ExampleTools() {
	for _, format := range []spec.Format{spec.OpenAI, spec.Anthropic} {
		list, err := format.List(spec.Tools(tools.Definitions(), []string{"title", "genre", "pages"}))
		if err != nil {
			log.Fatal(err)
		}
		text, err := json.Marshal(list[3])
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d tools, among them %.90s...\n", len(list), text)
	}
	// Output:
	// 11 tools, among them {"type":"function","function":{"name":"group_data_by","description":"Gather rows with equa...
	// 11 tools, among them {"name":"group_data_by","description":"Gather rows with equal values into groups, one row ...
}

// message is what a model and a program say to each other, as far as this
// example needs it.
type message struct {
	Role    string
	Content string
	Call    *tools.Call
}

// model stands for a request to a language model with the tools of
// spec.OpenAI.List and the messages so far. This one misspells a column first.
func model(messages []message) message {
	said := []string{
		`{"name": "filter_data", "arguments": {"data_source": "$books$", "key_name": "page", "condition": "greater_than", "value": 300}}`,
		`{"name": "filter_data", "arguments": {"data_source": "$books$", "key_name": "pages", "condition": "greater_than", "value": 300}}`,
		`{"name": "aggregate_data", "arguments": {"data_source": "$R2$", "aggregation_type": "count"}}`,
	}
	turn := len(messages) / 2
	if turn == len(said) {
		return message{Role: "assistant", Content: "Two books have more than 300 pages."}
	}
	var call tools.Call
	if err := json.Unmarshal([]byte(said[turn]), &call); err != nil {
		log.Fatal(err)
	}
	return message{Role: "assistant", Call: &call}
}

// A loop that runs a model's calls until it answers. Each result gets a label,
// which the model is shown together with the first rows. What is wrong with a
// call goes back to the model, as do results that would be too large; any
// other error is the program's own.
func Example_loop() {
	ctx := context.Background()
	type book struct {
		Title string `json:"title"`
		Pages int    `json:"pages"`
	}
	books, err := tools.FromStructs([]book{{"Dune", 412}, {"Emma", 474}, {"Maus", 296}})
	if err != nil {
		log.Fatal(err)
	}
	session := tools.NewSession(nil, tools.Options{MaxRows: 1_000_000})
	if err := session.Put("books", books); err != nil {
		log.Fatal(err)
	}
	messages := []message{{Role: "user", Content: "How many books in $books$ have more than 300 pages?"}}
	for n := 1; n <= 10; n++ {
		said := model(messages)
		messages = append(messages, said)
		if said.Call == nil {
			fmt.Println(said.Content)
			return
		}
		call := *said.Call
		call.Label = fmt.Sprintf("R%d", n)
		result, err := session.Run(ctx, call)
		var mistake *tools.ToolError
		var tooMuch *tools.LimitError
		var content string
		switch {
		case err == nil:
			content = fmt.Sprintf("$%s$ is\n%s", call.Label, result)
		case errors.As(err, &mistake), errors.As(err, &tooMuch):
			content = "error: " + err.Error()
		default:
			log.Fatal(err)
		}
		fmt.Println(content)
		messages = append(messages, message{Role: "tool", Content: content})
	}
	fmt.Println("no answer after ten calls")
	// Output:
	// error: filter_data: key_name: unknown key "page"; use one of title, pages
	// $R2$ is
	// title  pages
	// Dune     412
	// Emma     474
	//
	// $R3$ is
	// count
	//     2
	//
	// Two books have more than 300 pages.
}

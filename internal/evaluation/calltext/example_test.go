package calltext_test

import (
	"encoding/json"
	"fmt"

	"github.com/birdcall/birdcall/internal/evaluation/calltext"
)

func ExampleParse() {
	for _, text := range []string{
		`<think>Which year?</think><tool_call>{"name": "get_races", "arguments": {"year": 2009}}</tool_call>`,
		`[get_races(year=2009), get_seasons(2009)]`,
		"I would look at the list of races first.",
	} {
		calls, err := calltext.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		for _, c := range calls {
			args, err := json.Marshal(c.Arguments)
			if err != nil {
				panic(err)
			}
			fmt.Printf("%s %s %q\n", c.Name, args, c.Malformed)
		}
	}
	// Output:
	// get_races {"year":2009} ""
	// get_races {"year":2009} ""
	// get_seasons {} "has arguments without names"
	// reading calls: the text has no call in any notation that is known
}

func ExampleParseArguments() {
	args, err := calltext.ParseArguments(`{"year": 2009, "top": "3"}`)
	if err != nil {
		panic(err)
	}
	year, _ := args.Get("year")
	fmt.Println(year, len(args))
	// Output: 2009 2
}

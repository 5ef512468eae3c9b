package prompt

import (
	_ "embed" // the examples
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// ExampleData is an example as templates read it.
type ExampleData struct {
	System   string
	Tools    []string // those that the calls use: name, arguments and description
	Question string
	Evidence string // may be ""
	Answer   string // the calls as a JSON list
}

// example is a question with its calls, and the tools that they use.
type example struct {
	System   string       `json:"system"`
	Question string       `json:"question"`
	Evidence string       `json:"evidence,omitempty"`
	Tools    []spec.Tool  `json:"tools"`
	Calls    []tools.Call `json:"calls"`
}

var (
	//go:embed examples/slot.json
	slotExamples []byte
	//go:embed examples/sel.json
	selExamples []byte
)

// exampleTexts returns the files of examples.
func exampleTexts() [][]byte { return [][]byte{slotExamples, selExamples} }

// written are the examples that were written before, by variant and whether
// names are hidden: they are the same for all samples.
var written sync.Map

type exampleKey struct {
	variant string
	hidden  bool
}

// examplesFor returns the examples of a variant. Where a sample's tools have names
// that say nothing, so have those of the examples.
func examplesFor(variant string, hidden bool) ([]ExampleData, error) {
	key := exampleKey{variant, hidden}
	if done, ok := written.Load(key); ok {
		return done.([]ExampleData), nil
	}
	text := map[string][]byte{record.SLOT: slotExamples, record.SEL: selExamples}[variant]
	if text == nil {
		return nil, nil
	}
	var list []example
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("examples of %s: %w", variant, err)
	}
	if hidden {
		if err := hide(list); err != nil {
			return nil, err
		}
	}
	out := make([]ExampleData, len(list))
	for i, e := range list {
		out[i] = ExampleData{System: e.System, Question: e.Question, Evidence: e.Evidence}
		for _, t := range e.Tools {
			out[i].Tools = append(out[i].Tools, signature(t))
		}
		answer, err := jsontext.Marshal(e.Calls, "")
		if err != nil {
			return nil, err
		}
		out[i].Answer = string(answer)
	}
	written.Store(key, out)
	return out, nil
}

// hide gives the tools of examples names that say nothing.
func hide(list []example) error {
	var lists [][]spec.Tool
	for _, e := range list {
		lists = append(lists, e.Tools)
	}
	names := spec.NewNames(spec.Union(lists...))
	for i, e := range list {
		var err error
		if list[i].Tools, err = names.Tools(e.Tools); err != nil {
			return err
		}
		for j, c := range e.Calls {
			if list[i].Calls[j], err = names.Call(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// signature says a tool in one line, without the schema: the sample's own tools
// show what one looks like.
func signature(t spec.Tool) string {
	properties, _ := t.Parameters["properties"].(map[string]any)
	return t.Name + "(" + strings.Join(slices.Sorted(maps.Keys(properties)), ", ") + "): " + t.Description
}

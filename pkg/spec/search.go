package spec

import "fmt"

// The name of SearchTool and its argument, the same in all formats.
const (
	SearchName = "search_tools"
	ArgQuery   = "query"
)

// MaxFound is how many tools a call of SearchTool returns at most.
const MaxFound = 10

// NothingFound says to a model what to do when a search found nothing.
const NothingFound = "no tool has one of these words; use words of the tables and columns"

// SearchTool returns the tool that finds others, where there are more than a model
// chooses well from: count of them.
func SearchTool(count int) Tool {
	return Tool{
		Name: SearchName,
		Description: fmt.Sprintf("Find tools by words of what you need, such as the names of tables and columns or an operation. "+
			"Returns the best %d of %d tools with the schemas of their arguments.", min(MaxFound, count), count),
		Parameters: object{
			kwType: typeObject, kwProperties: object{ArgQuery: object{kwType: typeString, kwText: "words to look for"}},
			kwRequired: []any{ArgQuery}, kwOthers: false,
		},
	}
}

// Searched writes a list of tools of which a model finds those that it needs by
// SearchTool, each ready to marshal. It is SearchTool alone, as a model sees
// the others by what a search returns; Anthropic's interface is given them too, and
// keeps them from the model until a search has named them.
func (f Format) Searched(list []Tool) ([]any, error) {
	out, err := f.List([]Tool{SearchTool(len(list))})
	if err != nil || f != Anthropic {
		return out, err
	}
	for _, t := range list {
		v, err := f.tool(t)
		if err != nil {
			return nil, fmt.Errorf("specification of %s: %w", t.Name, err)
		}
		deferred := v.(anthropicTool)
		deferred.Defer = true
		out = append(out, deferred)
	}
	return out, nil
}

// found is what a search returns but in the format Anthropic.
type found struct {
	Tools []any  `json:"tools"`
	Count int    `json:"tool_count"` // of the tools that were searched
	Hint  string `json:"hint,omitempty"`
}

// anthropicBlock is a block of the content of a tool's result
// (https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/tool-search-tool).
type anthropicBlock struct {
	Type string `json:"type"`
	Name string `json:"tool_name,omitempty"`
	Text string `json:"text,omitempty"`
}

// Found writes what a call of SearchTool returns, ready to marshal: the tools that
// were found of count, the best first, as List writes them. For Anthropic it is the
// content of the call's result, with a reference to each tool; the interface puts
// the tools of the list that Searched wrote instead.
func (f Format) Found(list []Tool, count int) (any, error) {
	if f == Anthropic {
		blocks := []anthropicBlock{}
		for _, t := range list {
			blocks = append(blocks, anthropicBlock{Type: "tool_reference", Name: t.Name})
		}
		if len(blocks) == 0 {
			blocks = append(blocks, anthropicBlock{Type: "text", Text: NothingFound})
		}
		return blocks, nil
	}
	written, err := f.List(list)
	out := found{Tools: written, Count: count}
	if len(list) == 0 {
		out.Hint = NothingFound
	}
	return out, err
}

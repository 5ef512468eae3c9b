package toolnames

import (
	"fmt"

	"github.com/birdcall/birdcall/pkg/find"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Search finds tools of a list, for search_tools. It does not change, and several
// goroutines may use it at once.
type Search struct {
	list  []spec.Tool
	index *find.ToolIndex
}

// NewSearch indexes a list of tools of a database.
func NewSearch(db string, list []spec.Tool) *Search {
	return &Search{list: list, index: find.NewToolIndex(find.ToolsOf(db, list))}
}

// Find returns the tools that fit a text best, the best first, spec.MaxFound at most.
func (s *Search) Find(text string) []spec.Tool {
	var out []spec.Tool
	for _, at := range s.index.Rank(text, spec.MaxFound) {
		out = append(out, s.list[at])
	}
	return out
}

// Places is Find with the places of the tools in the list.
func (s *Search) Places(text string) []int { return s.index.Rank(text, spec.MaxFound) }

// Query reads the arguments of a call of search_tools. The error is a
// *tools.ToolError.
func Query(args tools.Arguments) (string, error) {
	if err := OnlyTakes(spec.SearchName, args, spec.ArgQuery); err != nil {
		return "", err
	}
	text, err := Text(spec.SearchName, args, spec.ArgQuery)
	if err == nil && len(text) > find.MaxText {
		err = &tools.ToolError{
			Tool: spec.SearchName, Argument: spec.ArgQuery, Reason: "is too long",
			Hint: fmt.Sprintf("use a few words, in %d bytes at most", find.MaxText),
		}
	}
	return text, err
}

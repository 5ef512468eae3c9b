package toolnames

import (
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/pkg/tools"
)

// Text takes a text out of the arguments of a tool that is not one of a sample, such
// as search_tools. The error is a *tools.ToolError.
func Text(tool string, args tools.Arguments, name string) (string, error) {
	v, given := args.Get(name)
	s, ok := v.(string)
	if !given || !ok || s == "" {
		reason := "is missing"
		if given {
			reason = "is not a text, or is empty"
		}
		return "", &tools.ToolError{Tool: tool, Argument: name, Reason: reason, Hint: fmt.Sprintf(`write {%q: "..."}`, name)}
	}
	return s, nil
}

// OnlyTakes refuses arguments that such a tool does not have, by a *tools.ToolError.
func OnlyTakes(tool string, args tools.Arguments, names ...string) error {
	for _, a := range args {
		if !slices.Contains(names, a.Name) {
			return &tools.ToolError{Tool: tool, Reason: fmt.Sprintf("unknown argument %q", Cut(a.Name)), Hint: "it takes " + strings.Join(names, ", ")}
		}
	}
	return nil
}

// Cut returns a name that a client gave as messages show it.
func Cut(name string) string {
	const longest = 80
	if name == "" {
		return `""`
	}
	if len(name) > longest {
		return name[:longest] + "..."
	}
	return name
}

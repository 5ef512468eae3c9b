package tools

import (
	"fmt"
	"sort"
	"strings"

	"github.com/birdcall/birdcall/internal/spelling"
)

// ToolError says that a call cannot be run as it is written, and how to mend
// it. Its text is fit to be shown to whoever wrote the call.
type ToolError struct {
	Tool     string // name of the tool, e.g. "filter_data"
	Argument string // argument at fault, "" for the call as a whole
	Reason   string // what is wrong
	Hint     string // what would mend it
}

// Error implements error: tool, argument, reason and hint in one line.
func (e *ToolError) Error() string {
	text := e.Tool + ": "
	if e.Argument != "" {
		text += e.Argument + ": "
	}
	text += e.Reason
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// unknown builds the error for a name that is not among the known ones.
func unknown(tool, argument, what, name string, known []string) *ToolError {
	return &ToolError{
		Tool:     tool,
		Argument: argument,
		Reason:   fmt.Sprintf("unknown %s %s", what, quoted(name)),
		Hint:     suggest(name, known),
	}
}

// quoted quotes a text for an error message, cut to a bearable length.
func quoted(s string) string {
	const most = 80
	if len(s) > most {
		s = s[:most] + "..."
	}
	return fmt.Sprintf("%q", s)
}

// suggest lists the known names, or the nearest ones when there are many.
func suggest(name string, known []string) string {
	const most = 12
	if len(known) == 0 {
		return "there are none"
	}
	if len(known) <= most {
		return "use one of " + strings.Join(known, ", ")
	}
	type candidate struct {
		name     string
		distance int
	}
	list := make([]candidate, len(known))
	for i, k := range known {
		list[i] = candidate{k, spelling.Distance(strings.ToLower(name), strings.ToLower(k))}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].distance < list[j].distance })
	near := make([]string, most/2)
	for i := range near {
		near[i] = list[i].name
	}
	return "the nearest are " + strings.Join(near, ", ")
}

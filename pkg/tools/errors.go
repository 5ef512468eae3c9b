package tools

import (
	"fmt"

	"github.com/birdcall/birdcall/internal/text/spelling"
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
		Hint:     spelling.Suggest(name, known),
	}
}

// quoted quotes a text for an error message, cut to a bearable length.
func quoted(s string) string {
	const maxQuoted = 80
	if len(s) > maxQuoted {
		s = s[:maxQuoted] + "..."
	}
	return fmt.Sprintf("%q", s)
}

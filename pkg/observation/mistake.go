package observation

import (
	"errors"
	"fmt"

	"github.com/birdcall/birdcall/pkg/tools"
)

// Mistake is why there is no result, in words for a model, which say how to
// go on.
type Mistake struct {
	Message  string `json:"message"`            // the whole in one line
	Tool     string `json:"tool,omitempty"`     // the tool that was called
	Argument string `json:"argument,omitempty"` // the argument at fault
	Reason   string `json:"reason,omitempty"`   // what is wrong
	Hint     string `json:"hint,omitempty"`     // what would mend it
}

// OfError shows the error of a call. It is for the caller to say which errors a
// model is shown: those of a service's own failures say nothing to it. A
// *tools.ToolError is shown in its parts too.
func OfError(err error) *Observation {
	m := &Mistake{Message: err.Error()}
	var wrong *tools.ToolError
	var limit *tools.LimitError
	switch {
	case errors.As(err, &wrong):
		m.Tool, m.Argument, m.Reason, m.Hint = wrong.Tool, wrong.Argument, wrong.Reason, wrong.Hint
	case errors.As(err, &limit):
		// The error's own text says to raise the limit, which no model can.
		m.Message = fmt.Sprintf("%s: the result has more than %d %s; filter first or join on a key", limit.Tool, limit.Limit, limit.What)
	}
	return &Observation{Err: m}
}

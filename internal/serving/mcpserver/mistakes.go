package mcpserver

import (
	"errors"
	"strings"

	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/tools"
)

// isMistake reports whether an error's text is for the model that made the call:
// it says what to do, and no more of the service than it may know.
func isMistake(err error) bool {
	var (
		wrong  *tools.ToolError
		large  *tools.LimitError
		noTask *episode.NoTaskError
		ended  *episode.EndedError
		full   *episode.CapacityError
		failed *episode.FailedError
	)
	return errors.As(err, &wrong) || errors.As(err, &large) ||
		errors.As(err, &noTask) || errors.As(err, &ended) || errors.As(err, &full) ||
		errors.As(err, &failed) && failed.Failure != episode.Broken
}

// underAlias reports a mistake under the name that the client knows the tool by.
func underAlias(o *observation.Observation, name, alias string) *observation.Observation {
	if o.Err == nil || o.Err.Tool != name || name == alias {
		return o
	}
	m := *o.Err
	m.Tool = alias
	if rest, ok := strings.CutPrefix(m.Message, name); ok {
		m.Message = alias + rest
	}
	return &observation.Observation{Err: &m}
}

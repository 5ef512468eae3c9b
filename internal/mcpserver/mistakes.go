package mcpserver

import (
	"errors"
	"fmt"
	"slices"
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
		late   *episode.LateError
		noTask *episode.NoTaskError
		ended  *episode.EndedError
		full   *episode.FullError
		busy   *episode.BusyError
	)
	return errors.As(err, &wrong) || errors.As(err, &large) || errors.As(err, &late) ||
		errors.As(err, &noTask) || errors.As(err, &ended) || errors.As(err, &full) || errors.As(err, &busy)
}

// cut returns a name that a client gave as messages show it.
func cut(name string) string {
	const longest = 80
	if name == "" {
		return `""`
	}
	if len(name) > longest {
		return name[:longest] + "..."
	}
	return name
}

// text takes a text out of the arguments of one of this package's own tools.
func text(tool string, args tools.Arguments, name string) (string, error) {
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

// onlyTakes refuses arguments that one of this package's own tools does not have.
func onlyTakes(tool string, args tools.Arguments, names ...string) error {
	for _, a := range args {
		if !slices.Contains(names, a.Name) {
			return &tools.ToolError{Tool: tool, Reason: fmt.Sprintf("unknown argument %q", cut(a.Name)), Hint: "it takes " + strings.Join(names, ", ")}
		}
	}
	return nil
}

// underAlias tells a mistake under the name that the client knows the tool by.
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

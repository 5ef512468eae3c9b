package sel

import (
	"context"
	"errors"

	"github.com/birdcall/birdcall/pkg/tools"
)

// Session runs SEL calls with the tools of pkg/tools.
type Session struct {
	*tools.Session
	set *Set
}

// NewSession returns a session that runs the functions of a set in a session of the
// tools, which keeps the results.
func NewSession(set *Set, session *tools.Session) *Session {
	return &Session{Session: session, set: set}
}

// Run runs one call under its SEL name and keeps the result under its label.
// Errors are those of tools.Session.Run; a *tools.ToolError names the SEL
// function.
func (s *Session) Run(ctx context.Context, c tools.Call) (*tools.Table, error) {
	call, err := s.set.Unbind(c)
	if err != nil {
		return nil, err
	}
	t, err := s.Session.Run(ctx, call)
	var wrong *tools.ToolError
	if errors.As(err, &wrong) {
		named := *wrong
		named.Tool = c.Name
		return nil, &named
	}
	return t, err
}

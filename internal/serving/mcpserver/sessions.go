package mcpserver

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/birdcall/birdcall/internal/evaluation/toolnames"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/tools"
)

// argTables is the argument of open_session.
const argTables = "tables"

// opened is what open_session returns.
type opened struct {
	Session      string `json:"session"`
	Instructions string `json:"instructions"` // the starting tables with their keys, and how to go on
}

// closed is what close_session returns.
type closed struct {
	Closed bool `json:"closed"`
}

// openTool describes open_session, which takes some of the database's tables.
func (b *toolbox) openTool() *mcp.Tool {
	no := false
	names := map[string]any{"type": "string"}
	if len(b.tables) > 0 {
		names["enum"] = b.tables
	}
	return &mcp.Tool{
		Name: toolOpen, Title: title(toolOpen),
		Description: fmt.Sprintf("Open a session on tables of the database %s. Returns its handle, which all other tools need, and the starting tables with their keys. "+
			"Results of calls stay in their session until it is closed or was idle for long.", b.task.DB),
		InputSchema: object([]string{}, map[string]any{
			argTables: map[string]any{"type": "array", "items": names, "description": "the tables that you need; all of them if it is left out"},
		}),
		OutputSchema: either([]string{"session", "instructions"}, map[string]any{
			"session":      map[string]any{"type": "string", "description": "the handle"},
			"instructions": map[string]any{"type": "string", "description": "the starting tables with their keys, and how results are named"},
		}),
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no, ReadOnlyHint: true},
	}
}

// closeTool describes close_session.
func closeTool() *mcp.Tool {
	no := false
	return &mcp.Tool{
		Name: toolClose, Title: title(toolClose),
		Description:  "Close a session and forget its results.",
		InputSchema:  object([]string{argSession}, map[string]any{argSession: sessionSchema}),
		OutputSchema: either([]string{"closed"}, map[string]any{"closed": map[string]any{"type": "boolean"}}),
		Annotations:  &mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no, IdempotentHint: true},
	}
}

// open answers a call of open_session.
func (s *Server) open(ctx context.Context, p endpoint, args tools.Arguments) (*opened, error) {
	if err := toolnames.OnlyTakes(toolOpen, args, argTables); err != nil {
		return nil, err
	}
	tables, err := tablesOf(args)
	if err != nil {
		return nil, err
	}
	b, err := s.startingFrom(ctx, p, tables...)
	if err != nil {
		return nil, err
	}
	e, err := s.env.Open(ctx, b.task, "")
	if err != nil {
		return nil, err
	}
	return &opened{Session: e.ID(), Instructions: b.task.System}, nil
}

// tablesOf returns the tables that a call of open_session names, none for all.
func tablesOf(args tools.Arguments) ([]string, error) {
	v, _ := args.Get(argTables)
	if v == nil {
		return nil, nil
	}
	wrong := &tools.ToolError{Tool: toolOpen, Argument: argTables, Reason: "is not a list of texts", Hint: `write ["...", "..."], or leave it out for all tables`}
	list, ok := v.([]any)
	if !ok {
		return nil, wrong
	}
	out := make([]string, len(list))
	for i, item := range list {
		if out[i], ok = item.(string); !ok {
			return nil, wrong
		}
	}
	return out, nil
}

// close answers a call of close_session.
func (s *Server) close(p endpoint, args tools.Arguments) (*closed, error) {
	if err := toolnames.OnlyTakes(toolClose, args, argSession); err != nil {
		return nil, err
	}
	e, _, err := s.session(p, toolClose, args)
	if err != nil {
		return nil, err
	}
	e.End()
	return &closed{Closed: true}, nil
}

// session returns the episode that a call names, and its other arguments. The
// handle of another database's session is a mistake too.
func (s *Server) session(p endpoint, tool string, args tools.Arguments) (*episode.Episode, tools.Arguments, error) {
	v, _ := args.Get(argSession)
	id, ok := v.(string)
	if !ok || id == "" {
		return nil, nil, &tools.ToolError{Tool: tool, Argument: argSession, Reason: "is missing", Hint: "give the handle that " + toolOpen + " returned"}
	}
	e, err := s.env.Episode(id)
	if err != nil {
		return nil, nil, err
	}
	if t := e.Task(); t.Variant != p.variant || t.DB != p.db {
		return nil, nil, &tools.ToolError{Tool: tool, Argument: argSession, Reason: "is the handle of a session with other tools", Hint: "open one here with " + toolOpen}
	}
	others := make(tools.Arguments, 0, len(args))
	for _, a := range args {
		if a.Name != argSession {
			others = append(others, a)
		}
	}
	return e, others, nil
}

package mcpserver

import (
	"context"
	"io"
)

// Tools says which tools Stdio serves.
type Tools struct {
	Variant string // slot, sel or rest
	DB      string
	ID      string // of a question, for the tools of its task; "" for those of the database
}

// Stdio serves one client over its input and output, a message a line, until the
// input or ctx ends. With a question, all calls are of one episode, which ends with
// the client. Errors are those of the environment about the tools, and of the
// connection.
func (s *Server) Stdio(ctx context.Context, t Tools, in io.Reader, out io.Writer) error {
	p := endpoint{variant: t.Variant, db: t.DB}
	if t.ID != "" {
		task, err := s.env.Task(ctx, t.Variant, t.DB, t.ID)
		if err != nil {
			return err
		}
		e, err := s.env.Open(ctx, task, "")
		if err != nil {
			return err
		}
		defer e.End()
		p = endpoint{episode: e.ID()}
	}
	if _, err := s.toolbox(ctx, p); err != nil {
		return err
	}
	err := s.mcp.Run(p.in(ctx), &stream{in: in, out: out, inOrder: p.sessions() || p.episode != ""})
	if ctx.Err() != nil {
		return nil // which is how it is stopped
	}
	return err
}

package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/birdcall/birdcall/internal/jsontext"
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
	p := place{variant: t.Variant, db: t.DB}
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
		p = place{episode: e.ID()}
	}
	if _, err := s.toolbox(ctx, p); err != nil {
		return err
	}
	l := newLines(ctx, in, out)
	err := s.mcp.Run(p.in(ctx), &mcp.IOTransport{Reader: l, Writer: l})
	if ctx.Err() != nil {
		return nil // which is how it is stopped
	}
	return err
}

// lines are a client's input and output. The SDK ends at a line that is no JSON,
// and drops what is being answered when the input ends, as it does at once where
// a file or another program's output is the input. Here such a line is answered,
// and the input ends when all requests are.
type lines struct {
	ctx  context.Context
	in   *bufio.Scanner
	rest []byte // of the line that is read

	mu      sync.Mutex
	out     io.Writer
	waiting int           // requests without an answer
	ended   bool          // whether there are no more of them
	done    chan struct{} // closed when the input has ended and all is answered
}

func newLines(ctx context.Context, in io.Reader, out io.Writer) *lines {
	l := &lines{ctx: ctx, in: bufio.NewScanner(in), out: out, done: make(chan struct{})}
	l.in.Buffer(nil, mcp.DefaultMaxLineLength)
	return l
}

// Read returns the next part of the input.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if !l.in.Scan() {
			l.wait()
			if err := l.in.Err(); err != nil {
				return 0, err
			}
			return 0, io.EOF
		}
		var err error
		if l.rest, err = l.take(l.in.Bytes()); err != nil {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// take returns a line that is JSON, with its end, and answers another one.
func (l *lines) take(line []byte) ([]byte, error) {
	if len(line) == 0 {
		return nil, nil
	}
	if !json.Valid(line) {
		text, err := jsontext.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{
			"code": jsonrpc.CodeParseError, "message": "the line is no JSON; write each message as JSON on a line of its own",
		}}, "")
		if err != nil {
			return nil, err
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		_, err = l.out.Write(append(text, '\n'))
		return nil, err
	}
	if asks(line) {
		l.mu.Lock()
		l.waiting++
		l.mu.Unlock()
	}
	return append(bytes.Clone(line), '\n'), nil
}

// asks reports whether a line is answered by one: a request is, and a list with
// one, which old versions of the protocol have.
func asks(line []byte) bool {
	type message struct {
		ID     any    `json:"id"`
		Method string `json:"method"`
	}
	all := make([]message, 1)
	if json.Unmarshal(line, &all[0]) != nil && json.Unmarshal(line, &all) != nil {
		return false
	}
	return slices.ContainsFunc(all, func(m message) bool { return m.ID != nil && m.Method != "" })
}

// Write writes one message, all of which are answers: the server asks for nothing.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.out.Write(p)
	l.waiting--
	l.finish()
	return n, err
}

// wait waits until all requests are answered.
func (l *lines) wait() {
	l.mu.Lock()
	l.ended = true
	l.finish()
	l.mu.Unlock()
	select {
	case <-l.done:
	case <-l.ctx.Done():
	}
}

// finish ends the wait if there is nothing to wait for.
func (l *lines) finish() {
	if l.ended && l.waiting <= 0 {
		select {
		case <-l.done:
		default:
			close(l.done)
		}
	}
}

// Close does nothing: input and output are the caller's.
func (l *lines) Close() error { return nil }

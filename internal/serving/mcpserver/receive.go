package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/evaluation/toolnames"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// The protocol's methods that are answered here. The rest is the SDK's.
const (
	methodInitialize = "initialize"
	methodDiscover   = "server/discover"
	methodList       = "tools/list"
	methodCall       = "tools/call"
	methodListen     = "subscriptions/listen"
)

// receive answers what depends on the endpoint that a client is connected to. One
// server for all of them is what makes a request cheap: the SDK would have every
// tool of a list added to its own server.
func (s *Server) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil { // on a goroutine that nobody else watches
				s.opts.Logger.Error("a request panicked", "id", requestID(req), "method", method, "panic", p)
				result, err = nil, failure(req)
			}
		}()
		p := endpointOf(ctx)
		switch method {
		case methodList:
			result, err = s.list(ctx, p)
		case methodCall:
			result, err = s.call(ctx, p, req.(*mcp.CallToolRequest))
		case methodInitialize, methodDiscover:
			result, err = s.introduce(ctx, p, func() (mcp.Result, error) { return next(ctx, method, req) })
		case methodListen:
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "there is nothing to listen to: lists of tools do not change"}
		default:
			return next(ctx, method, req)
		}
		return result, s.wireError(ctx, req, err)
	}
}

// introduce gives a new client the instructions.
func (s *Server) introduce(ctx context.Context, p endpoint, answer func() (mcp.Result, error)) (mcp.Result, error) {
	b, err := s.toolbox(ctx, p)
	if err != nil {
		return nil, err
	}
	result, err := answer()
	switch r := result.(type) {
	case *mcp.InitializeResult:
		r.Instructions = b.instructions()
	case *mcp.DiscoverResult:
		r.Instructions = b.instructions()
	}
	return result, err
}

// list returns the tools at an endpoint, all in one page: some clients ask for no
// second one.
func (s *Server) list(ctx context.Context, p endpoint) (mcp.Result, error) {
	b, err := s.toolbox(ctx, p)
	if err != nil {
		return nil, err
	}
	listed, err := b.listed()
	if err != nil {
		return nil, err
	}
	return &mcp.ListToolsResult{Tools: listed, Cacheable: cacheable()}, nil
}

// called is the result of a call, as the protocol has it. The SDK's own type is
// finished by the SDK for tools that were added to its server alone.
type called struct {
	mcp.ResultBase
	ResultType        string            `json:"resultType,omitempty"` // since statelessProtocol
	Content           []mcp.TextContent `json:"content"`
	StructuredContent json.RawMessage   `json:"structuredContent"`
	IsError           bool              `json:"isError,omitempty"`
}

// statelessProtocol is the version since which requests need no handshake, and
// results say that they are complete.
const statelessProtocol = "2026-07-28"

// call answers a call of a tool. What a model can mend is a result.
func (s *Server) call(ctx context.Context, p endpoint, req *mcp.CallToolRequest) (mcp.Result, error) {
	v, err := s.answer(ctx, p, req.Params.Name, req.Params.Arguments)
	if err != nil {
		if !isMistake(err) {
			return nil, err
		}
		v = observation.OfError(err)
	}
	text, err := jsontext.Marshal(v, "")
	if err != nil {
		return nil, err
	}
	o, _ := v.(*observation.Observation)
	out := &called{Content: []mcp.TextContent{{Text: string(text)}}, StructuredContent: text, IsError: o != nil && o.Err != nil}
	if req.ProtocolVersion() >= statelessProtocol {
		out.ResultType = "complete"
	}
	return out, nil
}

// answer returns what a call returns, to be written as JSON.
func (s *Server) answer(ctx context.Context, p endpoint, name string, raw json.RawMessage) (any, error) {
	b, err := s.toolbox(ctx, p)
	if err != nil {
		return nil, err
	}
	var args tools.Arguments
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &args); err != nil {
			return nil, &tools.ToolError{Tool: toolnames.Cut(name), Reason: err.Error()}
		}
	}
	if b.search {
		switch name {
		case toolSearch:
			return s.find(ctx, b, args)
		case toolCall:
			if name, args, err = inner(args); err != nil {
				return nil, err
			}
		}
	}
	if b.sessions {
		switch name {
		case toolOpen:
			return s.open(ctx, p, args)
		case toolClose:
			return s.close(p, args)
		}
	}
	if variant.Of(p.variant).Calls == variant.Queries {
		return s.query(ctx, p, b, name, args)
	}
	return s.run(ctx, p, b, name, args)
}

// query answers a call of the tool that queries a database.
func (s *Server) query(ctx context.Context, p endpoint, b *toolbox, name string, args tools.Arguments) (json.RawMessage, error) {
	if _, err := b.tool(name); err != nil {
		return nil, err
	}
	most := query.ForModels
	return s.env.Query(ctx, p.db, args, episode.QueryOptions{Toolset: string(query.Full), MaxRows: most.Rows, MaxBytes: most.Bytes, MaxText: most.Text})
}

// run runs a call of one of the task's tools.
func (s *Server) run(ctx context.Context, p endpoint, b *toolbox, name string, args tools.Arguments) (*observation.Observation, error) {
	tool, err := b.tool(name)
	if err != nil {
		return nil, err
	}
	var e *episode.Episode // nil where calls share nothing
	switch {
	case b.sessions:
		if e, args, err = s.session(p, name, args); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(e.Task().Tools, func(t spec.Tool) bool { return t.Name == tool.Name }) {
			return nil, &tools.ToolError{Tool: name, Reason: "its table is not among those of the session", Hint: "open a session with more tables, or with all"}
		}
	case p.episode != "":
		if e, err = s.env.Episode(p.episode); err != nil {
			return nil, err
		}
	}
	c := tools.Call{Name: tool.Name, Arguments: args}
	var o *observation.Observation
	if e == nil {
		o, err = s.env.Once(ctx, b.task, c)
	} else {
		o, err = e.Call(ctx, c)
	}
	if err != nil {
		return nil, err
	}
	return underAlias(o, c.Name, name), nil
}

// wireError returns an error as clients may see it.
func (s *Server) wireError(ctx context.Context, req mcp.Request, err error) error {
	var failed *episode.FailedError
	switch {
	case err == nil:
		return nil
	case isMistake(err) && errors.As(err, &failed):
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	case isMistake(err):
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	case ctx.Err() != nil:
		return ctx.Err()
	}
	s.opts.Logger.Error("a request failed", "id", requestID(req), "error", err)
	return failure(req)
}

// failure is the answer to a client for a failure of the service itself.
func failure(req mcp.Request) error {
	message := "the service failed to answer; try again later, and report it if it goes on"
	if id := requestID(req); id != "" {
		message += ", with the request id " + id
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: message}
}

// requestID returns the id that the service gave the HTTP request, or "".
func requestID(req mcp.Request) string {
	if extra := req.GetExtra(); extra != nil {
		return extra.Header.Get(rest.RequestID)
	}
	return ""
}

package mcpserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/evaluation/toolnames"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// The tools of this package's own. No tool of a task is listed under these names.
const (
	toolSearch = spec.SearchName
	toolCall   = "call_tool"
	toolOpen   = "open_session"
	toolClose  = "close_session"
)

// argSession is the argument that names the session of a call.
const argSession = "session"

// toolbox is the tools of a task as clients see them. It does not change.
type toolbox struct {
	task     *episode.Task
	names    []string       // of the task's tools, as clients see them
	index    map[string]int // in the task's tools, by these names
	sessions bool           // whether calls name their session
	tables   []string       // that a session may be about
	search   bool           // whether there are too many tools to list

	listed func() ([]*mcp.Tool, error)
}

// newToolbox shows a task's tools to clients, of which maxListed are listed at most.
// With sessions, each call names one, of some of the tables.
func newToolbox(task *episode.Task, sessions bool, tables []string, maxListed int) *toolbox {
	b := &toolbox{task: task, index: map[string]int{}, sessions: sessions, tables: tables, search: task.Search != "" || len(task.Tools) > maxListed}
	names := make([]string, len(task.Tools))
	for i, t := range task.Tools {
		names[i] = t.Name
	}
	b.names = aliases(names, toolSearch, toolCall, toolOpen, toolClose)
	for i, name := range b.names {
		b.index[name] = i
	}
	b.listed = sync.OnceValues(b.list)
	return b
}

// list returns the tools that clients are shown.
func (b *toolbox) list() ([]*mcp.Tool, error) {
	text, err := jsontext.Marshal(observation.Schema(b.task.Variant), "")
	if err != nil {
		return nil, err
	}
	result := json.RawMessage(text) // of calls of all tools
	var out []*mcp.Tool
	if b.sessions {
		out = append(out, b.openTool(), closeTool())
	}
	if b.search {
		return append(out, b.searchTool(), b.callTool(result)), nil
	}
	for i, t := range b.task.Tools {
		schema, err := b.schema(i)
		if err != nil {
			return nil, err
		}
		out = append(out, &mcp.Tool{
			Name: b.names[i], Title: title(t.Name), Description: t.Description,
			InputSchema: schema, OutputSchema: result, Annotations: reads(!variant.Of(b.task.Variant).HasSessions()),
		})
	}
	return out, nil
}

// schema returns the JSON Schema of a tool's arguments, with that of the session.
func (b *toolbox) schema(i int) (json.RawMessage, error) {
	t := b.task.Tools[i]
	if !b.sessions {
		return jsontext.Marshal(t.Parameters, "")
	}
	schema, err := jsontext.Object(t.Parameters)
	if err != nil {
		return nil, fmt.Errorf("specification of %s: %w", t.Name, err)
	}
	properties, _ := schema["properties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
	}
	properties[argSession] = sessionSchema
	required, _ := schema["required"].([]any)
	schema["properties"], schema["required"] = properties, append([]any{argSession}, required...)
	return jsontext.Marshal(schema, "")
}

var sessionSchema = map[string]any{"type": "string", "description": "the handle that " + toolOpen + " returned"}

// reads annotates a tool that changes no data and looks at nothing but this
// service's. Whether calling it again makes another result is for idempotent to say.
func reads(idempotent bool) *mcp.ToolAnnotations {
	no := false
	return &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: idempotent, DestructiveHint: &no, OpenWorldHint: &no}
}

// tool returns the task's tool that clients know by a name. The error is the mistake
// of calling a nonexistent tool.
func (b *toolbox) tool(name string) (*spec.Tool, error) {
	if i, ok := b.index[name]; ok {
		return &b.task.Tools[i], nil
	}
	known := slices.Clone(b.names)
	if b.sessions {
		known = append(known, toolOpen, toolClose)
	}
	hint := spelling.Suggest(name, known)
	if b.search {
		hint += "; " + toolSearch + " finds others"
	}
	return nil, &tools.ToolError{Tool: toolnames.Cut(name), Reason: "there is no such tool", Hint: hint}
}

// instructions say how a model is to use the tools, as the protocol has it.
func (b *toolbox) instructions() string {
	out := b.task.System
	switch {
	case b.sessions:
		out = fmt.Sprintf("These tools work on the tables of the database %s. Call %s first, and give the handle that it returns to the others as %s. "+
			"It also tells the tables' keys and how results are named. Call %s when you are done.\n", b.task.DB, toolOpen, argSession, toolClose)
	case out == "":
		out = fmt.Sprintf("Each of these tools answers one kind of question about the database %s. Calls do not depend on each other.\n", b.task.DB)
	}
	if b.search {
		out += fmt.Sprintf("\nThere are %d tools. Find those that you need with %s, and call them with %s.\n", len(b.names), toolSearch, toolCall)
	}
	return out
}

package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/evaluation/toolnames"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// The arguments of call_tool.
const (
	argName      = "name"
	argArguments = "arguments"
)

// searchResult is what search_tools returns.
type searchResult struct {
	Tools []foundTool `json:"tools"`
	Total int         `json:"tool_count"` // of the tools that were searched
	Hint  string      `json:"hint,omitempty"`
}

type foundTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// searchTool describes search_tools. Clients call no tool that is not listed, so that
// there is one that calls the others.
func (b *toolbox) searchTool() *mcp.Tool {
	t := spec.SearchTool(len(b.names))
	return &mcp.Tool{
		Name: t.Name, Title: title(t.Name), Description: fmt.Sprintf("%s Call them with %s.", t.Description, toolCall), InputSchema: t.Parameters,
		OutputSchema: either([]string{"tools", "tool_count"}, map[string]any{
			"tools": map[string]any{"type": "array", "description": "the best ones first", "items": object([]string{"name", "description", "inputSchema"}, map[string]any{
				"name": map[string]any{"type": "string"}, "description": map[string]any{"type": "string"}, "inputSchema": map[string]any{"type": "object"},
			})},
			"tool_count": map[string]any{"type": "integer", "description": "tools that were searched"},
			"hint":       map[string]any{"type": "string"},
		}),
		Annotations: reads(true),
	}
}

// callTool describes call_tool. result is the JSON Schema of what tools return.
func (b *toolbox) callTool(result json.RawMessage) *mcp.Tool {
	return &mcp.Tool{
		Name: toolCall, Title: title(toolCall),
		Description: fmt.Sprintf("Call a tool that %s found, and return what it returns.", toolSearch),
		InputSchema: object([]string{argName, argArguments}, map[string]any{
			argName:      map[string]any{"type": "string", "description": "the tool's name"},
			argArguments: map[string]any{"type": "object", "description": "the tool's arguments, by the schema that was found"},
		}),
		OutputSchema: result,
		Annotations:  reads(variant.Of(b.task.Variant).Calls == variant.Endpoints),
	}
}

// find answers a call of search_tools.
func (s *Server) find(ctx context.Context, b *toolbox, args tools.Arguments) (*searchResult, error) {
	found, err := s.env.FindTools(ctx, b.task, args)
	if err != nil {
		return nil, err
	}
	out := &searchResult{Tools: []foundTool{}, Total: len(b.names)}
	for _, i := range found {
		schema, err := b.schema(i)
		if err != nil {
			return nil, err
		}
		out.Tools = append(out.Tools, foundTool{b.names[i], b.task.Tools[i].Description, schema})
	}
	if len(out.Tools) == 0 {
		out.Hint = spec.NothingFound
	}
	return out, nil
}

// inner returns the call that a call of call_tool is about.
func inner(args tools.Arguments) (string, tools.Arguments, error) {
	for _, a := range args {
		if a.Name == argSession {
			return "", nil, &tools.ToolError{Tool: toolCall, Argument: argSession, Reason: "is not in its place", Hint: "give it in " + argArguments}
		}
	}
	if err := toolnames.OnlyTakes(toolCall, args, argName, argArguments); err != nil {
		return "", nil, err
	}
	name, err := toolnames.Text(toolCall, args, argName)
	if err != nil {
		return "", nil, err
	}
	v, given := args.Get(argArguments)
	of, ok := v.(tools.Arguments)
	if given && v != nil && !ok {
		return "", nil, &tools.ToolError{Tool: toolCall, Argument: argArguments, Reason: "is not an object", Hint: `write {"name": value, ...}`}
	}
	return name, of, nil
}

// object is the JSON Schema of an object.
func object(required []string, properties map[string]any) map[string]any {
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// either is the JSON Schema of what one of this package's own tools returns: an
// object, or a mistake.
func either(required []string, properties map[string]any) map[string]any {
	properties["error"] = map[string]any{"type": "object", "required": []string{"message"}}
	return map[string]any{
		"type": "object", "properties": properties, "additionalProperties": false,
		"anyOf": []any{map[string]any{"required": required}, map[string]any{"required": []string{"error"}}},
	}
}

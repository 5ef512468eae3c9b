package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/birdcall/birdcall/internal/tfidf"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/tools"
)

// mostFound is how many tools a search returns.
const mostFound = 10

// The arguments of search_tools and call_tool.
const (
	argQuery     = "query"
	argName      = "name"
	argArguments = "arguments"
)

// found is what search_tools returns.
type found struct {
	Tools []foundTool `json:"tools"`
	Total int         `json:"tool_count"` // of the tools that were searched
	Hint  string      `json:"hint,omitempty"`
}

type foundTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// searchTool describes search_tools.
func (b *toolbox) searchTool() *mcp.Tool {
	return &mcp.Tool{
		Name: toolSearch, Title: title(toolSearch),
		Description: fmt.Sprintf("Find tools by words of what you need, such as the names of tables and columns or an operation. "+
			"Returns the best %d of %d tools with the schemas of their arguments; call them with %s.", mostFound, len(b.names), toolCall),
		InputSchema: object([]string{argQuery}, map[string]any{
			argQuery: map[string]any{"type": "string", "description": "words to look for"},
		}),
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
		Annotations:  reads(b.task.Variant == evaluate.REST),
	}
}

// find answers a call of search_tools.
func (b *toolbox) find(args tools.Arguments) (*found, error) {
	if err := onlyTakes(toolSearch, args, argQuery); err != nil {
		return nil, err
	}
	query, err := text(toolSearch, args, argQuery)
	if err != nil {
		return nil, err
	}
	out := &found{Tools: []foundTool{}, Total: len(b.names)}
	for _, i := range b.index().Rank(query, mostFound) {
		schema, err := b.schema(i)
		if err != nil {
			return nil, err
		}
		out.Tools = append(out.Tools, foundTool{b.names[i], b.task.Tools[i].Description, schema})
	}
	if len(out.Tools) == 0 {
		out.Hint = "no tool has one of these words; use words of the tables and columns"
	}
	return out, nil
}

// words indexes the tools by their names, and what they and their arguments are
// described by.
func (b *toolbox) words() *tfidf.Index {
	docs := make([]string, len(b.task.Tools))
	for i, t := range b.task.Tools {
		parts := []string{t.Name, t.Description}
		properties, _ := t.Parameters["properties"].(map[string]any)
		for _, name := range t.Takes() {
			parts = append(parts, name)
			if p, ok := properties[name].(map[string]any); ok {
				description, _ := p["description"].(string)
				parts = append(parts, description)
			}
		}
		docs[i] = strings.Join(parts, " ")
	}
	return tfidf.New(docs)
}

// inner returns the call that a call of call_tool is about.
func inner(args tools.Arguments) (string, tools.Arguments, error) {
	for _, a := range args {
		if a.Name == argSession {
			return "", nil, &tools.ToolError{Tool: toolCall, Argument: argSession, Reason: "is not in its place", Hint: "give it in " + argArguments}
		}
	}
	if err := onlyTakes(toolCall, args, argName, argArguments); err != nil {
		return "", nil, err
	}
	name, err := text(toolCall, args, argName)
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

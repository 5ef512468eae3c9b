package spec

import (
	"fmt"
	"strings"
)

// Format names a way to write specifications.
type Format string

// The formats; see the package documentation.
const (
	Function     Format = "function"
	OpenAI       Format = "openai"
	OpenAIStrict Format = "openai-strict"
	Anthropic    Format = "anthropic"
	Gemini       Format = "gemini"
	MCP          Format = "mcp"
)

// Formats returns the names of the formats.
func Formats() []string {
	return []string{string(Function), string(OpenAI), string(OpenAIStrict), string(Anthropic), string(Gemini), string(MCP)}
}

// Parse returns the format of that name. The error lists the names.
func Parse(name string) (Format, error) {
	for _, f := range Formats() {
		if f == name {
			return Format(f), nil
		}
	}
	return "", fmt.Errorf("unknown format %q of specifications: use %s", name, strings.Join(Formats(), ", "))
}

// openAITool is a tool of OpenAI's chat completions
// (https://platform.openai.com/docs/guides/function-calling).
type openAITool struct {
	Type     string         `json:"type"`
	Function openAIFunction `json:"function"`
}

type openAIFunction struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  map[string]any `json:"parameters"`
	Strict      bool           `json:"strict,omitempty"`
}

// geminiFunction is a function declaration of Gemini
// (https://ai.google.dev/api/caching#FunctionDeclaration). One that takes no
// arguments has no parameters, as an object of none is refused there.
type geminiFunction struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  map[string]any `json:"parameters,omitempty"`
}

// anthropicTool is a tool of Anthropic's messages
// (https://docs.anthropic.com/en/docs/build-with-claude/tool-use).
type anthropicTool struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	InputSchema map[string]any `json:"input_schema"`
	Defer       bool           `json:"defer_loading,omitempty"` // shown to the model when a search found it
}

// mcpTool is a tool of the Model Context Protocol
// (https://modelcontextprotocol.io/specification/2025-06-18/server/tools).
type mcpTool struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	InputSchema map[string]any `json:"inputSchema"`
	Annotations mcpAnnotations `json:"annotations"`
}

type mcpAnnotations struct {
	ReadOnly  bool `json:"readOnlyHint"`
	OpenWorld bool `json:"openWorldHint"`
}

// List writes tools in the format, each ready to marshal. The error is that of
// a schema that is no JSON.
func (f Format) List(list []Tool) ([]any, error) {
	out := make([]any, len(list))
	for i, t := range list {
		v, err := f.tool(t)
		if err != nil {
			return nil, fmt.Errorf("specification of %s: %w", t.Name, err)
		}
		out[i] = v
	}
	return out, nil
}

func (f Format) tool(t Tool) (any, error) {
	switch f {
	case OpenAI:
		return openAITool{"function", openAIFunction{t.Name, t.Description, arranged(t.Parameters, t.Order, false), false}}, nil
	case OpenAIStrict:
		schema, err := strictSchema(t)
		return openAITool{"function", openAIFunction{t.Name, t.Description, arranged(schema, t.Order, false), true}}, err
	case Anthropic:
		return anthropicTool{t.Name, t.Description, arranged(t.Parameters, t.Order, false), false}, nil
	case Gemini:
		schema, err := closed(t)
		if properties, _ := schema[kwProperties].(object); err != nil || len(properties) == 0 {
			return geminiFunction{Name: t.Name, Description: t.Description}, err
		}
		return geminiFunction{t.Name, t.Description, arranged(geminiSchema(schema), t.Order, true)}, nil
	case MCP:
		return mcpTool{t.Name, t.Description, arranged(t.Parameters, t.Order, false), mcpAnnotations{ReadOnly: true}}, nil
	}
	return t, nil
}

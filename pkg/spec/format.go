package spec

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/pkg/slot"
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
	slot.Spec
	Strict bool `json:"strict,omitempty"`
}

// anthropicTool is a tool of Anthropic's messages
// (https://docs.anthropic.com/en/docs/build-with-claude/tool-use).
type anthropicTool struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	InputSchema map[string]any `json:"input_schema"`
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

// List writes specifications in the format, each ready to marshal. The error
// is that of a schema that is no JSON.
func (f Format) List(specs []slot.Spec) ([]any, error) {
	out := make([]any, len(specs))
	for i, s := range specs {
		t, err := f.tool(s)
		if err != nil {
			return nil, fmt.Errorf("specification of %s: %w", s.Name, err)
		}
		out[i] = t
	}
	return out, nil
}

func (f Format) tool(s slot.Spec) (any, error) {
	switch f {
	case OpenAI:
		return openAITool{"function", openAIFunction{Spec: s}}, nil
	case OpenAIStrict:
		schema, err := strictSchema(s)
		s.Parameters = schema
		return openAITool{"function", openAIFunction{s, true}}, err
	case Anthropic:
		return anthropicTool{s.Name, s.Description, s.Parameters}, nil
	case Gemini:
		schema, err := closed(s)
		if err == nil {
			s.Parameters = geminiSchema(schema)
		}
		return s, err
	case MCP:
		return mcpTool{s.Name, s.Description, s.Parameters, mcpAnnotations{ReadOnly: true}}, nil
	}
	return s, nil
}

// plain returns a schema as encoding/json reads it, so that the rest of the
// package meets few types. It shares nothing with the schema.
func plain(schema map[string]any) (map[string]any, error) {
	data, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var out map[string]any
	return out, json.Unmarshal(data, &out)
}

package spec

import (
	"encoding/json"
	"fmt"

	"github.com/birdcall/birdcall/internal/text/jsontext"
)

// Read returns a tool that Format.List wrote, in whatever format, and whether the
// format is strict mode. There null stands for an argument that is left out, so
// one that takes null need not be given.
func Read(text json.RawMessage) (Tool, bool, error) {
	var t struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"` // of functions, and of Gemini
		Anthropic   json.RawMessage `json:"input_schema"`
		MCP         json.RawMessage `json:"inputSchema"`
		Path        string          `json:"path"`
		OpenAI      json.RawMessage `json:"function"`
		Strict      bool            `json:"strict"`
	}
	if err := json.Unmarshal(text, &t); err != nil {
		return Tool{}, false, err
	}
	if t.OpenAI != nil {
		return Read(t.OpenAI)
	}
	if t.Name == "" {
		return Tool{}, false, fmt.Errorf("it has no name in any of the formats %v", Formats())
	}
	out := Tool{Name: t.Name, Description: t.Description, Path: t.Path, Parameters: object{kwType: typeObject, kwProperties: object{}}}
	for _, schema := range []json.RawMessage{t.Parameters, t.Anthropic, t.MCP} {
		if schema == nil {
			continue
		}
		var err error
		if out.Parameters, err = jsontext.Object(schema); err != nil {
			return Tool{}, false, fmt.Errorf("%s: its arguments' schema: %w", t.Name, err)
		}
		out.Order = orderOf(schema)
	}
	if t.Strict {
		loosen(out.Parameters)
	}
	return out, t.Strict, nil
}

// loosen asks only for the arguments of a strict schema that do not take null.
func loosen(schema object) {
	required := []any{}
	properties, _ := schema[kwProperties].(object)
	for _, name := range sortedNames(properties) {
		if p, ok := properties[name].(object); ok && !takesNull(p) {
			required = append(required, name)
		}
	}
	schema[kwRequired] = required
}

// Takes returns the names of a tool's arguments, in alphabetical order.
func (t Tool) Takes() []string {
	properties, _ := t.Parameters[kwProperties].(object)
	return sortedNames(properties)
}

// Needs returns the names of the arguments that must be given, in alphabetical
// order.
func (t Tool) Needs() []string {
	var out []string
	for _, name := range t.Takes() {
		if isRequired(t.Parameters, name) {
			out = append(out, name)
		}
	}
	return out
}

func takesNull(schema object) bool {
	switch t := schema[kwType].(type) {
	case string:
		return t == typeNull
	case []any:
		for _, one := range t {
			if one == typeNull {
				return true
			}
		}
	}
	branches, _ := schema[kwAnyOf].([]any)
	for _, b := range branches {
		if b, ok := b.(object); ok && takesNull(b) {
			return true
		}
	}
	return false
}

package spec

import "github.com/birdcall/birdcall/pkg/tools"

// Tool describes a tool to a language model: the one definition that all
// formats are made from.
type Tool struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  map[string]any `json:"parameters"` // the JSON Schema of the arguments
	// Path is that of the endpoint that the tool asks, "" for a tool that is
	// called otherwise. Only the format Function says it.
	Path string `json:"path,omitempty"`
	// Order names the arguments, and those of objects in them, in the order in which
	// they are listed; nil is the order of their names. The first is what a model
	// writes first.
	Order []string `json:"-"`
}

// Tools returns definitions of pkg/tools as tools; Format.List writes them for
// a model. keys are the columns that arguments may name; nil allows any, which
// is right where calls make columns that later calls name.
func Tools(definitions []tools.Definition, keys []string) []Tool {
	out := make([]Tool, len(definitions))
	for i, d := range definitions {
		out[i] = Tool{Name: d.Name, Description: d.Description, Parameters: d.Schema(keys)}
	}
	return out
}

package spec

// Tool describes a tool to a language model: the one definition that all
// formats are made from.
type Tool struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  map[string]any `json:"parameters"` // the JSON Schema of the arguments
	// Path is that of the endpoint that the tool asks, "" for a tool that is
	// called otherwise. Only the format Function tells it.
	Path string `json:"path,omitempty"`
}

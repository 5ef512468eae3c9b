package record

import (
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Rest is one sample of REST: the call of an endpoint. A tool has the JSON Schema of
// its arguments in parameters, where the paper has the properties alone in
// arguments, which do not say which of them are required.
type Rest struct {
	SQL        string       `json:"query"`
	Question   string       `json:"input"`
	DB         string       `json:"dataset_name"`
	ID         bird.ID      `json:"sample_id"`
	GoldAnswer any          `json:"gold_answer"`
	Calls      []Invocation `json:"output"`
	Result     string       `json:"output_after_executing_api"`
	Tools      []spec.Tool  `json:"tools"`                // of the database
	ToolsFile  string       `json:"tools_file,omitempty"` // instead of tools, where these are in a file of the database's

	Facts
	Limits *Limits `json:"limits,omitempty"` // that a service needs to answer so; nil for the default ones
}

// Invocation is the call of an endpoint that answers a question.
type Invocation struct {
	Name      string          `json:"name"`
	Arguments tools.Arguments `json:"arguments"`
	Path      string          `json:"path"`
}

// ToolCalls returns the record's calls as pkg/spec takes them.
func (r *Rest) ToolCalls() []tools.Call {
	out := make([]tools.Call, len(r.Calls))
	for i, c := range r.Calls {
		out[i] = tools.Call{Name: c.Name, Arguments: c.Arguments}
	}
	return out
}

// Limits says which limits a service must be given, as it has lower ones by
// default, to answer a call as its record says. A zero field needs nothing.
type Limits struct {
	MaxRows  int `json:"max_rows,omitempty"`
	MaxBytes int `json:"max_bytes,omitempty"`
	MaxValue int `json:"max_value,omitempty"`
}

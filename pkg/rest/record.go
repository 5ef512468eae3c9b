package rest

import (
	"github.com/birdcall/birdcall/internal/artifact/record"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Record is one sample of REST-BIRD as it is written: the fields of Elder et al.
// (arXiv:2506.11266v1, appendix E.2) first, in their order, then what this
// package adds. A tool has the JSON Schema of its arguments in parameters, where
// theirs has the properties alone in arguments, which does not tell which are
// required.
type Record struct {
	Query       string       `json:"query"`
	Input       string       `json:"input"`
	DatasetName string       `json:"dataset_name"`
	SampleID    bird.ID      `json:"sample_id"`
	GoldAnswer  any          `json:"gold_answer"`
	Output      []Invocation `json:"output"`
	Result      string       `json:"output_after_executing_api"`
	Tools       []spec.Tool  `json:"tools"`                // of the database
	ToolsFile   string       `json:"tools_file,omitempty"` // in the place of tools, where these are in a file of the database's

	record.Facts
	Limits *Limits `json:"limits,omitempty"` // that a service needs to answer so; nil for the default ones
}

// Invocation is the call of an endpoint that answers a question.
type Invocation struct {
	Name      string          `json:"name"`
	Arguments tools.Arguments `json:"arguments"`
	Path      string          `json:"path"`
}

// invocation returns the call as it is written: its arguments in the order of
// the parameters, without those that are left to their defaults.
func (c Call) invocation() Invocation {
	out := Invocation{Name: c.Endpoint.Name, Arguments: tools.Arguments{}, Path: c.Endpoint.Path}
	for i, p := range c.Endpoint.Params {
		values := c.Arguments[i]
		if len(values) == 0 {
			continue
		}
		out.Arguments = append(out.Arguments, tools.Argument{Name: p.Name, Value: p.plain(values)})
	}
	return out
}

// Calls returns the record's calls as pkg/spec takes them.
func (r *Record) Calls() []tools.Call {
	out := make([]tools.Call, len(r.Output))
	for i, c := range r.Output {
		out[i] = tools.Call{Name: c.Name, Arguments: c.Arguments}
	}
	return out
}

// With returns the record with those calls in the place of its own, such as the
// same ones under obfuscated names, and without its tools, which have others.
func (r *Record) With(calls []tools.Call) *Record {
	out := *r
	out.Tools = nil
	out.Output = make([]Invocation, len(calls))
	for i, c := range calls {
		out.Output[i] = Invocation{c.Name, c.Arguments, spec.HiddenPath(r.Output[i].Path, c.Name)}
	}
	return &out
}

package rest

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/birdcall/birdcall/pkg/bird"
)

// Record is one sample of REST-BIRD as it is written: the paper's fields
// (appendix E.2) first, in its order, then what this package adds.
type Record struct {
	Query       string       `json:"query"`
	Input       string       `json:"input"`
	DatasetName string       `json:"dataset_name"`
	SampleID    bird.ID      `json:"sample_id"`
	GoldAnswer  any          `json:"gold_answer"`
	Output      []Invocation `json:"output"`
	Result      string       `json:"output_after_executing_api"`
	Time        bool         `json:"time_dependent,omitempty"`
	AsOf        string       `json:"as_of,omitempty"`
}

// Invocation is the call of an endpoint that answers a question.
type Invocation struct {
	Name      string    `json:"name"`
	Arguments arguments `json:"arguments"`
	Path      string    `json:"path"`
}

// Slots returns how many arguments the call gives.
func (c Invocation) Slots() int {
	n := 0
	for _, values := range c.Arguments.Arguments {
		if len(values) > 0 {
			n++
		}
	}
	return n
}

// arguments are those of a call, in the order of the parameters.
type arguments Call

// MarshalJSON writes an object. What has its default only is left out.
func (a arguments) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, p := range a.Endpoint.Params {
		values := a.Arguments[i]
		if len(values) == 0 {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		v := plain(values[0])
		if p.List {
			list := make([]any, len(values))
			for j := range values {
				list[j] = plain(values[j])
			}
			v = list
		}
		text, err := encode(v)
		if err != nil {
			return nil, err
		}
		out = append(append(strconv.AppendQuote(out, p.Name), ':'), text...)
	}
	return append(out, '}'), nil
}

// encode is json.Marshal that leaves <, > and & as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}

// Tool describes an endpoint as the paper's tool lists do.
type Tool struct {
	Name        string              `json:"name"`
	Description string              `json:"description"`
	Arguments   map[string]Argument `json:"arguments"`
	Path        string              `json:"path"`
}

// Argument describes a parameter of a tool.
type Argument struct {
	Type        string `json:"type"` // integer, number, string or array
	Items       *Items `json:"items,omitempty"`
	Description string `json:"description"`
	Title       string `json:"title"`
	Required    bool   `json:"required"`
	Default     any    `json:"default,omitempty"`
}

// Items tells the type of an array's elements.
type Items struct {
	Type Type `json:"type"`
}

// Tools describes the endpoints of a database, in their order.
func (d *Database) Tools() []Tool {
	tools := make([]Tool, len(d.Endpoints))
	for i, e := range d.Endpoints {
		tools[i] = Tool{Name: e.Name, Description: e.Summary + ". " + e.Description, Path: e.Path, Arguments: map[string]Argument{}}
		for _, p := range e.Params {
			a := Argument{Type: string(p.Type), Description: p.Description, Title: p.Title, Required: p.Required}
			if p.List {
				a.Type, a.Items = "array", &Items{p.Type}
			}
			if len(p.Default) > 0 {
				a.Default = plain(p.Default[0])
			}
			tools[i].Arguments[p.Name] = a
		}
	}
	return tools
}

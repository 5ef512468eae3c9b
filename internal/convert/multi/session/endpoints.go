package session

import (
	"context"
	"slices"

	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Endpoints runs calls of the form REST: those of endpoints, and multi.CompareTool. It is for
// one goroutine at a time.
type Endpoints struct {
	client    *rest.Client
	databases []string
	labels    []string
	results   map[string][][]value.Value
}

// NewEndpoints returns what runs the calls of a record over its databases.
func NewEndpoints(client *rest.Client, databases []string) *Endpoints {
	return &Endpoints{client: client, databases: databases, results: map[string][][]value.Value{}}
}

// Result is what a call returned: the answer of an endpoint with the text that it
// was written in, or the table of multi.CompareTool.
type Result struct {
	Rows  [][]value.Value
	Text  string
	Table *tools.Table // nil for an endpoint
}

// Observation returns the result of a call as a model is shown it.
func (r Result) Observation(ctx context.Context, c tools.Call) (*observation.Observation, error) {
	if r.Table != nil {
		return observation.OfTable(ctx, c, r.Table)
	}
	o, err := observation.OfAnswer(c, r.Text)
	if err == nil {
		o.Label = c.Label
	}
	return o, err
}

// Run runs one call and keeps the result under its label, if it has one. Errors are
// those of rest.Client.Ask, and a *tools.ToolError of multi.CompareTool.
func (e *Endpoints) Run(ctx context.Context, c tools.Call) (out Result, err error) {
	if c.Name == multi.CompareTool {
		if out.Table, err = compare(c, e.number); err == nil {
			out.Rows, err = out.Table.Rows(ctx)
		}
	} else {
		out.Rows, out.Text, err = e.client.Ask(ctx, e.database(c.Name), c)
	}
	if err != nil || c.Label == "" {
		return out, err
	}
	if _, known := e.results[c.Label]; !known {
		e.labels = append(e.labels, c.Label)
	}
	e.results[c.Label] = out.Rows
	return out, nil
}

// database returns the database whose endpoint has that name, or the first: it will
// say that there is none.
func (e *Endpoints) database(name string) string {
	for _, id := range e.databases {
		d := e.client.API.Database(id)
		if d != nil && slices.ContainsFunc(d.Endpoints, func(one *rest.Endpoint) bool { return one.Name == name }) {
			return id
		}
	}
	return e.databases[0]
}

// number returns the only value of a result.
func (e *Endpoints) number(argument, label string) (value.Value, error) {
	rows, ok := e.results[label]
	switch {
	case !ok:
		return value.Value{}, noResult(argument, label, e.labels)
	case len(rows) != 1 || len(rows[0]) != 1:
		columns := 0
		if len(rows) > 0 {
			columns = len(rows[0])
		}
		return value.Value{}, notOne(argument, len(rows), columns)
	}
	return rows[0][0], nil
}

package rest

import (
	"context"
	"fmt"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/spec"
)

// Tools describes the endpoints of a database as tools, in their order. An
// argument has the schema of the parameter in the OpenAPI document, without the
// example, which is a question's own value, and the service's limit on lengths.
// The limit and offset that every endpoint of several rows takes are left out.
// The errors are those of reading the data, which says the values of an enum.
func (d *Database) Tools(ctx context.Context) ([]spec.Tool, error) {
	profiles, err := d.profiles(ctx)
	if err != nil {
		return nil, err
	}
	tools := make([]spec.Tool, len(d.Endpoints))
	for i, e := range d.Endpoints {
		properties, required := map[string]any{}, []string{}
		for _, p := range e.Params {
			if properties[p.Name], err = e.property(p, profiles); err != nil {
				return nil, fmt.Errorf("%s, parameter %s: %w", e.Name, p.Name, err)
			}
			if p.Required {
				required = append(required, p.Name)
			}
		}
		tools[i] = spec.Tool{
			Name: e.Name, Description: e.Description, Path: e.Path,
			Parameters: map[string]any{
				"type": "object", "properties": properties, "required": required, "additionalProperties": false,
			},
		}
	}
	return tools, nil
}

// property returns the schema of a parameter with its description.
func (e *Endpoint) property(p *Param, profiles map[Column]profile) (map[string]any, error) {
	schema := *e.parameter(p, profiles, DocumentOptions{}).Schema.Value
	schema.Description = p.Description
	if p.List {
		items := *schema.Items.Value
		items.MaxLength = nil
		schema.Items = items.NewRef()
	}
	schema.MaxLength = nil
	return jsontext.Object(schema)
}

package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// The tools that every agent has, and their arguments.
const (
	Query  = "query_database"
	Answer = "answer"

	argSQL    = "sql"
	argRows   = "rows"
	argLimit  = "limit"
	argOffset = "offset"
)

// list makes the tools of an agent.
func (a *Agent) list(apis *apis.Database) []*tool {
	out := []*tool{{spec.Tool{
		Name: Query, Description: "Run one SELECT of SQLite over the database's own tables, and return its rows.",
		Parameters: object(map[string]any{argSQL: map[string]any{"type": "string", "description": "The SELECT statement."}}, argSQL),
		Order:      []string{argSQL},
	}, a.query}}
	if apis == nil {
		return out
	}
	names := newNames(Query, Answer)
	for _, t := range apis.Tables {
		out = append(out, a.tableTool(names.plain(t.Name), t))
	}
	for _, f := range apis.Functions {
		out = append(out, a.functionTool(names.plain(f.Name), f))
	}
	return out
}

// answerTool is the tool by which an agent ends.
func answerTool() spec.Tool {
	cell := map[string]any{"type": []any{"string", "number", "boolean", "null"}}
	return spec.Tool{
		Name: Answer,
		Description: "Answer the question. The rows have the columns that the question asks for, in the order in which it names them, and no others. " +
			"Values stand as tools returned them: 5.0 is not 5.",
		Parameters: object(map[string]any{argRows: map[string]any{
			"type": "array", "description": "A list for each row.", "items": map[string]any{"type": "array", "items": cell},
		}}, argRows),
		Order: []string{argRows},
	}
}

// Rows reads the rows of a call of Answer. The error is for the model.
func Rows(c tools.Call) (json.RawMessage, error) {
	v, ok := c.Arguments.Get(argRows)
	if !ok {
		return nil, fmt.Errorf("%s: rows is missing: give a list with a list for each row", Answer)
	}
	text, err := json.Marshal(tools.Arguments{{Name: argRows, Value: v}})
	if err != nil {
		return nil, err
	}
	var whole struct {
		Rows json.RawMessage `json:"rows"`
	}
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, err
	}
	if _, err := evaluate.ReadRows(whole.Rows); err != nil {
		return nil, fmt.Errorf("%s: %w", Answer, err)
	}
	return whole.Rows, nil
}

// object is the JSON Schema of arguments.
func object(properties map[string]any, required ...string) map[string]any {
	o := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		o["required"] = required
	}
	return o
}

// schemaOfType is the JSON Schema of a value by its declared type in SQL.
func schemaOfType(declared, description string) map[string]any {
	s := map[string]any{}
	switch a := value.AffinityOf(declared); {
	case a == value.AffinityInteger:
		s["type"] = "integer"
	case a == value.AffinityText:
		s["type"] = "string"
	case strings.EqualFold(declared, "BOOLEAN"):
		s["type"], s["enum"] = "integer", []any{0, 1}
	case a == value.AffinityReal, strings.EqualFold(declared, "NUMERIC"):
		s["type"] = "number"
	default: // such as DATE, whose values are texts for the most part
		s["type"] = []any{"string", "number"}
	}
	if description != "" {
		s["description"] = description
	}
	return s
}

// checkNames says which arguments of a call its tool does not take, or needs.
func checkNames(t spec.Tool, c tools.Call) error {
	takes := t.Takes()
	for _, a := range c.Arguments {
		if !slices.Contains(takes, a.Name) {
			return fmt.Errorf("there is no argument %q; %s", a.Name, spelling.Suggest(a.Name, takes))
		}
	}
	required, _ := t.Parameters["required"].([]string)
	for _, name := range required {
		if v, _ := c.Arguments.Get(name); v == nil {
			return fmt.Errorf("the argument %s is missing", name)
		}
	}
	return nil
}

// functionTool is the tool of a function of an API.
func (a *Agent) functionTool(name string, f *apis.Function) *tool {
	names := newNames()
	properties, order := map[string]any{}, []string{}
	for _, arg := range f.Args {
		order = append(order, names.plain(arg.Name))
		properties[order[len(order)-1]] = schemaOfType(arg.Type, arg.Description)
	}
	description := sentences(f.Description, fmt.Sprintf("Function of the API %s.", f.API))
	return &tool{
		spec.Tool{Name: name, Description: description, Parameters: object(properties, order...), Order: order},
		func(ctx context.Context, c tools.Call) (*answer, error) {
			args := make([]value.Value, len(order))
			for i, name := range order {
				v, _ := c.Arguments.Get(name)
				var err error
				if args[i], err = valueOf(name, v, f.Args[i].Type); err != nil {
					return nil, err
				}
			}
			result := f.Call(ctx, a.meter, [][]value.Value{args})[0]
			column := "result"
			if f.Result.Name != "" {
				column = f.Result.Name
			}
			return &answer{columns: []string{column}, rows: [][]value.Value{{result.Value}}}, result.Err
		},
	}
}

// valueOf is an argument as a value of a declared type.
func valueOf(name string, v any, declared string) (value.Value, error) {
	got, ok := tools.LiteralValue(v)
	if !ok || got.IsNull() {
		return got, fmt.Errorf("%s: give a text or a number", name)
	}
	return value.AffinityOf(declared).Apply(got), nil
}

// sentences puts descriptions together.
func sentences(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			if !strings.HasSuffix(p, ".") {
				p += "."
			}
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

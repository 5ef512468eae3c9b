package tools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/toolname"
)

// Schema returns the JSON Schema of the tool's arguments, ready to marshal. Each
// value that a categorical argument takes is explained in the description of
// the argument, and the object of toolname.ArgOperationArgs has the arguments of all
// its operations. keys are the columns that key arguments may name; nil allows any,
// which is right where calls make columns that later calls name.
func (d Definition) Schema(keys []string) map[string]any {
	properties := map[string]any{}
	required := []string{}
	for _, p := range d.Parameters {
		properties[p.Name] = p.Schema(keys)
		if p.Required {
			required = append(required, p.Name)
		}
	}
	for _, p := range d.Parameters {
		if len(p.Operations) > 0 {
			describeOperations(properties, p.Operations, keys)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// Schema returns the JSON Schema of one argument; keys are as in
// Definition.Schema.
func (p Parameter) Schema(keys []string) map[string]any {
	out := map[string]any{"description": p.Description + explained(p.Choices)}
	if p.Default != nil {
		out["default"] = p.Default
	}
	key := map[string]any{"type": "string"}
	if keys != nil {
		key["enum"] = keys
	}
	scalar := []string{"string", "number", "boolean", "object", "null"}
	switch p.Kind {
	case KindKey:
		out["type"] = "string"
		if keys != nil {
			out["enum"] = keys
		}
	case KindKeys:
		if keys == nil {
			out["type"], out["items"] = []string{"string", "array"}, key
			break
		}
		out["anyOf"] = []any{key, map[string]any{"type": "array", "items": key}}
	case KindValue:
		out["type"] = scalar
	case KindValues:
		out["type"] = append([]string{"array"}, scalar...)
		out["items"] = map[string]any{"type": scalar}
	case KindInteger:
		out["type"] = "integer"
	case KindBoolean:
		out["type"] = "boolean"
	case KindFlags:
		out["type"] = []string{"boolean", "array"}
		out["items"] = map[string]any{"type": "boolean"}
	case KindObject:
		out["type"] = "object"
	default:
		out["type"] = "string"
	}
	if p.Categorical() {
		out["enum"] = choiceNames(p.Choices)
	}
	return out
}

// explained lists the values of a categorical argument with their meanings.
func explained(choices []Choice) string {
	var b strings.Builder
	for i, c := range choices {
		if i == 0 {
			b.WriteByte(':')
		}
		fmt.Fprintf(&b, "\n* `%s` - %s", c.Name, c.Description)
	}
	return b.String()
}

// describeOperations completes the schema of transform_data: each operation with
// the arguments that it takes, a question mark after what may be left out, and
// these arguments. The conditions are explained by filter_data already.
func describeOperations(properties map[string]any, operations []Definition, keys []string) {
	operationType, ok := properties[toolname.ArgOperationType].(map[string]any)
	if !ok {
		return
	}
	var text strings.Builder
	var tests []string
	for _, o := range operations {
		if Operation(o.Name).IsCondition() {
			tests = append(tests, "`"+o.Name+"`")
			continue
		}
		fmt.Fprintf(&text, "\n* `%s`%s - %s", o.Name, argumentList(o.Parameters), o.Description)
	}
	if len(tests) > 0 {
		fmt.Fprintf(&text, "\n* %s - 1 where this condition of filter_data is true, 0 where it is false, else NULL", strings.Join(tests, ", "))
	}
	operationType["description"] = "the operation, and the arguments that operation_args gives it:" + text.String()

	args, ok := properties[toolname.ArgOperationArgs].(map[string]any)
	if !ok {
		return
	}
	all := map[string]any{}
	for _, p := range operationParameters(operations) {
		schema := p.Schema(keys)
		if p.Name == toolname.ArgCondition {
			schema["description"] = p.Description + ", one of filter_data's"
		}
		all[p.Name] = schema
	}
	args["properties"], args["additionalProperties"] = all, false
}

func argumentList(params []Parameter) string {
	if len(params) == 0 {
		return ""
	}
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Name
		if !p.Required {
			names[i] += "?"
		}
	}
	return " {" + strings.Join(names, ", ") + "}"
}

// operationParameters returns the parameters of operations, each name once, in
// the order of their first appearance. One that means different things has all
// its meanings, with the operations that they are for, and takes what any of
// these takes.
func operationParameters(operations []Definition) []Parameter {
	type meaning struct {
		text string
		of   []string
	}
	var out []Parameter
	meanings := map[string][]meaning{}
	for _, o := range operations {
		for _, p := range o.Parameters {
			at := slices.IndexFunc(out, func(q Parameter) bool { return q.Name == p.Name })
			if at < 0 {
				p.Required = false
				out = append(out, p)
			} else if p.Kind == KindValues {
				out[at].Kind = KindValues
			}
			known := meanings[p.Name]
			i := slices.IndexFunc(known, func(m meaning) bool { return m.text == p.Description })
			if i < 0 {
				i, known = len(known), append(known, meaning{text: p.Description})
			}
			known[i].of = append(known[i].of, o.Name)
			meanings[p.Name] = known
		}
	}
	for i := range out {
		all := meanings[out[i].Name]
		if len(all) == 1 {
			continue
		}
		texts := make([]string, len(all))
		for j, m := range all {
			texts[j] = strings.Join(m.of, ", ") + ": " + m.text
		}
		out[i].Description = strings.Join(texts, "; ")
	}
	return out
}

package evaluate

import (
	"encoding/json"
	"reflect"
	"slices"
	"sort"
	"sync"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
)

// definitions are the tools and the operations of transform_data by their names.
var definitions = sync.OnceValue(func() map[string]tools.Definition { return byName(tools.Definitions()) })
var operations = sync.OnceValue(func() map[string]tools.Definition { return byName(tools.Operations()) })

func byName(list []tools.Definition) map[string]tools.Definition {
	out := map[string]tools.Definition{}
	for _, d := range list {
		out[d.Name] = d
	}
	return out
}

// canonical returns a call's arguments by name, written in one way: without those
// that are null or equal to their default, numbers by their value, one key as a
// text and not as a list.
func (s *Sample) canonical(c tools.Call) tools.Arguments {
	if s.variant().Calls == variant.Endpoints {
		return endpointArguments(c.Arguments)
	}
	d, known := definitions()[c.Name]
	if !known {
		return sorted(c.Arguments)
	}
	var operation tools.Definition
	if name, ok := c.Arguments.Get(toolname.ArgOperationType); ok {
		text, _ := name.(string)
		operation = operations()[text]
	}
	out := toolArguments(d, c.Arguments)
	for i, a := range out {
		if object, ok := a.Value.(tools.Arguments); ok && a.Name == toolname.ArgOperationArgs {
			out[i].Value = toolArguments(operation, object)
		}
	}
	return slices.DeleteFunc(sorted(out), func(a tools.Argument) bool {
		object, ok := a.Value.(tools.Arguments)
		return ok && a.Name == toolname.ArgOperationArgs && len(object) == 0
	})
}

// toolArguments writes the arguments of a tool or of an operation in one way.
func toolArguments(d tools.Definition, args tools.Arguments) tools.Arguments {
	var out tools.Arguments
	for _, a := range args {
		i := slices.IndexFunc(d.Parameters, func(p tools.Parameter) bool { return p.Name == a.Name })
		var p tools.Parameter
		if i >= 0 {
			p = d.Parameters[i]
		}
		a.Value = uniform(a.Value, p.Kind)
		// null is a value only for operands, as in "is null".
		isOperand := p.Kind == tools.KindValue || p.Kind == tools.KindValues
		if i >= 0 && (a.Value == nil && !isOperand || isDefault(a.Value, p)) {
			continue
		}
		out = append(out, a)
	}
	return sorted(out)
}

// isDefault reports whether an argument says what leaving it out does. Any
// negative limit is no limit.
func isDefault(v any, p tools.Parameter) bool {
	if p.Default == nil {
		return false
	}
	n, isNumber := v.(json.Number)
	if isNumber && p.Name == toolname.ArgLimit {
		return n.String()[0] == '-'
	}
	return reflect.DeepEqual(v, uniform(p.Default, p.Kind))
}

// uniform writes the value of an argument in one way.
func uniform(v any, kind tools.Kind) any {
	switch v := v.(type) {
	case json.Number:
		return number(v)
	case int:
		return json.Number(jsonText(v))
	case []any:
		return listValue(v, kind)
	case tools.Arguments:
		return objectValue(v)
	}
	return v
}

func listValue(list []any, kind tools.Kind) any {
	out := make([]any, len(list))
	for i, item := range list {
		out[i] = uniform(item, "")
	}
	isOne := len(out) == 1
	if kind == tools.KindFlags && len(out) > 0 {
		isOne = !slices.ContainsFunc(out, func(v any) bool { return v != out[0] })
	}
	if isOne && (kind == tools.KindKeys || kind == tools.KindFlags || kind == tools.KindKey) {
		return out[0]
	}
	return out
}

// objectValue writes an object by names; a literal that no rule needs is the text
// itself.
func objectValue(o tools.Arguments) any {
	if text, ok := o.Get(toolname.ArgLiteral); ok && len(o) == 1 {
		if text, ok := text.(string); ok {
			if _, isLabel := labelOf(text); !isLabel {
				return text
			}
		}
	}
	out := make(tools.Arguments, len(o))
	for i, a := range o {
		out[i] = tools.Argument{Name: a.Name, Value: uniform(a.Value, "")}
	}
	return sorted(out)
}

// endpointArguments are what an endpoint is asked with: null is not sent, and a
// list is the several values of one parameter, in any order.
func endpointArguments(args tools.Arguments) tools.Arguments {
	var out tools.Arguments
	for _, a := range args {
		v := uniform(a.Value, "")
		if list, ok := v.([]any); ok {
			v = setOf(list)
		}
		if v != nil {
			out = append(out, tools.Argument{Name: a.Name, Value: v})
		}
	}
	return sorted(out)
}

// setOf returns the different values of a list in one order; one value is itself.
func setOf(list []any) any {
	sort.SliceStable(list, func(i, j int) bool { return jsonText(list[i]) < jsonText(list[j]) })
	list = slices.CompactFunc(list, func(a, b any) bool { return jsonText(a) == jsonText(b) })
	if len(list) == 1 {
		return list[0]
	}
	return list
}

// jsonText returns a value as JSON.
func jsonText(v any) string {
	text, err := jsontext.Marshal(v, "")
	if err != nil {
		return err.Error() // what was read as JSON can be written
	}
	return string(text)
}

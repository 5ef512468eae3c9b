package sel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/pkg/tools"
)

// function is one SEL function and the tool that runs it.
type function struct {
	name  string
	tool  tools.Definition // as SLOT specifies it
	bound string           // the argument that the name stands for, "" for none
	value any              // its value
	// drop are arguments that are left out of a call where they have this
	// value, and put back to run it.
	drop []tools.Argument

	description string
	parameters  []tools.Parameter
	operation   *tools.Definition // whose parameters operation_args holds
}

// only lists arguments that some values of the bound argument alone use.
var only = []struct {
	tool, argument string
	values         []string
}{
	{tools.ToolAggregate, tools.ArgSeparator, names(tools.Concat)},
	{tools.ToolWindow, tools.ArgSeparator, names(tools.WindowConcat)},
	{tools.ToolWindow, tools.ArgOffset, names(tools.NTile, tools.Lag, tools.Lead, tools.NthValue)},
	{tools.ToolWindow, tools.ArgDefault, names(tools.Lag, tools.Lead)},
	{tools.ToolJoin, tools.ArgKeyName, keyedJoins},
	{tools.ToolJoin, tools.ArgOtherKeyName, keyedJoins},
	{tools.ToolJoin, tools.ArgNullEqual, keyedJoins},
}

var keyedJoins = names(tools.InnerJoin, tools.LeftJoin, tools.RightJoin, tools.FullJoin, tools.SemiJoin, tools.AntiJoin)

func names[T ~string](typed ...T) []string {
	out := make([]string, len(typed))
	for i, name := range typed {
		out[i] = string(name)
	}
	return out
}

// functionsOf returns the functions that a tool becomes, without the getters.
// An operation that operations does not describe has none.
func functionsOf(tool tools.Definition, operations []tools.Definition) []*function {
	b, ok := bindingOf(tool.Name)
	if !ok {
		f := &function{name: tool.Name, tool: tool, description: tool.Description, parameters: tool.Parameters}
		if tool.Name == tools.ToolRetrieve {
			f.description = "Return several columns and some rows; one column has a function of its own."
		}
		return []*function{f}
	}
	at := slices.IndexFunc(tool.Parameters, func(p tools.Parameter) bool { return p.Name == b.argument })
	if at < 0 {
		return nil
	}
	argument := tool.Parameters[at]
	choices := argument.Choices
	if argument.Kind == tools.KindBoolean {
		choices = []tools.Choice{
			{Name: word(true), Description: "from the smallest to the largest"},
			{Name: word(false), Description: "from the largest to the smallest"},
		}
	}
	var out []*function
	for _, c := range choices {
		f := &function{name: b.prefix + c.Name, tool: tool, bound: b.argument, value: c.Name}
		f.description = fmt.Sprintf("%s %s: %s.", tool.Description, about(argument), c.Description)
		if argument.Kind == tools.KindBoolean {
			f.value = c.Name == word(true)
		}
		for i := range operations {
			if operations[i].Name == c.Name {
				f.operation = &operations[i]
			}
		}
		if tool.Name == tools.ToolTransform && f.operation == nil {
			continue
		}
		f.bind(argument, c.Name)
		out = append(out, f)
	}
	return out
}

// about introduces what is said of the value of an argument.
func about(p tools.Parameter) string {
	if p.Kind == tools.KindBoolean {
		return "The order"
	}
	return strings.ToUpper(p.Description[:1]) + p.Description[1:]
}

// bind finds the arguments that are left when one is bound to a value.
func (f *function) bind(argument tools.Parameter, choice string) {
	for _, p := range f.tool.Parameters {
		if p.Name == argument.Name || !f.uses(p.Name, choice) {
			continue
		}
		p.Description = strings.ReplaceAll(p.Description, "<"+argument.Name+">", choice)
		switch {
		case f.tool.Name == tools.ToolFilter && p.Name == tools.ArgValue:
			p = f.conditionValue(p)
		case f.tool.Name == tools.ToolTransform && p.Name == tools.ArgOperationArgs:
			f.drop = []tools.Argument{{Name: tools.ArgOperationArgs, Value: tools.Arguments{}}}
			if len(f.operation.Parameters) == 0 {
				continue
			}
			p.Description = "the arguments of the operation"
			p.Required = slices.ContainsFunc(f.operation.Parameters, func(p tools.Parameter) bool { return p.Required })
		}
		f.parameters = append(f.parameters, p)
	}
}

// uses reports whether the tool looks at an argument for that choice. What
// filter_data looks at is what the operation of the condition's name does.
func (f *function) uses(argument, choice string) bool {
	if f.tool.Name == tools.ToolFilter && (argument == tools.ArgValue || argument == tools.ArgEscape) {
		return f.operation == nil || slices.ContainsFunc(f.operation.Parameters, func(p tools.Parameter) bool { return p.Name == argument })
	}
	for _, o := range only {
		if o.tool == f.tool.Name && o.argument == argument {
			return slices.Contains(o.values, choice)
		}
	}
	return true
}

// conditionValue is the value argument of one condition: what the operation of
// that name says of it, and how to write it.
func (f *function) conditionValue(p tools.Parameter) tools.Parameter {
	p.Required = true
	if f.operation == nil {
		return p
	}
	for _, q := range f.operation.Parameters {
		if q.Name == p.Name {
			p.Kind, p.Description = q.Kind, q.Description
		}
	}
	if p.Kind == tools.KindValue {
		p.Description += `: a literal, "$LABEL$" of an earlier result, or {"key_name": "other"} for another column`
	}
	return p
}

// getter is the function that returns one column.
func getter(retrieve tools.Definition, key, description string) *function {
	f := &function{
		name: Getter(key), tool: retrieve, bound: tools.ArgKeyName, value: key,
		description: fmt.Sprintf("Return the values of `%s`: %s", key, description),
	}
	for _, p := range retrieve.Parameters {
		if p.Name == tools.ArgKeyName {
			continue
		}
		if p.Default != nil && p.Paper {
			f.drop = append(f.drop, tools.Argument{Name: p.Name, Value: p.Default})
		}
		f.parameters = append(f.parameters, p)
	}
	return f
}

// schema returns the JSON Schema of the function's arguments; keys are the
// columns that key arguments may name.
func (f *function) schema(keys []string) map[string]any {
	out := tools.Definition{Parameters: f.parameters}.Schema(keys)
	properties := out["properties"].(map[string]any)
	switch {
	case f.tool.Name == tools.ToolTransform && properties[tools.ArgOperationArgs] != nil:
		args := f.operation.Schema(keys)
		args["description"] = properties[tools.ArgOperationArgs].(map[string]any)["description"]
		properties[tools.ArgOperationArgs] = args
	case f.name == tools.ToolRetrieve:
		properties[tools.ArgKeyName] = map[string]any{
			"type": "array", "items": map[string]any{"type": "string", "enum": keys},
			"description": "the columns, all if left out",
		}
	}
	return out
}

package sel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// function is one SEL function and the tool that runs it.
type function struct {
	name  string
	tool  tools.Definition // as SLOT specifies it
	bound string           // the argument that the function's name expresses, or ""
	value any              // its value
	// drop are arguments with default values. A call omits an argument that has this
	// value, and it is put back to run the call.
	drop []tools.Argument

	description string
	parameters  []tools.Parameter
	operation   *tools.Definition // whose parameters operation_args holds

	spec func() spec.Tool // specification, made once
}

// only lists arguments that are used by only some values of the bound argument.
var only = []struct {
	tool, argument string
	values         []string
}{
	{toolname.Aggregate, toolname.ArgSeparator, names(tools.Concat)},
	{toolname.Window, toolname.ArgSeparator, names(tools.WindowConcat)},
	{toolname.Window, toolname.ArgOffset, names(tools.NTile, tools.Lag, tools.Lead, tools.NthValue)},
	{toolname.Window, toolname.ArgDefault, names(tools.Lag, tools.Lead)},
	{toolname.Join, toolname.ArgKeyName, keyedJoins},
	{toolname.Join, toolname.ArgOtherKeyName, keyedJoins},
	{toolname.Join, toolname.ArgNullEqual, keyedJoins},
}

var keyedJoins = names(tools.InnerJoin, tools.LeftJoin, tools.RightJoin, tools.FullJoin, tools.SemiJoin, tools.AntiJoin)

func names[T ~string](typed ...T) []string {
	out := make([]string, len(typed))
	for i, name := range typed {
		out[i] = string(name)
	}
	return out
}

// functionsOf returns the functions for a tool, without the getters. An operation
// without a description has no function.
func functionsOf(tool tools.Definition) []*function {
	b, ok := bindingOf(tool.Name)
	if !ok {
		f := &function{name: tool.Name, tool: tool, description: describe(tool, "", ""), parameters: tool.Parameters}
		if tool.Name == toolname.Retrieve {
			f.description = "Return several columns, or one that an earlier call made; a column of a starting table has a function of its own. " + tools.LabelRule(tool.Name, "")
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
	operations := operationsOf(tool)
	var out []*function
	for _, c := range choices {
		f := &function{name: b.name(c.Name), tool: tool, bound: b.argument, value: c.Name}
		f.description = describe(tool, c.Name, c.Description)
		if argument.Kind == tools.KindBoolean {
			f.value = c.Name == word(true)
		}
		for i := range operations {
			if operations[i].Name == c.Name {
				f.operation = &operations[i]
			}
		}
		if tool.Name == toolname.Transform && f.operation == nil {
			continue
		}
		f.bind(argument, c.Name)
		out = append(out, f)
	}
	return out
}

// operationsOf describes what transform_data computes or filter_data tests. The
// conditions of filter_data are operations too.
func operationsOf(tool tools.Definition) []tools.Definition {
	if tool.Name == toolname.Filter {
		return tools.Operations()
	}
	for _, p := range tool.Parameters {
		if len(p.Operations) > 0 {
			return p.Operations
		}
	}
	return nil
}

// describe returns the description of a function: what the tool does, what the choice
// means, and which label the result gets.
func describe(tool tools.Definition, choice, meaning string) string {
	first, rest, _ := strings.Cut(tool.Description, ".")
	if meaning != "" {
		first += ": " + meaning
	}
	aggregation := tools.Aggregation("")
	if tool.Name == toolname.Aggregate {
		aggregation = tools.Aggregation(choice)
	}
	return first + "." + rest + " " + tools.LabelRule(tool.Name, aggregation)
}

// bind sets the arguments that remain when one argument is bound to a value.
func (f *function) bind(argument tools.Parameter, choice string) {
	for _, p := range f.tool.Parameters {
		if p.Name == argument.Name || !f.uses(p.Name, choice) {
			continue
		}
		p.Description = strings.ReplaceAll(p.Description, "<"+argument.Name+">", choice)
		switch {
		case f.tool.Name == toolname.Filter && p.Name == toolname.ArgValue:
			p = f.conditionValue(p)
		case f.tool.Name == toolname.Transform && p.Name == toolname.ArgOperationArgs:
			f.drop = []tools.Argument{{Name: toolname.ArgOperationArgs, Value: tools.Arguments{}}}
			if len(f.operation.Parameters) == 0 {
				continue
			}
			p.Description, p.Operations = "the arguments of the operation; "+tools.OperandForms, nil
			p.Required = slices.ContainsFunc(f.operation.Parameters, func(p tools.Parameter) bool { return p.Required })
		}
		f.parameters = append(f.parameters, p)
	}
}

// uses reports whether the tool uses an argument for that choice. filter_data uses the
// arguments of the operation with the condition's name.
func (f *function) uses(argument, choice string) bool {
	if f.tool.Name == toolname.Filter && (argument == toolname.ArgValue || argument == toolname.ArgEscape || argument == toolname.ArgCollation) {
		return f.operation == nil || slices.ContainsFunc(f.operation.Parameters, func(p tools.Parameter) bool { return p.Name == argument })
	}
	for _, o := range only {
		if o.tool == f.tool.Name && o.argument == argument {
			return slices.Contains(o.values, choice)
		}
	}
	return true
}

// conditionValue returns the value argument of one condition: the text of the operation
// of that name, and how to write a value.
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

// getter returns the function that returns one column, with the paper's arguments. Its
// description has the first sentence of the column's description; the record's keys
// have the whole text.
func getter(retrieve tools.Definition, key, description string) *function {
	f := &function{
		name: Getter(key), tool: retrieve, bound: toolname.ArgKeyName, value: key,
		description: fmt.Sprintf("Return the values of `%s`: %s. %s", key, firstSentence(description), tools.LabelRule(retrieve.Name, "")),
	}
	for _, p := range retrieve.Parameters {
		if p.Name == toolname.ArgKeyName || !p.Paper {
			continue
		}
		if p.Default != nil {
			f.drop = append(f.drop, tools.Argument{Name: p.Name, Value: p.Default})
		}
		f.parameters = append(f.parameters, p)
	}
	return f
}

// firstSentence returns a text up to its first period before a capital letter,
// without the period.
func firstSentence(text string) string {
	for i := range text {
		if rest, ok := strings.CutPrefix(text[i:], ". "); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
			return text[:i]
		}
	}
	return strings.TrimSuffix(text, ".")
}

// specification describes the function to a model.
func (f *function) specification() spec.Tool {
	return spec.Tool{Name: f.name, Description: f.description, Parameters: f.schema()}
}

// schema returns the JSON Schema of the function's arguments.
func (f *function) schema() map[string]any {
	out := tools.Definition{Parameters: f.parameters}.Schema(nil)
	properties := out["properties"].(map[string]any)
	if f.tool.Name == toolname.Transform && properties[toolname.ArgOperationArgs] != nil {
		args := f.operation.Schema(nil)
		args["description"] = properties[toolname.ArgOperationArgs].(map[string]any)["description"]
		properties[toolname.ArgOperationArgs] = args
	}
	return out
}

package spec

import (
	"slices"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
)

// strictSchema writes the schema of a tool's arguments for OpenAI's strict mode
// (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas):
// every object lists its names, requires them all and takes no others; what may
// be left out elsewhere may be null here; and there is nothing but types and the
// values of an enum to restrict what is given.
func strictSchema(t Tool) (object, error) {
	schema, err := closed(t)
	if err != nil {
		return nil, err
	}
	return strict(schema), nil
}

func strict(schema object) object {
	out := object{}
	for keyword, v := range schema {
		switch keyword {
		case kwItems:
			out[keyword] = strict(v.(object))
		case kwAnyOf:
			var list []any
			for _, b := range v.([]any) {
				list = append(list, strict(b.(object)))
			}
			out[keyword] = list
		case kwProperties:
			all, names := object{}, []any{}
			for _, name := range sortedNames(v.(object)) {
				p := strict(v.(object)[name].(object))
				if !isRequired(schema, name) {
					p = nullable(p)
				}
				all[name], names = p, append(names, name)
			}
			out[keyword], out[kwRequired], out[kwOthers] = all, names, false
		case kwType, kwText, kwEnum:
			out[keyword] = v
		}
	}
	return out
}

// nullable lets a strict schema take null as well.
func nullable(schema object) object {
	if branches, ok := schema[kwAnyOf].([]any); ok {
		null := func(b any) bool { return b.(object)[kwType] == typeNull }
		if !slices.ContainsFunc(branches, null) {
			schema[kwAnyOf] = append(branches, object{kwType: typeNull})
		}
		return schema
	}
	schema[kwType] = []any{schema[kwType], typeNull}
	if values, ok := schema[kwEnum].([]any); ok {
		schema[kwEnum] = append(slices.Clone(values), nil)
	}
	return schema
}

// complete returns a call with null for each argument that is left out, as
// strict mode has it. t is the tool as the sample has it.
func withNulls(c tools.Call, t Tool) (tools.Call, error) {
	schema, err := strictSchema(t)
	if err != nil {
		return tools.Call{}, err
	}
	c.Arguments = complete(c.Arguments, schema)
	return c, nil
}

func complete(args tools.Arguments, schema object) tools.Arguments {
	properties, _ := schema[kwProperties].(object)
	out := slices.Clone(args)
	for i, a := range out {
		if p, ok := properties[a.Name].(object); ok {
			out[i].Value = completeValue(a.Value, p)
		}
	}
	for _, name := range sortedNames(properties) {
		if _, given := out.Get(name); !given {
			out = append(out, tools.Argument{Name: name})
		}
	}
	return out
}

// completeValue completes the objects in a value.
func completeValue(v any, schema object) any {
	switch v := v.(type) {
	case []any:
		return eachItem(v, schema, completeValue)
	case tools.Arguments:
		if of := formOf(v, schema); of != nil {
			return complete(v, of)
		}
	}
	return v
}

// formOf returns the schema of an object: of several forms that it may have, the
// first that has all its names. It is nil for what has no names.
func formOf(v tools.Arguments, schema object) object {
	if schema[kwProperties] != nil {
		return schema
	}
	branches, _ := schema[kwAnyOf].([]any)
	for _, b := range branches {
		if b := b.(object); hasAll(b, v) {
			return b
		}
	}
	return nil
}

// eachItem changes the items of a list whose schema describes them.
func eachItem(list []any, schema object, change func(any, object) any) []any {
	items := anItem(schema)
	if items == nil {
		return list
	}
	out := make([]any, len(list))
	for i, one := range list {
		out[i] = change(one, items)
	}
	return out
}

// anItem returns the schema of a list's items, nil for what has no list.
func anItem(schema object) object {
	if items, ok := schema[kwItems].(object); ok {
		return items
	}
	branches, _ := schema[kwAnyOf].([]any)
	for _, b := range branches {
		if items, ok := b.(object)[kwItems].(object); ok {
			return items
		}
	}
	return nil
}

func hasAll(schema object, args tools.Arguments) bool {
	properties, ok := schema[kwProperties].(object)
	return ok && !slices.ContainsFunc(args, func(a tools.Argument) bool { return properties[a.Name] == nil })
}

// Relax returns a call of strict mode as it is run: without the nulls that
// stand for arguments left out. A null that is the value of a condition or an
// operation, as in "is NULL", stays; one that an argument has by default, as the
// else of a conditional, goes without a difference.
func Relax(c tools.Call, t Tool) (tools.Call, error) {
	schema, err := jsontext.Object(t.Parameters)
	if err != nil {
		return tools.Call{}, err
	}
	var out tools.Arguments
	for _, a := range c.Arguments {
		p, _ := schema[kwProperties].(object)[a.Name].(object)
		if inner, ok := a.Value.(tools.Arguments); ok && a.Name == toolname.ArgOperationArgs {
			a.Value = relaxOperation(inner, operationNeeds(c, p))
		} else {
			a.Value = relaxValue(a.Value, p)
		}
		if a.Value != nil || isRequired(schema, a.Name) || a.Name == toolname.ArgValue && conditionNeedsValue(c.Arguments) {
			out = append(out, a)
		}
	}
	c.Arguments = out
	return c, nil
}

// relaxValue drops the nulls in the objects of a value that stand for names left out.
func relaxValue(v any, schema object) any {
	switch v := v.(type) {
	case []any:
		return eachItem(v, schema, relaxValue)
	case tools.Arguments:
		of := formOf(v, schema)
		if of == nil {
			return v
		}
		out := tools.Arguments{}
		for _, a := range v {
			p, _ := of[kwProperties].(object)[a.Name].(object)
			if a.Value != nil || takesNull(p) {
				out = append(out, tools.Argument{Name: a.Name, Value: relaxValue(a.Value, p)})
			}
		}
		return out
	}
	return v
}

// relaxOperation drops the nulls that the operation does not need.
func relaxOperation(args tools.Arguments, needs []string) tools.Arguments {
	out := tools.Arguments{}
	for _, a := range args {
		if a.Value != nil || slices.Contains(needs, a.Name) || a.Name == toolname.ArgValue && conditionNeedsValue(args) {
			out = append(out, a)
		}
	}
	return out
}

// operationNeeds lists the arguments that an operation cannot do without: those
// of the operation that the call names, or where a function is bound to one,
// those that the schema of its operation_args requires.
func operationNeeds(c tools.Call, schema object) []string {
	if name, ok := c.Arguments.Get(toolname.ArgOperationType); ok {
		return operationRequires(name)
	}
	var out []string
	required, _ := schema[kwRequired].([]any)
	for _, name := range required {
		if name, ok := name.(string); ok {
			out = append(out, name)
		}
	}
	return out
}

func operationRequires(operation any) []string {
	var out []string
	for _, o := range tools.Operations() {
		for _, p := range o.Parameters {
			if o.Name == operation && p.Required {
				out = append(out, p.Name)
			}
		}
	}
	return out
}

// conditionNeedsValue reports whether there is a condition that compares with a
// value; it does if the operation of the same name does.
func conditionNeedsValue(args tools.Arguments) bool {
	condition, _ := args.Get(toolname.ArgCondition)
	return slices.Contains(operationRequires(condition), toolname.ArgValue)
}

package spec

import (
	"maps"
	"slices"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
)

// object is a JSON object of a schema.
type object = map[string]any

// Keywords and types of JSON Schema that this package looks at.
const (
	kwType       = "type"
	kwProperties = "properties"
	kwRequired   = "required"
	kwItems      = "items"
	kwAnyOf      = "anyOf"
	kwEnum       = "enum"
	kwDefault    = "default"
	kwText       = "description"
	kwTitle      = "title"
	kwOthers     = "additionalProperties"

	typeObject = "object"
	typeArray  = "array"
	typeString = "string"
	typeNull   = "null"
)

// closed returns the schema of a tool's arguments in which every object says
// which names it has and every schema has one type or is an anyOf. What the
// tools' own schemas leave to descriptions is spelled out: operands and frames.
func closed(t Tool) (object, error) {
	schema, err := jsontext.Object(t.Parameters)
	if err != nil {
		return nil, err
	}
	return closeSchema(schema, ""), nil
}

// closeSchema closes the schema of the argument of that name.
func closeSchema(schema object, name string) object {
	switch t := schema[kwType].(type) {
	case []any:
		return closeUnion(schema, t)
	case string:
		if t == typeObject && schema[kwProperties] == nil {
			return spelledOut(schema, name)
		}
	}
	out := maps.Clone(schema)
	if properties, ok := schema[kwProperties].(object); ok {
		all := object{}
		for name, p := range properties {
			all[name] = closeSchema(p.(object), name)
		}
		out[kwProperties] = all
	}
	if items, ok := schema[kwItems].(object); ok {
		out[kwItems] = closeSchema(items, "")
	}
	if branches, ok := schema[kwAnyOf].([]any); ok {
		list := make([]any, len(branches))
		for i, b := range branches {
			list[i] = closeSchema(b.(object), "")
		}
		out[kwAnyOf] = list
	}
	return out
}

// closeUnion makes an anyOf of a schema of several types. An object among them
// is an operand (see the documentation of pkg/tools).
func closeUnion(schema object, types []any) object {
	var branches []any
	for _, t := range types {
		switch t {
		case typeObject:
			branches = append(branches,
				oneName(toolname.ArgKeyName, "another column of the same row"),
				oneName(toolname.ArgLiteral, "a text that looks like a label"),
				oneName(toolname.ArgBlob, "a BLOB in hexadecimal digits"))
		case typeArray:
			branches = append(branches, object{kwType: typeArray, kwItems: closeSchema(schema[kwItems].(object), "")})
		default:
			branches = append(branches, object{kwType: t})
		}
	}
	out := object{kwAnyOf: branches}
	for _, keyword := range []string{kwText, kwDefault} {
		if v, ok := schema[keyword]; ok {
			out[keyword] = v
		}
	}
	return out
}

func oneName(name, description string) object {
	return object{
		kwType: typeObject, kwProperties: object{name: object{kwType: typeString, kwText: description}},
		kwRequired: []any{name}, kwOthers: false,
	}
}

// spelledOut gives an object without names those that it has.
func spelledOut(schema object, name string) object {
	out := object{kwType: typeObject, kwProperties: object{}, kwRequired: []any{}, kwOthers: false}
	if text, ok := schema[kwText]; ok {
		out[kwText] = text
	}
	if name == toolname.ArgFrame {
		bound := object{kwAnyOf: []any{
			object{kwType: typeString, kwEnum: []any{toolname.BoundUnbounded, toolname.BoundCurrent}}, object{kwType: "number"},
		}}
		out[kwProperties] = object{toolname.ArgUnit: object{kwType: typeString, kwEnum: []any{string(tools.FrameRows), string(tools.FrameRange), string(tools.FrameGroups)}}, toolname.ArgStart: bound, toolname.ArgEnd: bound}
		out[kwRequired] = []any{toolname.ArgUnit, toolname.ArgStart, toolname.ArgEnd}
	}
	return out
}

// isRequired reports whether an object's schema asks for the name.
func isRequired(schema object, name string) bool {
	required, _ := schema[kwRequired].([]any)
	return slices.Contains(required, any(name))
}

package spec

import (
	"fmt"
	"slices"
	"strings"
)

// geminiSchema writes a closed schema in the subset of OpenAPI 3.0 that Gemini
// reads (https://ai.google.dev/api/caching#Schema): one type in capitals,
// nullable instead of the type null, enum of texts only, nothing besides an
// anyOf, and no additionalProperties.
func geminiSchema(schema object) object {
	if branches, ok := schema[kwAnyOf].([]any); ok {
		return geminiUnion(schema, branches)
	}
	out := object{kwType: strings.ToUpper(schema[kwType].(string))}
	if text, ok := schema[kwText]; ok {
		out[kwText] = text
	}
	if values, ok := schema[kwEnum].([]any); ok {
		geminiEnum(out, values)
	}
	if items, ok := schema[kwItems].(object); ok {
		out[kwItems] = geminiSchema(items)
	}
	if properties, ok := schema[kwProperties].(object); ok {
		all := object{}
		for name, p := range properties {
			all[name] = geminiSchema(p.(object))
		}
		out[kwProperties] = all
	}
	if required, ok := schema[kwRequired].([]any); ok && len(required) > 0 {
		out[kwRequired] = required
	}
	return out
}

// geminiUnion writes an anyOf. What is said of it as a whole goes to its first
// branch.
func geminiUnion(schema object, branches []any) object {
	var list []any
	for _, b := range branches {
		if branch := b.(object); branch[kwType] != typeNull {
			list = append(list, geminiSchema(branch))
		}
	}
	first := list[0].(object)
	if len(list) < len(branches) {
		first["nullable"] = true
	}
	if text, ok := schema[kwText]; ok {
		first[kwText] = text
	}
	if len(list) == 1 {
		return first
	}
	return object{kwAnyOf: list}
}

// geminiEnum gives a schema the values that it takes, in words where they are
// no texts or one of them is empty.
func geminiEnum(out object, values []any) {
	if out[kwType] == strings.ToUpper(typeString) && !slices.Contains(values, any("")) {
		out[kwEnum] = values
		return
	}
	words := make([]string, len(values))
	for i, v := range values {
		if words[i] = fmt.Sprint(v); words[i] == "" {
			words[i] = "an empty text"
		}
	}
	text, _ := out[kwText].(string)
	out[kwText] = strings.TrimSpace(text + " One of " + strings.Join(words, ", ") + ".")
}

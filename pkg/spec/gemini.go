package spec

import "strings"

// geminiSchema writes a closed schema in the subset of OpenAPI 3.0 that Gemini
// reads (https://ai.google.dev/api/caching#Schema): one type in capitals,
// nullable in the place of the type null, and no additionalProperties.
func geminiSchema(schema object) object {
	out := object{}
	for _, keyword := range []string{kwText, kwEnum, kwRequired} {
		if v, ok := schema[keyword]; ok {
			out[keyword] = v
		}
	}
	if t, ok := schema[kwType].(string); ok {
		out[kwType] = strings.ToUpper(t)
	}
	if required, ok := schema[kwRequired].([]any); ok && len(required) == 0 {
		delete(out, kwRequired)
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
	if branches, ok := schema[kwAnyOf].([]any); ok {
		var list []any
		for _, b := range branches {
			if branch := b.(object); branch[kwType] == typeNull {
				out["nullable"] = true
			} else {
				list = append(list, geminiSchema(branch))
			}
		}
		out[kwAnyOf] = list
	}
	return out
}

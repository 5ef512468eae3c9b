package observation

import "github.com/birdcall/birdcall/pkg/record"

// Schema returns the JSON Schema (2020-12) of what the calls of a variant are
// shown as: of slot and sel, whose calls return tables, of rest, or of query, whose
// results package query writes. It is short, since a list of tools has it with each
// of them.
func Schema(variant string) map[string]any {
	typed := func(name string) map[string]any { return map[string]any{"type": name} }
	failure := map[string]any{
		"type": "object", "required": []string{"message"},
		"properties": map[string]any{
			"message": typed("string"), "tool": typed("string"), "argument": typed("string"), "reason": typed("string"), "hint": typed("string"),
		},
	}
	if variant == record.QUERY {
		return querySchema(failure)
	}
	properties := map[string]any{
		memberRowCount:  map[string]any{"type": "integer", "description": "rows of the whole result"},
		memberShown:     map[string]any{"type": "integer", "description": "rows that are shown, the first ones"},
		memberTruncated: map[string]any{"type": "boolean", "description": "whether rows, columns or parts of texts are left out"},
		memberTextsCut:  typed("boolean"),
		memberError:     failure,
	}
	if variant == record.REST {
		properties[memberData] = map[string]any{"type": "array", "items": typed("object")}
		properties[memberNextOffset] = map[string]any{"type": "integer", "description": "where the rest starts"}
	} else {
		properties[memberLabel] = map[string]any{"type": "string", "description": `"$label$" in an argument is this result`}
		properties[memberGrouped] = map[string]any{"type": "boolean", "description": "whether each row stands for a group of rows"}
		properties[memberColumns] = map[string]any{
			"type": "object", "description": "the type of each column",
			"additionalProperties": map[string]any{"enum": []Type{Integer, Number, String, Blob, Null, Mixed}},
		}
		properties[memberColumnsNotShown] = typed("integer")
		properties[memberRows] = map[string]any{"type": "array", "description": "of several columns", "items": typed("array")}
		properties[memberValues] = map[string]any{"type": "array", "description": "of one column"}
		properties[memberValue] = map[string]any{"description": "of one row and column"}
	}
	return map[string]any{
		"type": "object", "properties": properties, "additionalProperties": false,
		"anyOf": []any{
			map[string]any{"required": []string{memberRowCount, memberShown, memberTruncated}},
			map[string]any{"required": []string{memberError}},
		},
	}
}

// querySchema is the schema of a query's result.
func querySchema(failure map[string]any) map[string]any {
	list := func(text string) map[string]any {
		return map[string]any{"type": "array", "description": text, "items": map[string]any{"type": "object"}}
	}
	return map[string]any{
		"type": "object", "additionalProperties": false,
		"properties": map[string]any{
			"objects":       list("objects with their properties"),
			"values":        list("what each aggregation computed"),
			"groups":        list("the properties that the objects of a group agree in, and its objects or values"),
			"count":         map[string]any{"type": "integer", "description": "how many objects or groups there are in all"},
			memberTruncated: map[string]any{"type": "boolean", "description": "whether objects, groups or parts of texts are left out"},
			memberError:     failure,
		},
		"anyOf": []any{
			map[string]any{"required": []string{"objects", "count", memberTruncated}},
			map[string]any{"required": []string{"values", memberTruncated}},
			map[string]any{"required": []string{"groups", "count", memberTruncated}},
			map[string]any{"required": []string{memberError}},
		},
	}
}

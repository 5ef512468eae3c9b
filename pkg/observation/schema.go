package observation

// Schema returns the JSON Schema (2020-12) of what the calls of a variant are
// shown as: of slot and sel, whose calls return tables, or of rest. It is short,
// since a list of tools has it with each of them.
func Schema(variant string) map[string]any {
	typed := func(name string) map[string]any { return map[string]any{"type": name} }
	properties := map[string]any{
		memberRowCount:  map[string]any{"type": "integer", "description": "rows of the whole result"},
		memberShown:     map[string]any{"type": "integer", "description": "rows that are shown, the first ones"},
		memberTruncated: map[string]any{"type": "boolean", "description": "whether rows, columns or parts of texts are left out"},
		memberTextsCut:  typed("boolean"),
		memberError: map[string]any{
			"type": "object", "required": []string{"message"},
			"properties": map[string]any{
				"message": typed("string"), "tool": typed("string"), "argument": typed("string"), "reason": typed("string"), "hint": typed("string"),
			},
		},
	}
	if variant == "rest" {
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

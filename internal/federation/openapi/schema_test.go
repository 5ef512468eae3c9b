package openapi

import (
	"strings"
	"testing"
)

// TestColumns lists schemas of a column with the column that they make.
func TestColumns(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`{"type": "integer", "format": "int64"}`, "c INTEGER [integer]"},
		{`{"type": "number", "format": "float"}`, "c REAL [real]"},
		{`{"type": ["integer", "number"]}`, "c NUMERIC [integer real]"},
		{`{"type": ["boolean", "integer"]}`, "c INTEGER [integer]"},
		{`{"type": "string", "format": "date"}`, "c TEXT [text]"},
		{`{"type": "boolean"}`, "c BOOLEAN [integer]"},
		{`{"type": "object"}`, "c TEXT [text]"},
		{`{"type": ["string", "array"]}`, "c TEXT [text]"},
		{`{"properties": {"x": {}}}`, "c TEXT [text]"},
		{`{"items": {}}`, "c TEXT [text]"},
		{`{"type": ["string", "number"]}`, "c [integer real text]"},
		{`{"type": "null"}`, "c []"},
		{`{}`, "c []"},
		{`true`, "c []"},
		{`{"enum": ["a", "b", null]}`, "c TEXT [text] one of [a b]"},
		{`{"enum": [1, 2.5]}`, "c NUMERIC [integer real] one of [1 2.5]"},
		{`{"type": "number", "enum": [1, 2.5]}`, "c REAL [real] one of [1.0 2.5]"},
		{`{"type": "integer", "enum": [9007199254740993]}`, "c INTEGER [integer]"},
		{`{"const": "a"}`, "c TEXT [text] one of [a]"},
		{`{"type": "string", "description": "What it is."}`, "c TEXT [text] -- What it is."},
		{`{"anyOf": [{"type": "integer"}, {"type": "null"}]}`, "c INTEGER [integer]"},
		{`{"oneOf": [{"type": "null"}, {"type": "string"}]}`, "c TEXT [text]"},
		{`{"oneOf": [{"type": "integer"}, {"type": "string"}]}`, "c [integer text]"},
		{`{"oneOf": [{"type": "integer"}, {}]}`, "c []"},
		{`{"allOf": [{"type": "number"}, {"type": "integer"}]}`, "c INTEGER [integer]"},
		{`{"allOf": [{"$ref": "#/components/schemas/Text"}], "description": "Mine."}`, "c TEXT [text] -- Mine."},
		{`{"$ref": "#/components/schemas/Text"}`, "c TEXT [text] -- A text."},
		{`{"$ref": "#/components/schemas/Text", "x-sql-type": "VARCHAR(20)"}`, "c VARCHAR(20) [text] -- A text."},
		{`{"$ref": "#/components/schemas/Loop"}`, "c TEXT [text]"},
		{`{"type": "integer", "x-sql-type": "INTEGER", "x-sql-collation": "NOCASE"}`, "c INTEGER COLLATE NOCASE [integer]"},
		{`{"type": "number", "x-sql-type": "REAL"}`, "c REAL [integer real]"},
		{`{"type": "string", "x-sql-type": ""}`, "c [text]"},
		{`{"type": "string", "x-sql-type": "TEXT); DROP", "x-sql-collation": "GERMAN"}`, "c TEXT [text]"},
		{`{"type": "string", "x-sql-type": "INT PRIMARY KEY"}`, "c INTEGER [text]"},
		{`{"anyOf": [{"type": ["number", "string", "null"]}, {"type": "object"}], "x-sql-type": "BLOB"}`, "c BLOB [integer real text blob]"},
	} {
		document := strings.Replace(oneColumn(c.schema, `"schema": {}`), `"paths"`, `"components": {"schemas": {
			"Text": {"type": "string", "description": "A text."},
			"Loop": {"allOf": [{"$ref": "#/components/schemas/Loop"}, {"anyOf": [{"$ref": "#/components/schemas/Loop"}, {"$ref": "#/components/schemas/Text"}]}], "type": "string"}}}, "paths"`, 1)
		if strings.Contains(c.schema, "Loop") {
			c.want += " -- A text."
		}
		table := loadDocument(t, document, "http://127.0.0.1:1", "{list: rows}")
		got := describeColumn(table.Columns[1])
		if strings.Contains(got, " one of ") {
			head, _, _ := strings.Cut(got, " one of ")
			texts := make([]string, len(table.Columns[1].Enum))
			for i, v := range table.Columns[1].Enum {
				texts[i] = strings.Trim(strings.TrimPrefix(show(v), "real "), `"`)
				if strings.HasPrefix(show(v), "real ") && !strings.Contains(texts[i], ".") {
					texts[i] += ".0"
				}
			}
			got = head + " one of [" + strings.Join(texts, " ") + "]"
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.schema, got, c.want)
		}
	}
}

// TestNotNull says which columns cannot be NULL: what is required, and cannot be null
// by any part of its schema.
func TestNotNull(t *testing.T) {
	for _, c := range []struct {
		row  string
		want bool
	}{
		{`{"properties": {"c": {"type": "string"}}, "required": ["c"]}`, true},
		{`{"properties": {"c": {"type": "string"}}}`, false},
		{`{"properties": {"c": {"type": ["string", "null"]}}, "required": ["c"]}`, false},
		{`{"properties": {"c": {"type": "string", "nullable": true}}, "required": ["c"]}`, false},
		{`{"properties": {"c": {}}, "required": ["c"]}`, false},
		{`{"allOf": [{"properties": {"c": {"type": "string"}}}, {"required": ["c"]}]}`, true},
		{`{"oneOf": [{"properties": {"c": {"type": "string"}}, "required": ["c"]}, {"properties": {"d": {}}}]}`, false},
		{`{"oneOf": [{"properties": {"c": {"type": "string"}}, "required": ["c"]}, {"properties": {"c": {"type": "integer"}}, "required": ["c"]}]}`, true},
		{`{"allOf": [{"properties": {"c": {"type": "string"}}}, {"properties": {"c": {"nullable": true}}, "required": ["c"]}]}`, false},
	} {
		document := strings.Replace(oneColumn("{}", `"schema": {}`), `{"type": "object",
			"properties": {"id": {"type": "integer"}, "c": {}}}`, c.row, 1)
		table := loadDocument(t, document, "http://127.0.0.1:1", "{list: rows, only: [c]}")
		if got := table.Columns[0].NotNull; got != c.want {
			t.Errorf("%s: %t, want %t", c.row, got, c.want)
		}
	}
}

package openapi

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestBounds lists declarations and documents that are too large or too deep, with
// what is said of them.
func TestBounds(t *testing.T) {
	nested := func(open, end string, levels int) string {
		return strings.Repeat(open, levels) + strings.Repeat(end, levels)
	}
	const document = `{"openapi": "3.1.0", "info": {"title": "", "version": ""}, "x-a": `
	const declaration = "apis: {a: {openapi: openapi.json, server: 'http://127.0.0.1:1'}}\n"
	for _, c := range []struct{ name, declaration, document, want string }{
		{"brackets", strings.Repeat("[", 100_000), "", "apis.yaml:1:65: the file is nested more than 64 levels deep"},
		{"braces", "apis: " + strings.Repeat("{a: ", 100_000), "", "apis.yaml:1:263: the file is nested more than 64 levels deep"},
		{"marks of lists", strings.Repeat("- ", 100_000), "", "apis.yaml:1:129: the file is nested more than 64 levels deep"},
		{"marks of keys", strings.Repeat("? ", 100_000), "", "apis.yaml:1:129: the file is nested more than 64 levels deep"},
		{"anchors", strings.Repeat("&a ", 100_000), "", "apis.yaml:1:193: the file is nested more than 64 levels deep"},
		{"a large file", strings.Repeat("# a\n", 300_000), "", "apis.yaml: the file has more than 1048576 bytes"},
		{"many keys", "tables:\n" + strings.Repeat("  a: x\n", 2), "", "apis.yaml:3:3: the key \"a\" stands here again"},
		{"aliases", "tables:\n  first: {only: &c [" + strings.Repeat("a, ", 5_000) + "a]}\n" + manyKeys(300, "{only: *c}"), "", "values, those of aliases counted for each use"},
		{"too many keys", "tables:\n" + manyKeys(10_001, "{}"), "", "apis.yaml:2:3: this has more than 10000 keys"},
		{"a document of brackets", declaration, strings.Repeat("[", 100_000), "apis.yaml:1:21: api a: the document openapi.json: it is nested more than 256 levels deep"},
		{"a document of nested lists", declaration, document + nested("[", "]", 300) + "}", "apis.yaml:1:21: api a: the document openapi.json: it is nested more than 256 levels deep"},
		{"a document of nested lists, as YAML", declaration, "openapi: 3.1.0\nx-a: " + nested("[", "]", 300), "apis.yaml:1:21: api a: the document openapi.json: it is nested more than 256 levels deep"},
		{"a document of deep marks", declaration, strings.Repeat("- ", 100_000), "apis.yaml:1:21: api a: the document openapi.json: "},
		{"a document with all that is allowed", declaration, document + nested("[", "]", 250) + "}", ""},
		{"a large document", "apis: {a: {openapi: openapi.json, server: 'http://127.0.0.1:1', max_body: 1000}}\n", document + `"` + strings.Repeat("a", 1000) + `"}`, "apis.yaml:1:21: api a: the document openapi.json: the file has more than 1000 bytes"},
	} {
		folder := t.TempDir()
		write(t, filepath.Join(folder, "apis.yaml"), c.declaration)
		write(t, filepath.Join(folder, "openapi.json"), c.document)
		d, err := Load(t.Context(), filepath.Join(folder, "apis.yaml"), environment)
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %.300v, want %q", c.name, err, c.want)
		case err == nil:
			d.Close()
		}
	}
}

// manyKeys returns a mapping of so many names.
func manyKeys(n int, form string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("  t" + strconv.Itoa(i) + ": " + form + "\n")
	}
	return b.String()
}

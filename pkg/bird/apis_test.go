package bird_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/api"
	"github.com/birdcall/birdcall/pkg/bird"
)

const lengthDocument = `{"openapi": "3.0.3", "info": {"title": "Texts", "version": "1"}, "paths": {"/length": {"get": {"operationId": "length",
"parameters": [{"name": "text", "in": "query", "required": true, "schema": {"type": "string"}}],
"responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"type": "object", "properties": {"length": {"type": "integer"}}}}}}}}}}}`

// TestAttach lists declarations with the functions that databases get, or with the
// error.
func TestAttach(t *testing.T) {
	const head = "apis: {texts: {openapi: texts.json, server: http://127.0.0.1:1}}\n"
	for _, c := range []struct {
		about, declaration string
		some               bool
		want, wrong        string
	}{
		{"for all", "functions: {text_length: {operation: length}}", false, "birds 1, books 1", ""},
		{"for one", "databases: {birds: {functions: {text_length: {operation: length}}}}", false, "birds 1, books 0", ""},
		{"for another", "databases: {bird: {functions: {text_length: {operation: length}}}}", false, "", "databases: the dataset has no bird; "},
		{"for another, of a part", "databases: {bird: {functions: {text_length: {operation: length}}}}", true, "birds 0, books 0", ""},
		{"SQLite's own", "functions: {Length: {operation: length}}", false, "", "Length is a function of SQLite"},
		{"an aggregate", "functions: {sum: {operation: length}}", false, "", "sum is a function of SQLite"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"texts.json": lengthDocument, "apis.yaml": head + c.declaration} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		declared, err := api.Load(t.Context(), filepath.Join(dir, "apis.yaml"), os.LookupEnv)
		if err != nil {
			t.Fatal(err)
		}
		d := &bird.Dataset{Databases: []*bird.Database{{ID: "birds"}, {ID: "books"}}}
		err = d.Attach(declared, c.some)
		var got []string
		for _, db := range d.Databases {
			n := 0
			if db.APIs != nil {
				_, functions := db.APIs.Names()
				n = len(functions)
			}
			got = append(got, fmt.Sprint(db.ID, " ", n))
		}
		switch {
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s: %v, want %q", c.about, err, c.wrong)
		case c.wrong == "" && (err != nil || strings.Join(got, ", ") != c.want):
			t.Errorf("%s: %v, %v, want %s", c.about, got, err, c.want)
		}
		declared.Close()
	}
}

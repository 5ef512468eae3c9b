package rest_test

import (
	"bytes"
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

const specs = "../../specs"

// openSample returns the sample with its endpoints.
func openSample(t testing.TB) (*bird.Dataset, *rest.API) {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	api, err := rest.Open(context.Background(), dataset, rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := api.Close(); err != nil {
			t.Error(err)
		}
	})
	return dataset, api
}

// The documents in specs are those of the sample as it is now.
func TestSpecsAreCurrent(t *testing.T) {
	_, api := openSample(t)
	files := map[string][]string{"openapi.json": nil}
	for _, d := range api.Databases {
		files[d.ID+".json"] = []string{d.ID}
	}
	for name, ids := range files {
		got, err := api.Document(context.Background(), rest.DocumentOptions{MaxRows: rest.DefaultMaxRows, Indent: "  "}, ids...)
		if err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, filepath.Join(specs, name), string(got))
	}
}

// document returns the sample's document and a compiler that knows it.
func document(t *testing.T, api *rest.API) (any, *jsonschema.Compiler) {
	t.Helper()
	text, err := api.Document(context.Background(), rest.DocumentOptions{MaxRows: rest.DefaultMaxRows, APIKey: "X-Api-Key"})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("http://test/openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return doc, c
}

// The document is valid by the OpenAPI Initiative's schema, and its Schema
// Objects, on which that one is silent, by JSON Schema's own.
func TestDocumentIsOpenAPI(t *testing.T) {
	_, api := openSample(t)
	doc, c := document(t, api)
	file, err := os.Open("testdata/openapi-3.1-schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	official, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	const id = "http://test/official"
	if err := c.AddResource(id, official); err != nil {
		t.Fatal(err)
	}
	if err := validate(c, id, doc); err != nil {
		t.Error(err)
	}
	n := 0
	schemas(doc, func(at string, schema any) {
		n++
		if err := validate(c, "https://json-schema.org/draft/2020-12/schema", schema); err != nil {
			t.Errorf("%s: %v", at, err)
		}
	})
	if n < 500 {
		t.Errorf("only %d Schema Objects were found", n)
	}
	text, err := api.Document(context.Background(), rest.DocumentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := loaded.Validate(context.Background()); err != nil {
		t.Error(err)
	}
}

// schemas calls f for every Schema Object in a part of a document.
func schemas(part any, f func(at string, schema any)) {
	switch part := part.(type) {
	case map[string]any:
		for key, child := range part {
			if key == "schema" {
				f(key, child)
				continue
			}
			if named, ok := child.(map[string]any); ok && key == "schemas" {
				for name, schema := range named {
					f(name, schema)
				}
				continue
			}
			schemas(child, f)
		}
	case []any:
		for _, child := range part {
			schemas(child, f)
		}
	}
}

// Every answer is as the document says, and so are the example values.
func TestAnswersAreAsDocumented(t *testing.T) {
	dataset, api := openSample(t)
	doc, c := document(t, api)
	handler := rest.NewService(api, rest.ServiceOptions{}).Handler()
	for i := range dataset.Questions {
		call, err := api.Call(&dataset.Questions[i])
		if err != nil {
			t.Error(err)
			continue
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", call.URL(), nil))
		body, err := jsonschema.UnmarshalJSON(w.Body)
		if w.Code != 200 || err != nil {
			t.Errorf("%s: %d %v", call.URL(), w.Code, err)
			continue
		}
		at := "http://test/openapi.json#/paths/" + strings.ReplaceAll(call.Endpoint.Path, "/", "~1") + "/get/"
		if err := validate(c, at+"responses/200/content/application~1json/schema", body); err != nil {
			t.Errorf("%s: %v", call.URL(), err)
		}
		operation := doc.(map[string]any)["paths"].(map[string]any)[call.Endpoint.Path].(map[string]any)["get"].(map[string]any)
		for n, p := range list(operation["parameters"]) {
			p := p.(map[string]any)
			if example, ok := p["example"]; ok {
				if err := validate(c, at+"parameters/"+strconv.Itoa(n)+"/schema", example); err != nil {
					t.Errorf("%s %s: %v", call.Endpoint.Name, p["name"], err)
				}
			}
		}
	}
}

func list(v any) []any {
	out, _ := v.([]any)
	return out
}

func validate(c *jsonschema.Compiler, at string, v any) error {
	schema, err := c.Compile(at)
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

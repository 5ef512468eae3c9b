package rest_test

import (
	"bytes"
	"context"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

// TestTablesDocument validates the document of the sample with its tables, and holds
// their answers against it.
func TestTablesDocument(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	api, err := rest.Open(context.Background(), dataset, rest.Options{Tables: true})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	doc, c := document(t, api)
	text, err := os.ReadFile("testdata/openapi-3.1-schema.json")
	if err != nil {
		t.Fatal(err)
	}
	official, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("http://test/official", official); err != nil {
		t.Fatal(err)
	}
	if err := validate(c, "http://test/official", doc); err != nil {
		t.Error(err)
	}
	whole, err := api.Document(context.Background(), rest.DocumentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := openapi3.NewLoader().LoadFromData(whole)
	if err != nil {
		t.Fatal(err)
	}
	if err := loaded.Validate(context.Background()); err != nil {
		t.Error(err)
	}
	names, tables := map[string]string{}, 0
	handler := rest.NewService(api, rest.ServiceOptions{}).Handler()
	for path, item := range loaded.Paths.Map() {
		name := item.Get.OperationID
		if other := names[name]; other != "" || len(name) > 64 || name == "" {
			t.Errorf("%s and %s have the name %q", path, other, name)
		}
		names[name] = path
		if !strings.HasPrefix(path, "/v1/tables/") {
			continue
		}
		tables++
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		body, err := jsonschema.UnmarshalJSON(w.Body)
		if w.Code != 200 || err != nil {
			t.Errorf("%s: %d %v", path, w.Code, err)
			continue
		}
		at := "http://test/openapi.json#/paths/" + strings.NewReplacer("/", "~1", "%", "%25").Replace(path) + "/get/"
		if err := validate(c, at+"responses/200/content/application~1json/schema", body); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if tables < 10 {
		t.Errorf("only %d lists and tables", tables)
	}
	branch := loaded.Paths.Find("/v1/tables/city_library/branch").Get
	code := branch.Parameters.GetByInAndName("query", "code")
	if branch.OperationID != "rows_of_branch" || !code.Schema.Value.Items.Value.Type.Is("string") || *code.Schema.Value.MaxItems != 1000 {
		t.Errorf("%s takes %v", branch.OperationID, code)
	}
}

package rest_test

import (
	"context"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var toolName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,63}$`)

// TestToolsAreAsDocumented says that a tool's arguments are the parameters of
// the document, but for paging, examples and limits on lengths.
func TestToolsAreAsDocumented(t *testing.T) {
	_, api := openSample(t)
	doc, _ := document(t, api)
	for _, d := range api.Databases {
		tools, err := d.Tools(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if len(tools) != len(d.Endpoints) {
			t.Errorf("%s: %d tools for %d endpoints", d.ID, len(tools), len(d.Endpoints))
		}
		for _, tool := range tools {
			if !toolName.MatchString(tool.Name) {
				t.Errorf("%q is no name", tool.Name)
			}
			operation := object(object(object(object(doc)["paths"])[tool.Path])["get"])
			if operation["operationId"] != tool.Name {
				t.Errorf("%s: the document has %v", tool.Name, operation["operationId"])
			}
			properties := object(tool.Parameters["properties"])
			paging := 0
			for _, p := range list(operation["parameters"]) {
				parameter := object(p)
				name := parameter["name"].(string)
				if properties[name] == nil {
					if paging++; name != "limit" && name != "offset" {
						t.Errorf("%s: %s is missing", tool.Name, name)
					}
					continue
				}
				want := object(parameter["schema"])
				delete(want, "maxLength")
				delete(object(want["items"]), "maxLength")
				if name == "limit" {
					delete(want, "maximum") // the service's own
				}
				if text := parameter["description"]; text != nil {
					want["description"] = text
				}
				if diff := cmp.Diff(want, properties[name]); diff != "" {
					t.Errorf("%s, %s (-document +tool):\n%s", tool.Name, name, diff)
				}
				if required := slices.Contains(tool.Parameters["required"].([]string), name); required != (parameter["required"] == true) {
					t.Errorf("%s: %s is required: %v", tool.Name, name, required)
				}
			}
			if len(properties)+paging != len(list(operation["parameters"])) {
				t.Errorf("%s has arguments that are no parameters", tool.Name)
			}
		}
	}
}

func object(v any) map[string]any {
	out, _ := v.(map[string]any)
	return out
}

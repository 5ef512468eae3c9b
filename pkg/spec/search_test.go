package spec_test

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/spec"
)

// TestSearched holds the list and the results of searches in each format against a
// file.
func TestSearched(t *testing.T) {
	list := []spec.Tool{
		{Name: "birds_by_site", Description: "Birds seen at a site.", Parameters: tool{
			"type": "object", "properties": tool{"site": tool{"type": "string"}}, "required": []any{"site"}, "additionalProperties": false,
		}},
		{Name: "site_count", Description: "How many sites there are.", Parameters: tool{"type": "object", "properties": tool{}}},
	}
	var b strings.Builder
	for _, name := range spec.Formats() {
		f := spec.Format(name)
		write := func(about string, v any, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			text, err := jsontext.Marshal(v, "  ")
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString("== " + name + ": " + about + "\n" + string(text) + "\n")
		}
		searched, err := f.Searched(list)
		write("the list", searched, err)
		found, err := f.Found(list[1:], len(list))
		write("a tool is found", found, err)
		found, err = f.Found(nil, len(list))
		write("none is found", found, err)
	}
	golden.Equal(t, "testdata/searched.txt", b.String())
}

package observation_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/birdcall/birdcall/pkg/observation"
)

// schemaOf returns the schema of the observations of a variant.
func schemaOf(t testing.TB, variant string) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(observation.Schema(variant))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("observation.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("observation.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// fits returns what of a text is not as the schema says.
func fits(s *jsonschema.Schema, text string) error {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// TestSchema says that the schemas distinguish observations from what is none, and are
// short: a list of tools has one with each tool.
func TestSchema(t *testing.T) {
	for _, c := range []struct {
		variant, text string
		want          bool
	}{
		{"slot", `{"label":"L","row_count":1,"shown":1,"truncated":false,"columns":{"a":"integer"},"value":1}`, true},
		{"sel", `{"label":"L","row_count":1,"shown":1,"truncated":false,"columns":{"a":"integer"},"value":{"blob":"00"}}`, true},
		{"slot", `{"label":"L","row_count":1,"shown":1,"truncated":false,"columns":{"a":"int"},"value":1}`, false},
		{"slot", `{"label":"L","row_count":1,"shown":1,"columns":{"a":"integer"},"value":1}`, false},
		{"slot", `{"row_count":0,"shown":0,"truncated":false,"data":[]}`, false},
		{"rest", `{"row_count":0,"shown":0,"truncated":false,"data":[]}`, true},
		{"rest", `{"row_count":1,"shown":1,"truncated":false,"data":[1]}`, false},
		{"rest", `{"error":{"message":"no"}}`, true},
		{"slot", `{"error":{"message":"no","hint":"yes"}}`, true},
		{"slot", `{"error":{"hint":"yes"}}`, false},
		{"slot", `{"error":"no"}`, false},
		{"slot", `{}`, false},
		{"slot", `[]`, false},
	} {
		if err := fits(schemaOf(t, c.variant), c.text); (err == nil) != c.want {
			t.Errorf("%s: %s: %v", c.variant, c.text, err)
		}
	}
	for _, variant := range []string{"slot", "sel", "rest"} {
		if text, err := json.Marshal(observation.Schema(variant)); err != nil || len(text) > 1500 {
			t.Errorf("%s: %v, the schema has %d bytes", variant, err, len(text))
		}
	}
}

package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/internal/testkit/golden"
)

// TestDefinitions compares the tools and operations with the golden file,
// which shows them all.
func TestDefinitions(t *testing.T) {
	var got strings.Builder
	for _, d := range append(Definitions(), Operations()...) {
		fmt.Fprintf(&got, "%s%s: %s\n", d.Name, marks(d.Paper, false), d.Description)
		for _, p := range d.Parameters {
			fmt.Fprintf(&got, "  %s %s%s: %s\n", p.Name, p.Kind, marks(p.Paper, p.Required), p.Description)
			for _, c := range p.Choices {
				fmt.Fprintf(&got, "    %s%s: %s\n", c.Name, marks(c.Paper, false), c.Description)
			}
		}
	}
	golden.Equal(t, "testdata/definitions.txt", got.String())
}

func marks(paper, required bool) string {
	out := ""
	if required {
		out += ", required"
	}
	if paper {
		out += ", paper"
	}
	return out
}

// TestPaperSubset lists what the paper's own tools take.
func TestPaperSubset(t *testing.T) {
	got := map[string][]string{}
	for _, d := range Definitions() {
		for _, p := range d.Parameters {
			if d.Paper && p.Paper {
				got[d.Name] = append(got[d.Name], p.Name)
				for _, c := range p.Choices {
					if c.Paper {
						got[p.Name] = append(got[p.Name], c.Name)
					}
				}
			}
		}
	}
	want := map[string][]string{
		"filter_data":          {"data_source", "key_name", "value", "condition"},
		"sort_data":            {"data_source", "key_name", "ascending"},
		"aggregate_data":       {"data_source", "key_name", "aggregation_type", "distinct", "limit"},
		"group_data_by":        {"data_source", "key_name"},
		"retrieve_data":        {"data_source", "key_name", "distinct", "limit"},
		"select_unique_values": {"unique_array"},
		"transform_data":       {"data_source", "key_name", "operation_type", "operation_args"},
		"condition":            {"equal_to", "not_equal_to", "greater_than", "less_than", "greater_than_equal_to", "less_than_equal_to", "contains", "like"},
		"aggregation_type":     {"min", "max", "sum", "mean", "count", "std", "argmin", "argmax"},
		"operation_type":       {"substring", "strftime", "abs", "datetime"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestSchema checks that the JSON Schema of a tool accepts the arguments that
// the tool accepts, and neither unknown keys nor unknown arguments.
func TestSchema(t *testing.T) {
	keys := []string{"a", "b"}
	schemas := map[string]*jsonschema.Schema{}
	for _, d := range Definitions() {
		text, err := json.Marshal(d.Schema(keys))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(d.Name, doc); err != nil {
			t.Fatal(err)
		}
		if schemas[d.Name], err = c.Compile(d.Name); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(Definitions()).Draw(t, "tool")
		var args Arguments
		for _, p := range d.Parameters {
			if p.Required || rapid.Bool().Draw(t, "given") {
				args = append(args, Argument{Name: p.Name, Value: anyArgument(t, p, keys, []string{"l"})})
			}
		}
		if err := schemas[d.Name].Validate(plainJSON(t, args)); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		if schemas[d.Name].Validate(plainJSON(t, args.Set("other", 1))) == nil {
			t.Fatal("an unknown argument is accepted")
		}
	})
	wrong := map[string]any{"data_source": "$l$", "key_name": "c", "condition": "is_null"}
	if schemas["filter_data"].Validate(wrong) == nil {
		t.Error("an unknown key is accepted")
	}
}

func plainJSON(t *rapid.T, args Arguments) any {
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

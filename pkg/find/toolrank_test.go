package find_test

import (
	"slices"
	"testing"

	"github.com/birdcall/birdcall/pkg/find"
	"github.com/birdcall/birdcall/pkg/spec"
)

// TestToolRank lists texts with the order of the tools that share a word with them. Words
// of a name and of a description's first sentence count more than those of the rest, the
// values of an argument do not count, and words of tools stand for those of questions.
func TestToolRank(t *testing.T) {
	tool := func(name, description string, arguments ...string) spec.Tool {
		properties := map[string]any{}
		for _, a := range arguments {
			properties[a] = map[string]any{"type": "string", "description": "The " + a + " to look for.", "enum": []any{"heron"}}
		}
		return spec.Tool{Name: name, Description: description, Parameters: map[string]any{"type": "object", "properties": properties}}
	}
	x := find.NewToolIndex(find.ToolsOf("birds", []spec.Tool{
		0: tool("heron_sites", "Places to see them."),
		1: tool("wetland_places", "The sites of the heron. Many are near water."),
		2: tool("river_names", "Rivers of a county. Some have a heron.", "county"),
		3: tool("highest_nest", "The nest that is above all others."),
		4: tool("average_weight", "The mean of the weights of birds."),
		5: tool("nest_count", "How many nests there are.", "owner"),
		6: tool("same_thing", "Eggs by colour."),
		7: tool("same_thing", "Eggs by colour."),
	}))
	for _, c := range []struct {
		text string
		want []int
	}{
		{"which county", []int{2}},
		{"owner", []int{5}},
		{"biggest nest", []int{3, 5}},
		{"", []int{}},
		{"zebra", []int{}},
	} {
		got := x.Rank(c.text, 10)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
	for text, first := range map[string]int{"sites of the heron": 1, "number of nests": 5, "mean weight": 4} {
		if got := x.Rank(text, 1); !slices.Equal(got, []int{first}) {
			t.Errorf("%q: %v first, want %d", text, got, first)
		}
	}
	for _, text := range []string{"heron", "HERONS"} {
		if got := x.Rank(text, 10); len(got) != 3 || got[2] != 2 {
			t.Errorf("%q: %v, want 2 as the last of three", text, got)
		}
	}
	if got := x.Rank("eggs", 10); !slices.Equal(got, []int{6, 7}) {
		t.Errorf("equal tools are not in their order: %v", got)
	}
	for _, n := range []int{-1, 0, 1, 2} {
		if got := x.Rank("heron", n); len(got) != max(0, n) {
			t.Errorf("%d hits, want %d", len(got), n)
		}
	}
}

package find_test

import (
	"errors"
	"slices"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/find"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/spec"
)

func embeddedSample(t testing.TB) *bird.Dataset {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	return dataset
}

// TestEndpoints says that an endpoint of the sample has its tool, with the columns that
// its parameters are compared with.
func TestEndpoints(t *testing.T) {
	api, err := rest.Open(t.Context(), embeddedSample(t), rest.Options{Immutable: true})
	if err != nil {
		t.Fatal(err)
	}
	list, err := find.Endpoints(t.Context(), api)
	if err = errors.Join(err, api.Close()); err != nil {
		t.Fatal(err)
	}
	endpoints := 0
	for _, d := range api.Databases {
		endpoints += len(d.Endpoints)
	}
	at := slices.IndexFunc(list, func(t find.Tool) bool {
		return t.DB == "city_library" && t.Name == "branch_names_by_branch_code"
	})
	if len(list) != endpoints || at < 0 {
		t.Fatalf("%d tools of %d endpoints, place %d", len(list), endpoints, at)
	}
	if got := list[at].Columns["branch_code"]; got != (find.Column{Table: "branch", Name: "code"}) || list[at].Description == "" {
		t.Errorf("%+v", list[at])
	}
}

// TestFunctions says that the functions of SEL are those on all tables.
func TestFunctions(t *testing.T) {
	list, err := find.Functions(t.Context(), embeddedSample(t).Database("city_library"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"select_data_equal_to", "get_branch_names", "get_book_titles"} {
		if !slices.ContainsFunc(list, func(t find.Tool) bool { return t.Name == name && t.DB == "city_library" }) {
			t.Errorf("there is no %s among %d", name, len(list))
		}
	}
}

// TestToolIndex ranks tools whose words are in different places.
func TestToolIndex(t *testing.T) {
	x := find.NewToolIndex(find.ToolsOf("birds", []spec.Tool{
		{Name: "sites_by_county", Description: "The names of the sites in the given county."},
		{Name: "species_by_code", Description: "The species with the given code."},
		{Name: "sighting_count", Description: "How many sightings there are of a species.", Parameters: map[string]any{
			"type": "object", "properties": map[string]any{"observer": map[string]any{"type": "string", "description": "Who saw it."}},
		}},
	}))
	for _, c := range []struct {
		text string
		n    int
		want int // the first
		hits int
	}{
		{"county of a site", 10, 0, 1},
		{"species", 10, 1, 2},
		{"species", 1, 1, 1},
		{"number of sightings by observer", 10, 2, 1},
		{"zebra", 10, -1, 0},
		{"", 10, -1, 0},
		{"species", 0, -1, 0},
	} {
		got := x.Rank(c.text, c.n)
		if len(got) < c.hits || c.n < len(got) || c.hits == 0 && len(got) > 0 || c.want >= 0 && (len(got) == 0 || got[0] != c.want) {
			t.Errorf("%q, %d: %v, want %d first", c.text, c.n, got, c.want)
		}
	}
}

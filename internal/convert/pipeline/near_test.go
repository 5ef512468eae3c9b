package pipeline

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
)

// TestNearLists lists statements and what a list of each has and has not besides
// the gold tools: none that gives the same answer on these rows.
func TestNearLists(t *testing.T) {
	const schema = `CREATE TABLE bird(name TEXT, wings INTEGER); INSERT INTO bird VALUES ('Robin', 2), ('Wren', 2), ('Penguin', 1)`
	for _, c := range []struct {
		variant, sql, has, hasNot string
	}{
		{record.SEL, "SELECT name FROM bird WHERE wings = 2", "get_bird_names get_bird_wings_list select_data_equal_to select_data_less_than", "retrieve_data select_data_greater_than_equal_to"},
		{record.SEL, "SELECT name FROM bird WHERE wings > 1", "select_data_greater_than select_data_less_than_equal_to select_data_greater_than_equal_to", "retrieve_data"},
		{record.SEL, "SELECT max(wings) FROM bird", "compute_data_max compute_data_min", ""},
		{record.SLOT, "SELECT name FROM bird WHERE wings = 2", "filter_data retrieve_data sort_data", ""},
		{record.QUERY, "SELECT name FROM bird WHERE wings = 2", "query_database", ""},
	} {
		dataset := plain(t, schema, c.sql)
		opts := Options{Dataset: dataset, Variant: c.variant, Out: t.TempDir(), Toolset: slot.Full, Timeout: 1e10, Jobs: 1, Writing: Writing{By: spec.Near}}
		opts.Queries = Queries{Toolset: "full", Shape: "unified"}
		report, err := Run(t.Context(), opts)
		if err != nil || report.By != spec.Near {
			t.Fatal(report, err)
		}
		var records []struct {
			Tools []struct{ Name string }
		}
		if err := json.Unmarshal([]byte(files(t, opts.Out)[c.variant+"/"+dataset.Databases[0].ID+".json"]), &records); err != nil || len(records) != 1 {
			t.Fatal(records, err)
		}
		var got []string
		for _, tool := range records[0].Tools {
			got = append(got, tool.Name)
		}
		for _, name := range strings.Fields(c.has) {
			if !slices.Contains(got, name) {
				t.Errorf("%s, %s: %v has no %s", c.variant, c.sql, got, name)
			}
		}
		for _, name := range strings.Fields(c.hasNot) {
			if slices.Contains(got, name) {
				t.Errorf("%s, %s: %s is listed", c.variant, c.sql, name)
			}
		}
	}
}

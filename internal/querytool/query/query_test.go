package query_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// shop is collections with each type of property, and awkward names.
var shop = []query.Collection{
	{Name: "order", Properties: []query.Property{
		{Name: "id", Type: query.Number, Required: true}, {Name: "note", Type: query.Text},
		{Name: "total price", Type: query.Number}, {Name: "paid", Type: query.Boolean}, {Name: "placed", Type: query.Date},
	}},
	{Name: "Kunden & Städte", Properties: []query.Property{{Name: "Ort", Type: query.Text}}},
}

func arguments(t *testing.T, text string) tools.Arguments {
	t.Helper()
	var args tools.Arguments
	if err := json.Unmarshal([]byte(text), &args); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return args
}

// valid lists arguments of each toolset that are written again as they are read.
var valid = map[query.Toolset][]string{
	query.Paper: {
		`{"collection_name":"order"}`,
		`{"collection_name":"order","search_query":"late \"AND\" NEAR(gift*)"}`,
		`{"collection_name":"order","integer_property_filter":{"property_name":"total price","operator":"<","value":20}}`,
		`{"collection_name":"order","integer_property_filter":{"property_name":"total price","operator":">=","value":2.50},"text_property_filter":{"property_name":"placed","operator":"LIKE","value":"2010%"},"boolean_property_filter":{"property_name":"paid","operator":"!=","value":true}}`,
		`{"collection_name":"order","integer_property_aggregation":{"property_name":"total price","metrics":"MEDIAN"},"text_property_aggregation":{"property_name":"note","metrics":"TOP_OCCURRENCES","top_occurrences_limit":3},"boolean_property_aggregation":{"property_name":"paid","metrics":"PERCENTAGE_TRUE"},"groupby_property":"note"}`,
	},
	query.Full: {
		`{"collection_name":"order","filters":[{"property_name":"note","operator":"IS NOT NULL"},{"any_of":[{"property_name":"id","operator":"IN","value":[1,2]},{"all_of":[{"property_name":"paid","operator":"=","value":false},{"property_name":"placed","date_part":"year","operator":">","value":2010}]}]}]}`,
		`{"collection_name":"order","aggregations":[{"metrics":"COUNT"},{"property_name":"note","metrics":"COUNT","distinct":true}],"groupby_properties":["paid","note"],"order_by":[{"metrics":"COUNT","direction":"descending"},{"property_name":"note","direction":"ascending"}],"limit":1,"offset":2}`,
		`{"collection_name":"order","properties":["note","id"],"distinct":true,"order_by":[{"property_name":"id","direction":"ascending"}]}`,
		`{"collection_name":"Kunden & Städte","search_query":"Köln"}`,
	},
}

// TestArguments reads arguments and writes them, by themselves and in every shape
// and format, where the calls are valid and read as the same query.
func TestArguments(t *testing.T) {
	var validator spec.Validator
	for set, texts := range valid {
		for _, text := range texts {
			q, err := query.Parse(arguments(t, text), set, shop)
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			got, err := jsontext.Marshal(q.Arguments(set, shop), "")
			if want := strings.ReplaceAll(text, "2.50", "2.5"); err != nil || string(got) != want {
				t.Errorf("%v\n%s, want\n%s", err, got, want)
			}
			for _, name := range query.Shapes() {
				shape := query.Shape(name)
				list := query.Tools(shop, set, shape)
				for _, format := range spec.Formats() {
					prepared, calls, err := spec.Options{Format: spec.Format(format)}.Prepare(list, []tools.Call{q.Call(set, shape, shop)}, "")
					if err != nil {
						t.Fatal(err)
					}
					var read []spec.Tool
					for _, one := range prepared {
						text, err := json.Marshal(one)
						if err != nil {
							t.Fatal(err)
						}
						tool, _, err := spec.Read(text)
						if err != nil {
							t.Fatal(err)
						}
						read = append(read, tool)
					}
					if format == string(spec.Gemini) { // whose schemas are none of JSON Schema
						read = list
					}
					if err := validator.Validate(read, calls); err != nil {
						t.Errorf("%s, %s: %v", name, format, err)
					}
					again, err := query.Read(calls[0], set, shop)
					for i := range again {
						again[i].Rationale = ""
					}
					if diff := cmp.Diff([]query.Query{q}, again); err != nil || diff != "" {
						t.Errorf("%s, %s: %v\n%s", name, format, err, diff)
					}
				}
			}
		}
	}
}

// TestMistakes lists arguments that are wrong, and the errors.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		set        query.Toolset
		text, want string
	}{
		{query.Paper, `{}`, `query_database: collection_name: is missing; name the collection to query`},
		{query.Paper, `{"collection_name":7}`, `query_database: collection_name: is a number; give a text`},
		{query.Paper, `{"collection_name":"orders"}`, `query_database: collection_name: unknown collection "orders"; use one of order, Kunden & Städte`},
		{query.Paper, `{"collection_name":"order","search_query":"  "}`, `query_database: search_query: is empty; give words to search for, or leave it out`},
		{query.Paper, `{"collection_name":"order","filters":[]}`, `query_database: filters: is no argument of this tool; use one of collection_name, search_query, integer_property_filter, text_property_filter, boolean_property_filter, integer_property_aggregation, text_property_aggregation, boolean_property_aggregation, groupby_property`},
		{query.Paper, `{"collection_name":"order","text_property_filter":{"property_name":"id","operator":"=","value":1}}`, `query_database: text_property_filter.property_name: "id" is a number property; use integer_property_filter`},
		{query.Paper, `{"collection_name":"order","integer_property_filter":{"property_name":"id","operator":"=","value":"1"}}`, `query_database: integer_property_filter.value: is a text, and id is compared with a number; give a number`},
		{query.Paper, `{"collection_name":"order","integer_property_filter":{}}`, `query_database: integer_property_filter: property_name is missing; give it as a text`},
		{query.Paper, `{"collection_name":"order","integer_property_filter":{"property_name":"id","operator":"!=","value":1}}`, `query_database: integer_property_filter.operator: a number property has no operator "!="; use one of =, <, >, <=, >=`},
		{query.Paper, `{"collection_name":"order","groupby_property":"not"}`, `query_database: groupby_property: order has no property "not"; use one of id, note, total price, paid, placed`},
		{query.Full, `{"collection_name":"order","limit":0}`, `query_database: limit: is 0; give 1 or more, or leave it out for all`},
		{query.Full, `{"collection_name":"order","limit":1e99}`, `query_database: limit: is no count; give a whole number`},
		{query.Full, `{"collection_name":"order","filters":{"property_name":"id"}}`, `query_database: filters: is an object; give a list`},
		{query.Full, `{"collection_name":"order","filters":[{"all_of":[]}]}`, `query_database: filters[0]: all_of stands outside of any_of; filters all hold: list its conditions in its place`},
		{query.Full, `{"collection_name":"order","filters":[{"any_of":[]}]}`, `query_database: filters[0].any_of: is empty; list conditions, or leave it out`},
		{query.Full, `{"collection_name":"order","filters":[{"property_name":"id","operator":"IN","value":3}]}`, `query_database: filters[0].value: IN takes a list; list the values`},
		{query.Full, `{"collection_name":"order","aggregations":[{"metrics":"SUM"}]}`, `query_database: aggregations[0].property_name: is missing; only COUNT without distinct counts objects, and needs none`},
		{query.Full, `{"collection_name":"order","aggregations":[{"metrics":"COUNT"}],"limit":3}`, `query_database: limit: there is one result of the aggregations; leave limit and offset out, or group`},
		{query.Full, `{"collection_name":"order","order_by":[{"metrics":"COUNT"}]}`, `query_database: order_by[0]: metrics are of groups, and there are none; sort by a property`},
		{query.Full, `{"collection_name":"order","filters":[{"property_name":"note","date_part":"year","operator":"=","value":1}]}`, `query_database: filters[0].date_part: note is a text property; leave date_part out, which is for dates in the full toolset`},
	} {
		_, err := query.Parse(arguments(t, c.text), c.set, shop)
		mistake := (*tools.ToolError)(nil)
		if !errors.As(err, &mistake) || err.Error() != c.want {
			t.Errorf("%s:\n%v, want\n%s", c.text, err, c.want)
		}
	}
}

// FuzzParse looks for arguments that panic, or that are not written as they are read.
func FuzzParse(f *testing.F) {
	for set, texts := range valid {
		for _, text := range texts {
			f.Add(text, set == query.Full)
		}
	}
	f.Fuzz(func(t *testing.T, text string, full bool) {
		set := query.Paper
		if full {
			set = query.Full
		}
		var args tools.Arguments
		if json.Unmarshal([]byte(text), &args) != nil {
			return
		}
		for _, name := range []string{query.ToolName, query.AnswerName, query.ToolPrefix + "order"} {
			_, _ = query.Read(tools.Call{Name: name, Arguments: args}, set, shop) // must not panic
		}
		q, err := query.Parse(args, set, shop)
		if err != nil {
			return
		}
		again, err := query.Parse(q.Arguments(set, shop), set, shop)
		if diff := cmp.Diff(q, again); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
	})
}

package queryscore

import (
	"testing"

	"github.com/birdcall/birdcall/internal/querytool/query"
)

// birds is the collection of the tests.
var birds = query.Collection{Name: "Birds", Properties: []query.Property{
	{Name: "name", Type: query.Text, Required: true}, {Name: "weight", Type: query.Number}, {Name: "seen", Type: query.Date},
}}

func is(property string, o query.Operator, v any) query.Filter {
	return query.Filter{Property: property, Operator: o, Value: v}
}

func TestStrict(t *testing.T) {
	filters := func(list ...query.Filter) query.Query { return query.Query{Collection: "Birds", Filters: list} }
	aggregations := func(list ...query.Aggregation) query.Query {
		return query.Query{Collection: "Birds", Aggregations: list}
	}
	for _, c := range []struct {
		name string
		a, b query.Query
		same bool
	}{
		{"case of names", query.Query{Collection: "Birds", GroupBy: []string{"name"}}, query.Query{Collection: "BIRDS", GroupBy: []string{"Name"}}, true},
		{"space and case of a search", query.Query{Search: "Red  bill"}, query.Query{Search: " red bill"}, true},
		{"other words", query.Query{Search: "red bill"}, query.Query{Search: "red bills"}, false},
		{"order of filters", filters(is("weight", "<", int64(9)), is("name", "=", "Emu")), filters(is("name", "=", "Emu"), is("weight", "<", int64(9))), true},
		{"1 and 1.0", filters(is("weight", "=", int64(1))), filters(is("weight", "=", 1.0)), true},
		{"1 and the text 1", filters(is("weight", "=", int64(1))), filters(is("weight", "=", "1")), false},
		{"large numbers", filters(is("weight", "=", int64(9007199254740993))), filters(is("weight", "=", int64(9007199254740992))), false},
		{"null and an empty text", filters(is("name", "IS NULL", nil)), filters(is("name", "=", "")), false},
		{"case of a value", filters(is("name", "=", "Emu")), filters(is("name", "=", "emu")), false},
		{"case of a pattern", filters(is("name", "LIKE", "E%")), filters(is("name", "LIKE", "e%")), true},
		{"one of one", filters(is("name", "IN", []any{"Emu"})), filters(is("name", "=", "Emu")), true},
		{"order of values", filters(is("name", "IN", []any{"a", "b"})), filters(is("name", "IN", []any{"b", "a", "b"})), true},
		{"any of equal ones", filters(query.Filter{AnyOf: []query.Filter{is("name", "=", "a"), is("name", "=", "b")}}), filters(is("name", "IN", []any{"b", "a"})), true},
		{"none of", filters(is("name", "!=", "a"), is("name", "!=", "b")), filters(is("name", "NOT IN", []any{"b", "a"})), true},
		{"not both", filters(is("name", "=", "a"), is("name", "=", "b")), filters(is("name", "IN", []any{"b", "a"})), false},
		{"order within any of", filters(query.Filter{AnyOf: []query.Filter{is("weight", "<", int64(1)), {AllOf: []query.Filter{is("weight", ">", int64(5)), is("name", "=", "a")}}}}),
			filters(query.Filter{AnyOf: []query.Filter{{AllOf: []query.Filter{is("name", "=", "a"), is("weight", ">", int64(5))}}, is("weight", "<", int64(1))}}), true},
		{"any and all", filters(query.Filter{AnyOf: []query.Filter{is("weight", "<", int64(1)), is("name", "LIKE", "a")}}), filters(is("weight", "<", int64(1)), is("name", "LIKE", "a")), false},
		{"any of one", filters(query.Filter{AnyOf: []query.Filter{{AllOf: []query.Filter{is("weight", "<", int64(1)), is("name", "LIKE", "a")}}}}), filters(query.Filter{AnyOf: []query.Filter{{AllOf: []query.Filter{is("name", "LIKE", "a"), is("weight", "<", int64(1))}}}}), true},
		{"part of a date", filters(query.Filter{Property: "seen", Part: query.Year, Operator: "=", Value: int64(2010)}), filters(query.Filter{Property: "seen", Part: query.Month, Operator: "=", Value: int64(2010)}), false},
		{"order of aggregations", aggregations(query.Aggregation{Property: "weight", Metric: query.Max}, query.Aggregation{Property: "weight", Metric: query.Min}),
			aggregations(query.Aggregation{Property: "weight", Metric: query.Min}, query.Aggregation{Property: "weight", Metric: query.Max}), true},
		{"the default of occurrences", aggregations(query.Aggregation{Property: "name", Metric: query.TopOccurrences}), aggregations(query.Aggregation{Property: "name", Metric: query.TopOccurrences, Limit: 5}), true},
		{"other occurrences", aggregations(query.Aggregation{Property: "name", Metric: query.TopOccurrences}), aggregations(query.Aggregation{Property: "name", Metric: query.TopOccurrences, Limit: 6}), false},
		{"count of a property that all have", aggregations(query.Aggregation{Property: "name", Metric: query.Count}), aggregations(query.Aggregation{Metric: query.Count}), true},
		{"count of another", aggregations(query.Aggregation{Property: "weight", Metric: query.Count}), aggregations(query.Aggregation{Metric: query.Count}), false},
		{"distinct count", aggregations(query.Aggregation{Property: "name", Metric: query.Count, Distinct: true}), aggregations(query.Aggregation{Metric: query.Count}), false},
		{"order of groups", query.Query{GroupBy: []string{"name", "weight"}}, query.Query{GroupBy: []string{"weight", "name"}}, true},
		{"order of groups that are cut", query.Query{GroupBy: []string{"name", "weight"}, Limit: 1}, query.Query{GroupBy: []string{"weight", "name"}, Limit: 1}, false},
		{"order of properties", query.Query{Properties: []string{"name", "weight"}}, query.Query{Properties: []string{"weight", "name"}}, true},
		{"all properties", query.Query{Properties: []string{"name", "weight", "seen"}}, query.Query{}, true},
		{"distinct", query.Query{Distinct: true}, query.Query{}, false},
		{"order", query.Query{OrderBy: []query.Order{{Property: "name"}, {Property: "weight"}}}, query.Query{OrderBy: []query.Order{{Property: "weight"}, {Property: "name"}}}, false},
		{"direction", query.Query{OrderBy: []query.Order{{Property: "name"}}}, query.Query{OrderBy: []query.Order{{Property: "name", Descending: true}}}, false},
		{"limit", query.Query{Limit: 1}, query.Query{Limit: 2}, false},
		{"offset", query.Query{Limit: 1}, query.Query{Limit: 1, Offset: 1}, false},
		{"rationale", query.Query{Rationale: "because"}, query.Query{}, true},
	} {
		for _, pair := range [][2]query.Query{{c.a, c.b}, {c.b, c.a}} {
			if got := normalize(pair[0], &birds).same(normalize(pair[1], &birds)); got != c.same {
				t.Errorf("%s: got %t, want %t", c.name, got, c.same)
			}
		}
	}
}

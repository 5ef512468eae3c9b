package queryscore

import (
	"encoding/json"
	"testing"

	"github.com/birdcall/birdcall/pkg/tools"
)

func arguments(t *testing.T, text string) tools.Arguments {
	t.Helper()
	var a tools.Arguments
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return a
}

// TestArguments lists pairs of arguments with their scores: whether they are
// identical, the paper's AST score, and the published one.
func TestArguments(t *testing.T) {
	const (
		light = `"integer_property_filter":{"property_name":"weight","operator":"<","value":20}`
		named = `"text_property_filter":{"property_name":"name","operator":"LIKE","value":"%gull%"}`
		mean  = `"integer_property_aggregation":{"property_name":"weight","metrics":"MEAN"}`
	)
	for _, c := range []struct {
		name, gold, got string
		match           bool
		paper           float64
		published       float64
	}{
		{"the same", `{"collection_name":"Birds","search_query":"white",` + light + `}`, `{` + light + `,"search_query":"white","collection_name":"Birds"}`, true, 1, 1},
		{"another collection", `{"collection_name":"Birds"}`, `{"collection_name":"Sites"}`, false, 0, 0},
		{"another case", `{"collection_name":"Birds"}`, `{"collection_name":"birds"}`, false, 0, 0},
		{"null is none", `{"collection_name":"Birds","groupby_property":null}`, `{"collection_name":"Birds","text_property_filter":null}`, true, 1, 1},
		{"1 and 1.0", `{"collection_name":"Birds",` + light + `}`, `{"collection_name":"Birds","integer_property_filter":{"property_name":"weight","operator":"<","value":2.0e1}}`, true, 1, 1},
		{"20 and its text", `{"collection_name":"Birds",` + light + `}`, `{"collection_name":"Birds","integer_property_filter":{"property_name":"weight","operator":"<","value":"20"}}`, false, .85, .95},
		{"a rationale", `{"collection_name":"Birds"}`, `{"tool_rationale":"because","collection_name":"Birds"}`, true, 1, 1},
		{"another search", `{"collection_name":"Birds","search_query":"white"}`, `{"collection_name":"Birds","search_query":"white bird"}`, false, 1, 1},
		{"no search", `{"collection_name":"Birds","search_query":"white"}`, `{"collection_name":"Birds"}`, false, .85, .85},
		{"an empty search", `{"collection_name":"Birds"}`, `{"collection_name":"Birds","search_query":""}`, false, 1, .85},
		{"a filter that gold has not", `{"collection_name":"Birds",` + light + `}`, `{"collection_name":"Birds",` + light + `,` + named + `}`, false, .85, 1},
		{"a filter less", `{"collection_name":"Birds",` + light + `,` + named + `}`, `{"collection_name":"Birds",` + light + `}`, false, .85, 1},
		{"one filter of two is wrong", `{"collection_name":"Birds",` + light + `,` + named + `}`,
			`{"collection_name":"Birds",` + light + `,"text_property_filter":{"property_name":"name","operator":"=","value":"gull"}}`, false, .85, .95},
		{"nothing in common", `{"collection_name":"Birds",` + light + `}`,
			`{"collection_name":"Birds",` + named + `,"boolean_property_filter":{"property_name":"seen","operator":"=","value":true}}`, false, .85, .85},
		{"another metric", `{"collection_name":"Birds",` + mean + `}`, `{"collection_name":"Birds","integer_property_aggregation":{"property_name":"weight","metrics":"SUM"}}`, false, .85, .95},
		{"another number of occurrences", `{"collection_name":"Birds","text_property_aggregation":{"property_name":"name","metrics":"TOP_OCCURRENCES","top_occurrences_limit":3}}`,
			`{"collection_name":"Birds","text_property_aggregation":{"property_name":"name","metrics":"TOP_OCCURRENCES"}}`, false, .85, 1},
		{"another group", `{"collection_name":"Birds","groupby_property":"name"}`, `{"collection_name":"Birds","groupby_property":"site"}`, false, .85, .85},
		{"no group", `{"collection_name":"Birds","groupby_property":"name"}`, `{"collection_name":"Birds"}`, false, .85, .85},
		{"the order of a list", `{"collection_name":"Birds","filters":[{"property_name":"a","operator":"=","value":1},{"property_name":"b","operator":"IN","value":[1,2]}]}`,
			`{"collection_name":"Birds","filters":[{"property_name":"b","operator":"IN","value":[2,1]},{"property_name":"a","operator":"=","value":1}]}`, false, 1, 1},
		{"the order of groups", `{"collection_name":"Birds","groupby_properties":["a","b"]}`, `{"collection_name":"Birds","groupby_properties":["b","a"]}`, false, .85, .85},
		{"a limit", `{"collection_name":"Birds","limit":1}`, `{"collection_name":"Birds","limit":2}`, false, 1, 1},
	} {
		gold, got := arguments(t, c.gold), arguments(t, c.got)
		if match := paperMatch(gold, got); match != c.match {
			t.Errorf("%s: identical is %t, want %t", c.name, match, c.match)
		}
		if score := paperAST(gold, got); score != c.paper {
			t.Errorf("%s: the paper's AST is %v, want %v", c.name, score, c.paper)
		}
		if score := (script{}).ast(typedOf(gold, &birds), typedOf(got, &birds)); int(score*10000+.5) != int(c.published*10000+.5) {
			t.Errorf("%s: the published AST is %v, want %v", c.name, score, c.published)
		}
	}
}

// TestSameSearch says how the first version of the script compares searches.
func TestSameSearch(t *testing.T) {
	for _, c := range []struct {
		gold, got string
		want      float64
	}{
		{`{"search_query":"white"}`, `{"search_query":"white"}`, 1},
		{`{"search_query":"white"}`, `{"search_query":"White"}`, .85},
		{`{}`, `{"search_query":null}`, 1},
		{`{}`, `{"search_query":""}`, .85},
	} {
		got := script{sameSearch: true}.ast(typedOf(arguments(t, c.gold), nil), typedOf(arguments(t, c.got), nil))
		if int(got*100+.5) != int(c.want*100+.5) {
			t.Errorf("%s and %s: got %v, want %v", c.gold, c.got, got, c.want)
		}
	}
}

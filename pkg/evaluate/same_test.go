package evaluate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestSame lists sequences that are the same by the exact rules, and some that
// are not, though they look alike. They are calls of SLOT on the starting table;
// nothing is run.
func TestSame(t *testing.T) {
	const (
		start  = `"data_source": "$starting_table_var$"`
		sorted = `[{"name": "sort_data", "arguments": {` + start + `, "key_name": "book_price", "ascending": %s}, "label": "A"},
			{"name": "retrieve_data", "arguments": {"data_source": "$A$", "key_name": "book_title", "limit": 1}, "label": "B"}]`
		extreme = `[{"name": "aggregate_data", "arguments": {` + start + `, "key_name": "book_price", "aggregation_type": "%s"}, "label": "A"},
			{"name": "retrieve_data", "arguments": {"data_source": "$A$", "key_name": "book_title"}, "label": "B"}]`
		notNull = `{"name": "filter_data", "arguments": {` + start + `, "key_name": "book_price", "condition": "is_not_null"}, "label": "N"},`
	)
	filter := func(value, condition string) string {
		return fmt.Sprintf(`[{"name": "filter_data", "arguments": {%s, "key_name": "book_price", "value": %s, "condition": "%s"}, "label": "A"}]`, start, value, condition)
	}
	retrieve := func(arguments string) string {
		return fmt.Sprintf(`[{"name": "retrieve_data", "arguments": {%s%s}, "label": "A"}]`, start, arguments)
	}
	two := func(first, second string) string {
		return fmt.Sprintf(`[{"name": "filter_data", "arguments": {%s, %s}, "label": "A"}, {"name": "filter_data", "arguments": {"data_source": "$A$", %s}, "label": "B"}]`, start, first, second)
	}
	const cheap, old = `"key_name": "book_price", "value": 5, "condition": "less_than"`, `"key_name": "book_published", "value": 1990, "condition": "less_than"`
	sort := func(arguments string) string {
		return fmt.Sprintf(`[{"name": "sort_data", "arguments": {%s, %s}, "label": "A"}]`, start, arguments)
	}
	made := func(key, used string) string {
		output := ""
		if key != "" {
			output = `, "output_key": "` + key + `"`
		}
		return fmt.Sprintf(`[{"name": "transform_data", "arguments": {%s, "key_name": "book_published", "operation_type": "substring", "operation_args": {"start_index": 0, "end_index": 4}%s}, "label": "A"},
			{"name": "retrieve_data", "arguments": {"data_source": "$A$", "key_name": "%s"}, "label": "B"}]`, start, output, used)
	}
	counted := func(key, used string) string {
		output := ""
		if key != "" {
			output = `, "output_key": "` + key + `"`
		}
		return fmt.Sprintf(`[{"name": "group_data_by", "arguments": {%s, "key_name": "book_language"}, "label": "G"},
			{"name": "aggregate_data", "arguments": {"data_source": "$G$", "key_name": "book_isbn", "aggregation_type": "count"%s}, "label": "A"},
			{"name": "sort_data", "arguments": {"data_source": "$A$", "key_name": "%s", "ascending": false}, "label": "B"}]`, start, output, used)
	}
	for _, c := range []struct {
		rule, a, b string
		same       bool
	}{
		{"1 is 1.0", filter("1", "equal_to"), filter("1.0", "equal_to"), true},
		{"1 is no text", filter("1", "equal_to"), filter(`"1"`, "equal_to"), false},
		{"1e2 is 100", filter("1e2", "equal_to"), filter("100", "equal_to"), true},
		{"large integers keep their digits", filter("9007199254740993", "equal_to"), filter("9007199254740992", "equal_to"), false},
		{"the start as the paper's agents call it", filter("1", "equal_to"), strings.ReplaceAll(filter("1", "equal_to"), "$starting_table_var$", "$var_1$"), true},
		{"an escaped text that needs no escape", filter(`{"literal": "x"}`, "equal_to"), filter(`"x"`, "equal_to"), true},
		{"an escaped text that needs one", filter(`{"literal": "$A$"}`, "equal_to"), filter(`"$A$"`, "equal_to"), false},
		{"a default that is given", retrieve(`, "key_name": "book_title", "distinct": false, "limit": -1`), retrieve(`, "key_name": "book_title"`), true},
		{"any negative limit is none", retrieve(`, "key_name": "book_title", "limit": -5`), retrieve(`, "key_name": "book_title"`), true},
		{"null is left out", retrieve(`, "key_name": "book_title", "limit": null`), retrieve(`, "key_name": "book_title"`), true},
		{"another value than the default", retrieve(`, "key_name": "book_title", "distinct": true`), retrieve(`, "key_name": "book_title"`), false},
		{"a list of one key", retrieve(`, "key_name": ["book_title"]`), retrieve(`, "key_name": "book_title"`), true},
		{"keys in another order", retrieve(`, "key_name": ["book_title", "book_price"]`), retrieve(`, "key_name": ["book_price", "book_title"]`), false},
		{"the order of arguments", filter("1", "equal_to"), `[{"name": "filter_data", "arguments": {"condition": "equal_to", "value": 1, "key_name": "book_price", ` + start + `}, "label": "Z"}]`, true},
		{"filters in another order", two(cheap, old), two(old, cheap), true},
		{"the same filter twice", two(cheap, cheap), filter("5", "less_than"), false},
		{"a range by two filters", filter("[5, 10]", "between"), two(`"key_name": "book_price", "value": 10, "condition": "less_than_equal_to"`, `"key_name": "book_price", "value": 5, "condition": "greater_than_equal_to"`), true},
		{"a range without its ends", filter("[5, 10]", "between"), two(`"key_name": "book_price", "value": 10, "condition": "less_than"`, `"key_name": "book_price", "value": 5, "condition": "greater_than"`), false},
		{"a list of one value", filter("[5]", "in"), filter("5", "equal_to"), true},
		{"none of one value", filter("[5]", "not_in"), filter("5", "not_equal_to"), true},
		{"is null", filter("null", "is"), `[{"name": "filter_data", "arguments": {` + start + `, "key_name": "book_price", "condition": "is_null"}, "label": "A"}]`, true},
		{"equal to null is nothing", filter("null", "equal_to"), filter("null", "is"), false},
		{"another name of a key", made("year", "year"), made("y", "y"), true},
		{"another key than the one that is made", made("year", "year"), made("year", "book_price"), false},
		{"a key of its own, or in the place of another", made("year", "year"), made("", "book_published"), false},
		{"a name that a starting table has", made("book_title", "book_title"), made("year", "year"), false},
		{"a name by default", counted("", "count_book_isbn"), counted("n", "n"), true},
		{"the largest", fmt.Sprintf(sorted, "false"), fmt.Sprintf(extreme, "argmax"), true},
		{"the smallest, which may be NULL", fmt.Sprintf(sorted, "true"), fmt.Sprintf(extreme, "argmin"), false},
		{"the smallest that is not NULL", inserted(notNull, fmt.Sprintf(sorted, "true")), inserted(notNull, fmt.Sprintf(extreme, "argmin")), true},
		{"largest for smallest", fmt.Sprintf(sorted, "false"), fmt.Sprintf(extreme, "argmin"), false},
		{"keys to sort by in another order", sort(`"key_name": ["book_price", "book_title"], "ascending": true`), sort(`"key_name": ["book_title", "book_price"], "ascending": true`), false},
		{
			"distinct by a call of its own", retrieve(`, "key_name": "book_title", "distinct": true`),
			`[{"name": "retrieve_data", "arguments": {` + start + `, "key_name": "book_title"}, "label": "A"}, {"name": "select_unique_values", "arguments": {"unique_array": "$A$"}, "label": "B"}]`, true,
		},
		{
			"distinct after a limit", retrieve(`, "key_name": "book_title", "distinct": true, "limit": 5`),
			`[{"name": "retrieve_data", "arguments": {` + start + `, "key_name": "book_title", "limit": 5}, "label": "A"}, {"name": "select_unique_values", "arguments": {"unique_array": "$A$"}, "label": "B"}]`, false,
		},
	} {
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}, {c.a, c.a}, {c.b, c.b}} {
			want := c.same || pair[0] == pair[1]
			if got := isSame(t, calls(t, pair[0]), calls(t, pair[1])); got != want {
				t.Errorf("%s: same is %v for\n%s\n%s", c.rule, got, pair[0], pair[1])
			}
		}
	}
}

// inserted puts a call before the others, which then start from its result.
func inserted(call, calls string) string {
	var list []map[string]any
	if err := json.Unmarshal([]byte(calls), &list); err != nil {
		panic(err)
	}
	list[0]["arguments"].(map[string]any)["data_source"] = "$N$"
	text, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return "[" + call + string(text[1:])
}

func calls(t *testing.T, text string) []tools.Call {
	t.Helper()
	var out []tools.Call
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out
}

// isSame scores one sequence against the other.
func isSame(t *testing.T, gold, predicted []tools.Call) bool {
	t.Helper()
	var of *evaluate.Sample
	for _, s := range written(t, record.SLOT, pipeline.Writing{}).Samples {
		if s.Key() == "city_library/8" {
			of = s
		}
	}
	s := *of
	s.Gold, s.Listed = gold, gold
	d := &evaluate.Dataset{Variant: record.SLOT, Samples: []*evaluate.Sample{&s}}
	r, err := evaluate.Score(t.Context(), d, []evaluate.Prediction{{DB: s.DB, ID: s.ID, Calls: predicted}}, nil, evaluate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Total.Completed == 1
}

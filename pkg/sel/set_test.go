package sel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/text/toolname"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

var keys = []record.Key{
	{Name: "schools_School", Description: "name of the school", Type: "string"},
	{Name: "schools_Zip", Description: "postal code", Type: "string"},
	{Name: "satscores_NumTstTkr", Description: "number of test takers", Type: "integer"},
}

func fullSet() *Set { return New(tools.Definitions(), keys) }

// call parses a call as samples write it.
func call(t *testing.T, text string) tools.Call {
	t.Helper()
	var c tools.Call
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return c
}

// text writes a call's name and arguments.
func text(t *testing.T, c tools.Call) string {
	t.Helper()
	data, err := c.Arguments.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return c.Name + " " + string(data)
}

// TestBind lists SLOT calls and the SEL calls that do the same.
func TestBind(t *testing.T) {
	for _, c := range []struct{ slot, sel string }{
		{`{"name":"filter_data","arguments":{"data_source":"$s$","key_name":"schools_Zip","value":1.0,"condition":"equal_to"}}`,
			`select_data_equal_to {"data_source":"$s$","key_name":"schools_Zip","value":1.0}`},
		{`{"name":"filter_data","arguments":{"data_source":"$s$","key_name":"schools_Zip","condition":"is_null"}}`,
			`select_data_is_null {"data_source":"$s$","key_name":"schools_Zip"}`},
		{`{"name":"filter_data","arguments":{"data_source":"$s$","key_name":"schools_Zip","value":"9!%%","condition":"like","escape":"!"}}`,
			`select_data_like {"data_source":"$s$","key_name":"schools_Zip","value":"9!%%","escape":"!"}`},
		{`{"name":"sort_data","arguments":{"data_source":"$s$","key_name":["schools_Zip","schools_School"],"ascending":false,"nulls":"first"}}`,
			`sort_data_descending {"data_source":"$s$","key_name":["schools_Zip","schools_School"],"nulls":"first"}`},
		{`{"name":"aggregate_data","arguments":{"data_source":"$s$","key_name":"satscores_NumTstTkr","aggregation_type":"mean"}}`,
			`compute_data_mean {"data_source":"$s$","key_name":"satscores_NumTstTkr"}`},
		{`{"name":"transform_data","arguments":{"data_source":"$s$","key_name":"schools_Zip","operation_type":"substring","operation_args":{"start_index":0,"end_index":3}}}`,
			`transform_data_to_substring {"data_source":"$s$","key_name":"schools_Zip","operation_args":{"start_index":0,"end_index":3}}`},
		{`{"name":"transform_data","arguments":{"data_source":"$s$","key_name":"schools_Zip","operation_type":"upper","operation_args":{},"output_key":"u"}}`,
			`transform_data_to_upper {"data_source":"$s$","key_name":"schools_Zip","output_key":"u"}`},
		{`{"name":"combine_data","arguments":{"data_source":"$a$","other_data_source":"$b$","operation":"except"}}`,
			`combine_data_except {"data_source":"$a$","other_data_source":"$b$"}`},
		{`{"name":"join_data","arguments":{"data_source":"$a$","other_data_source":"$b$","join_type":"cross"}}`,
			`join_data_cross {"data_source":"$a$","other_data_source":"$b$"}`},
		{`{"name":"window_data","arguments":{"data_source":"$s$","function":"rank","order_by":["schools_Zip"],"ascending":[false],"output_key":"rank"}}`,
			`window_data_rank {"data_source":"$s$","order_by":["schools_Zip"],"ascending":[false],"output_key":"rank"}`},
		{`{"name":"group_data_by","arguments":{"data_source":"$s$","key_name":"schools_Zip"}}`,
			`group_data_by {"data_source":"$s$","key_name":"schools_Zip"}`},
		{`{"name":"retrieve_data","arguments":{"data_source":"$s$","key_name":"schools_School","distinct":false,"limit":-1}}`,
			`get_schools_Schools {"data_source":"$s$"}`},
		{`{"name":"retrieve_data","arguments":{"data_source":"$s$","key_name":"schools_School","distinct":true,"limit":5,"offset":2}}`,
			`retrieve_data {"data_source":"$s$","key_name":"schools_School","distinct":true,"limit":5,"offset":2}`},
		{`{"name":"retrieve_data","arguments":{"data_source":"$s$","key_name":["schools_School","schools_Zip"],"distinct":false,"limit":-1}}`,
			`retrieve_data {"data_source":"$s$","key_name":["schools_School","schools_Zip"],"distinct":false,"limit":-1}`},
	} {
		s := fullSet()
		was := call(t, c.slot)
		bound, err := s.Bind(was)
		if err != nil {
			t.Errorf("%s: %v", c.slot, err)
			continue
		}
		if got := text(t, bound); got != c.sel {
			t.Errorf("%s\n is bound to %s\nwant        %s", c.slot, got, c.sel)
		}
		back, err := s.Unbind(bound)
		if err != nil {
			t.Errorf("%s: %v", c.sel, err)
		}
		if text(t, back) != text(t, was) {
			t.Errorf("%s comes back as %s", c.slot, text(t, back))
		}
	}
}

// TestSpecs compares the functions of the whole tool set with a golden file, in which *
// marks required arguments.
func TestSpecs(t *testing.T) {
	var b strings.Builder
	for _, f := range fullSet().functions {
		fmt.Fprintf(&b, "%s(", f.name)
		for i, p := range f.parameters {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(p.Name)
			if p.Required {
				b.WriteString("*")
			}
		}
		fmt.Fprintf(&b, ")\n  %s\n", f.description)
	}
	golden.Equal(t, filepath.Join("testdata", "functions.txt"), b.String())
}

func TestNamesAreUniqueAndUsable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range fullSet().Specs() {
		if seen[s.Name] || !pattern.MatchString(s.Name) {
			t.Errorf("%q is used twice or is no name", s.Name)
		}
		seen[s.Name] = true
	}
}

// TestUnbindErrors lists calls that no function runs, and what the error says.
func TestUnbindErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"name":"select_data_similar_to","arguments":{}}`:                                               "select_data_similar_to: there is no such function; there are select_data_equal_to, ",
		`{"name":"launch","arguments":{}}`:                                                               "use a function that the sample specifies",
		`{"name":"filter_data","arguments":{"condition":"equal_to"}}`:                                    "filter_data: there is no such function",
		`{"name":"sort_data_ascending","arguments":{"ascending":false}}`:                                 "sort_data_ascending: ascending: is no argument of this function; it takes data_source, key_name, nulls, collation",
		`{"name":"get_schools_Zips","arguments":{"data_source":"$s$","key_name":"schools_School"}}`:      "key_name: is no argument",
		`{"name":"select_data_is_null","arguments":{"data_source":"$s$","key_name":"k","value":"null"}}`: "value: is no argument",
	} {
		_, err := fullSet().Unbind(call(t, text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestBindRefusesWhatTheSetLacks(t *testing.T) {
	_, err := fullSet().BindAll([]tools.Call{
		call(t, `{"name":"filter_data","arguments":{"data_source":"$s$","key_name":"k","value":1,"condition":"near"}}`),
	})
	if err == nil || !strings.Contains(err.Error(), "call 0: filter_data: has no function") {
		t.Errorf("got %v", err)
	}
}

// randomCall draws a SLOT call with any of its optional arguments.
func randomCall(t *rapid.T) tools.Call {
	d := rapid.SampledFrom(tools.Definitions()).Draw(t, "tool")
	c := tools.Call{Name: d.Name, Label: "R"}
	for _, p := range d.Parameters {
		always := p.Required || d.Name == toolname.Retrieve && p.Default != nil && p.Paper || p.Name == toolname.ArgOperationArgs
		if always || rapid.Bool().Draw(t, p.Name+" is given") {
			c.Arguments = append(c.Arguments, tools.Argument{Name: p.Name, Value: randomValue(t, p)})
		}
	}
	return c
}

func randomValue(t *rapid.T, p tools.Parameter) any {
	if p.Categorical() {
		return rapid.SampledFrom(p.Choices).Draw(t, p.Name).Name
	}
	key := rapid.SampledFrom(keys)
	switch p.Kind {
	case tools.KindTable:
		return "$R$"
	case tools.KindKey:
		return key.Draw(t, p.Name).Name
	case tools.KindKeys:
		if rapid.Bool().Draw(t, "one key") {
			return key.Draw(t, p.Name).Name
		}
		return []any{key.Draw(t, p.Name).Name, key.Draw(t, p.Name).Name}
	case tools.KindInteger:
		return rapid.IntRange(-1, 9).Draw(t, p.Name)
	case tools.KindBoolean, tools.KindFlags:
		return rapid.Bool().Draw(t, p.Name)
	case tools.KindObject:
		return tools.Arguments{}
	}
	return rapid.SampledFrom([]any{json.Number("1.0"), "text", tools.Arguments{{Name: "key_name", Value: "schools_Zip"}}}).Draw(t, p.Name)
}

// TestBindingIsReversible binds random calls and unbinds them again. Unbind cannot
// restore arguments that the tool ignores for the bound value.
func TestBindingIsReversible(t *testing.T) {
	s := fullSet()
	rapid.Check(t, func(t *rapid.T) {
		c := randomCall(t)
		bound, err := s.Bind(c)
		if err != nil {
			t.Fatal(err)
		}
		f := s.function(bound.Name)
		if f.check(bound.Arguments) != nil {
			t.Skip("an argument that this value ignores")
		}
		back, err := s.Unbind(bound)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c, back); diff != "" {
			t.Fatalf("%s (-bound +taken back):\n%s", bound.Name, diff)
		}
	})
}

// TestSpecsDoNotChange checks that the same keys give the same bytes.
func TestSpecsDoNotChange(t *testing.T) {
	a, errA := json.Marshal(fullSet().Specs())
	b, errB := json.Marshal(fullSet().Specs())
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Error("two runs differ", errA, errB)
	}
}

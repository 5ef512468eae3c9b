package evaluate

import (
	"encoding/json"
	"testing"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/pkg/record"
)

// TestPythonText lists JSON values and what str() makes of them in Python 3.11.
func TestPythonText(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{`1`, "1"}, {`"1"`, "1"}, {`1.0`, "1.0"}, {`-0`, "0"}, {`-0.0`, "-0.0"}, {`0.1`, "0.1"}, {`1e5`, "100000.0"},
		{`1e15`, "1000000000000000.0"}, {`1e16`, "1e+16"}, {`123456789012345678.0`, "1.2345678901234568e+17"}, {`0.0001`, "0.0001"}, {`0.00001`, "1e-05"},
		{`12345678901234567890`, "12345678901234567890"}, {`1e999`, "inf"}, {`-1e999`, "-inf"},
		{`true`, "True"}, {`false`, "False"}, {`null`, "None"}, {`"true"`, "true"},
		{`[]`, "[]"}, {`["a", 1, null]`, "['a', 1, None]"}, {`{"b": true, "a": [1.5]}`, "{'b': True, 'a': [1.5]}"}, {`{}`, "{}"},
		{`["it's"]`, `["it's"]`}, {`["say \"it's\""]`, `['say "it\'s"']`}, {`["a\nb\\\t\r"]`, `['a\nb\\\t\r']`}, {`["é\u00a0\u200b"]`, `['é\xa0\u200b']`},
	} {
		v, err := plain(json.RawMessage(c.value))
		if err != nil {
			t.Fatal(err)
		}
		if got := pythonText(v); got != c.want {
			t.Errorf("%s is %s, want %s", c.value, got, c.want)
		}
	}
}

// TestMetric works out precision, recall and F1 by hand.
func TestMetric(t *testing.T) {
	at := func(f *float64) any {
		if f == nil {
			return nil
		}
		return *f
	}
	for _, c := range []struct {
		counts   Counts
		rules    Rules
		p, r, f1 any
	}{
		{Counts{TP: 3, FP: 1, FN: 0}, Exact, 0.75, 1.0, 6.0 / 7},
		{Counts{TP: 1, FP: 3, FN: 1}, Paper, 0.25, 0.5, 1.0 / 3},
		{Counts{}, Exact, nil, nil, nil},
		{Counts{FP: 2}, Exact, 0.0, nil, 0.0},
		{Counts{FP: 2, FN: 1}, Exact, 0.0, 0.0, 0.0},
		{Counts{FP: 2, FN: 1}, Paper, 0.0, 0.0, nil},
	} {
		if m := c.counts.metric(c.rules); at(m.Precision) != c.p || at(m.Recall) != c.r || at(m.F1) != c.f1 {
			t.Errorf("%+v by the %s rules: %v %v %v, want %v %v %v", c.counts, c.rules, at(m.Precision), at(m.Recall), at(m.F1), c.p, c.r, c.f1)
		}
	}
	gold, predicted := []string{"a", "b", "b", "c"}, []string{"a", "c", "b", "d", "d"}
	for name, c := range map[string]struct{ got, want Counts }{
		"by position":                        {prefix(gold, predicted), Counts{1, 4, 3}},
		"as sets":                            {set(gold, predicted), Counts{3, 1, 0}},
		"as multisets":                       {multiset(gold, predicted), Counts{3, 2, 1}},
		"gold [a,b,c] and predicted [x,b,c]": {prefix([]string{"a", "b", "c"}, []string{"x", "b", "c"}), Counts{0, 3, 3}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
		}
	}
}

// TestPaperAnswers lists answers that the paper's code takes for equal, and others.
func TestPaperAnswers(t *testing.T) {
	for _, c := range []struct {
		a, b    string
		variant string
		want    bool
	}{
		{`[1, 2]`, `[2, 1]`, record.SLOT, true},
		{`[1, 2]`, `["2", "1"]`, record.SLOT, true},
		{`[1]`, `[1.0]`, record.SLOT, false},
		{`[[1, 2], [3, 4]]`, `[[3, 4], [1, 2]]`, record.SLOT, false},
		{`[[1, 2]]`, `[[1.0, 2]]`, record.SLOT, true},
		{`[[1, "a"]]`, `[["1", "a"]]`, record.SLOT, true},
		{`[[1, "a"], [null, "b"]]`, `[["1", "a"], [null, "b"]]`, record.SLOT, false},
		{`1`, `1.0`, record.SLOT, true},
		{`1`, `"1"`, record.SLOT, false},
		{`[1, 2]`, `[2, 1]`, record.REST, false},
		{`[1, 2]`, `[1.0, 2.0]`, record.REST, true},
		{`[]`, `[]`, record.SLOT, true},
		{`null`, `null`, record.SLOT, true},
		{`[1, 2]`, `1`, record.SLOT, false},
	} {
		a, err := plain(json.RawMessage(c.a))
		if err != nil {
			t.Fatal(err)
		}
		b, err := plain(json.RawMessage(c.b))
		if err != nil {
			t.Fatal(err)
		}
		if got := paperEqual(a, b, variant.Of(c.variant)); got != c.want {
			t.Errorf("%s and %s in %s: equal is %v", c.a, c.b, c.variant, got)
		}
	}
}

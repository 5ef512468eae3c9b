package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/tools"
)

// calls makes calls of names such as "filter" or "filter:key=value".
func calls(names ...string) []evaluate.Called {
	var out []evaluate.Called
	for _, text := range names {
		name, argument, ok := strings.Cut(text, ":")
		c := evaluate.Called{Call: tools.Call{Name: name}}
		if ok {
			key, value, _ := strings.Cut(argument, "=")
			c.Arguments = tools.Arguments{{Name: key, Value: value}}
		}
		out = append(out, c)
	}
	return out
}

// pairsText writes pairs such as "1=2!" for gold call 1 next to predicted call 2, with
// a mark where something differs, and the slots that do.
func pairsText(pairs []pair) string {
	var out []string
	number := func(c *call) string {
		if c == nil {
			return "-"
		}
		return fmt.Sprint(c.Number)
	}
	side := func(t *text) string {
		if t == nil {
			return "-"
		}
		return t.Text
	}
	for _, p := range pairs {
		s := number(p.Gold) + "=" + number(p.Predicted)
		if p.Differs {
			s += "!"
		}
		for _, slot := range p.Slots {
			if slot.Differs {
				s += fmt.Sprintf(" %s %s/%s", slot.Name.Text, side(slot.Want), side(slot.Got))
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func TestAlign(t *testing.T) {
	type d = evaluate.Difference
	for _, c := range []struct {
		name            string
		gold, predicted []evaluate.Called
		differences     []d
		want            string
	}{
		{"the same", calls("a", "b"), calls("a", "b"), nil, "1=1, 2=2"},
		{"another order", calls("a", "b"), calls("b", "a"), nil, "1=2, 2=1"},
		{"one missing", calls("a", "b", "a"), calls("a", "b"), []d{{Gold: 2, Predicted: -1}}, "1=1, 2=2, 3=-!"},
		{"the first of two missing", calls("a", "a"), calls("a"), []d{{Gold: 0, Predicted: -1}}, "1=-!, 2=1"},
		{"one more", calls("a", "b"), calls("a", "x", "b", "y"), []d{{Gold: -1, Predicted: 1}, {Gold: -1, Predicted: 3}}, "1=1, -=2!, 2=3, -=4!"},
		{"another function in its place", calls("a"), calls("x"), []d{{Gold: 0, Predicted: 0, Want: "a", Got: "x"}}, "1=1!"},
		{"none predicted", calls("a", "b"), nil, nil, "1=-!, 2=-!"},
		{"another value", calls("a:k=v"), calls("a:k=w"), []d{{Gold: 0, Predicted: 0, Argument: "k", Want: `"v"`, Got: `"w"`}}, `1=1! k "v"/"w"`},
		{"left out", calls("a:k=v"), calls("a"), []d{{Gold: 0, Predicted: 0, Argument: "k", Want: `"v"`}}, `1=1! k "v"/-`},
		{"in neither's arguments", calls("a"), calls("a"), []d{{Gold: 0, Predicted: 0, Argument: "label", Want: "A", Got: "B"}}, `1=1! label A/B`},
		{"partners by their differences", calls("a:k=1", "a:k=2"), calls("a:k=2", "a:k=3"), []d{{Gold: 1, Predicted: 0, Argument: "j", Got: "1"}}, "1=2, 2=1! j -/1"},
		{"numbers of no call", calls("a"), calls("a"), []d{{Gold: 9, Predicted: 9}, {Gold: -7, Predicted: 0, Argument: "k"}}, "1=1"},
	} {
		got := pairsText(align(&evaluate.Outcome{Gold: c.gold, Predicted: c.predicted, Differences: c.differences}))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestBounds says what a page leaves out, and that it says so.
func TestBounds(t *testing.T) {
	long := strings.Repeat("ö", 5000)
	p := &Page{Title: "t", Samples: &Samples{File: "x_score.json", Rules: evaluate.Exact}}
	for i := range MaxSamples + 1234 {
		p.Samples.Outcomes = append(p.Samples.Outcomes, evaluate.Outcome{DB: "d", ID: bird.Number(i), Error: evaluate.ValueError})
	}
	first := &p.Samples.Outcomes[0]
	first.Text, first.Predicted = long, calls("a:k="+long)
	for range 200 {
		first.Gold = append(first.Gold, calls("a")...)
	}
	var b strings.Builder
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	for what, n := range map[string]int{
		"<details ": MaxSamples,
		"1,234 more are not on this page; x_score.json has them all.": 1,
		"… 3,000 characters are left out":                             1,
		"… 4,602 characters are left out":                             1, // of the argument with its quotes
		"140 more are not shown.":                                     1,
		`<table class="pair`:                                          60,
	} {
		if got := strings.Count(b.String(), what); got != n {
			t.Errorf("%q: %d times, want %d", what, got, n)
		}
	}
}

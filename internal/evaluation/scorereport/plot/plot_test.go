package plot

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/golden"
)

func at(f float64) *float64 { return &f }

func TestSVG(t *testing.T) {
	two := []Group{{Name: "a", Values: []*float64{at(0.5), nil}}, {Name: "a very long name/of-a-model that fits no line", Values: []*float64{at(0), at(7)}}}
	for _, f := range []*Figure{
		{Title: "bars", X: "score", Y: "model", Series: []string{"intent F1", "slot F1"}, Groups: two, Note: "a note"},
		{Title: "stack", X: "share", Y: "model", Series: []string{"<one>", "two"}, Stacked: true, Groups: []Group{
			{Name: `"a" & <b>`, Values: []*float64{at(0.5), at(0.01)}, Texts: []string{"50", "1"}, Total: "51 of 100"},
			{Name: "none", Values: []*float64{at(0), at(0)}, Texts: []string{"0", "0"}, Total: "0 of 3"},
		}},
	} {
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, filepath.Join("testdata", f.Title+".svg"), string(svg))
	}
}

// TestNothing lists figures that have nothing to compare, or more than there are
// colours for.
func TestNothing(t *testing.T) {
	one := Group{Name: "a", Values: []*float64{at(1)}}
	for name, f := range map[string]*Figure{
		"one group":       {Series: []string{"x"}, Groups: []Group{one}},
		"no series":       {Groups: []Group{one, one}},
		"too many series": {Series: strings.Split("a b c d e f g h i", " "), Groups: []Group{one, one}},
	} {
		if svg, err := f.SVG(); svg != "" || err != nil {
			t.Errorf("%s: got %q, %v", name, svg, err)
		}
	}
}

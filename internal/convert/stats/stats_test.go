package stats

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
)

// TestWrite prints the tables of two variants; only REST has the paper's
// universes, which are those of its 100 % column.
func TestWrite(t *testing.T) {
	var b strings.Builder
	for _, variant := range []string{"sel", "rest", "graph"} {
		s := New(variant)
		b.WriteString("--- " + variant + "\n")
		s.AddDatabase("superhero", spec.Size{Tools: 109, Tokens: 25000})
		s.AddDatabase("zoo", spec.Size{Tools: 7, Tokens: 900})
		s.AddSample(spec.Size{Tools: 10, Tokens: 5000})
		s.AddSample(spec.Size{Tools: 11, Tokens: 5001})
		s.Finish(112, 7, 20)
		if err := s.Write(&b); err != nil {
			t.Fatal(err)
		}
	}
	golden.Equal(t, filepath.Join("testdata", "tables.txt"), b.String())
}

func TestNoSamples(t *testing.T) {
	s := New("slot")
	s.Finish(0, 0, 0)
	if s.Ours != (Row{}) || s.SampleTools != 0 {
		t.Errorf("got %+v", s)
	}
}

// TestPaperShares says that the paper's table 4 follows the rule for ours: a
// percentage of the tools, rounded down.
func TestPaperShares(t *testing.T) {
	for db, shares := range paperShares[record.REST] {
		s := New("rest")
		s.AddDatabase(db, spec.Size{Tools: shares[4]})
		if diff := cmp.Diff(shares, s.Databases[0].Shares); diff != "" {
			t.Errorf("%s (-paper +ours):\n%s", db, diff)
		}
	}
}

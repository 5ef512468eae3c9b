package scorereport

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// What is written is read again: all samples, or those that failed.
func TestOutcomes(t *testing.T) {
	for _, all := range []bool{true, false} {
		dir := t.TempDir()
		r := fixture()
		if _, err := Write(dir, r, Options{All: all}); err != nil {
			t.Fatal(err)
		}
		models, err := Models(dir)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Outcomes(dir, models[0].Evaluations[0])
		if err != nil {
			t.Fatal(err)
		}
		var want []evaluate.Outcome
		for _, o := range r.Outcomes {
			if all || !o.Completed {
				want = append(want, o)
			}
		}
		if diff := cmp.Diff(asText(t, want), asText(t, got)); diff != "" {
			t.Errorf("all %v: (-want +got)\n%s", all, diff)
		}
	}
}

func TestOutcomesOfBrokenFile(t *testing.T) {
	for _, c := range []struct{ content, want string }{
		{"", "no score file of evaluate"},
		{"{}\n{\"sample_id\":1}\n[]\n", "sample 1"},
	} {
		dir := t.TempDir()
		r := fixture()
		if _, err := Write(dir, r, Options{}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, folder(r.Model), Name(r)+scoreEnd)
		if err := os.WriteFile(path, []byte(c.content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Outcomes(dir, r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.content, err, c.want)
		}
	}
}

// asText is outcomes as JSON: numbers of arguments that were Go's are
// json.Number after they were read.
func asText(t *testing.T, outcomes []evaluate.Outcome) string {
	t.Helper()
	text, err := jsontext.Marshal(outcomes, " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

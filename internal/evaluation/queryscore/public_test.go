package queryscore

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// archive is where the paper's predictions may lie, seen from this folder. They
// have no licence, so that they are no part of this module.
const archive = "../../../../shared/query/weaviate-gorilla.tar.xz"

// publicFiles returns the files of predictions by their names. The test is skipped
// where there are none.
func publicFiles(t *testing.T) map[string][]byte {
	t.Helper()
	if found, err := filepath.Glob(archive); err != nil || len(found) == 0 {
		t.Skip("the paper's predictions do not lie beside the checkout, at shared/query")
	}
	unpacked, err := exec.Command("xz", "-dc", archive).Output()
	if err != nil {
		t.Skipf("xz is needed to read the paper's predictions: %v", err)
	}
	out := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(unpacked)); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if IsPublic(content) {
			out[path.Base(head.Name)] = content
		}
	}
}

// TestStoredScores computes all scores of the paper's files again.
func TestStoredScores(t *testing.T) {
	files := publicFiles(t)
	if len(files) != 12 {
		t.Errorf("there are %d files of predictions, want 12", len(files))
	}
	for name, content := range files {
		p, err := ParsePublic(content)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r, err := Score(t.Context(), p.Samples, p.Answers, Options{Metrics: []Metric{Published, Paper, Strict}, SameSearch: p.SameSearch})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Outcomes) != 315 {
			t.Errorf("%s: %d samples, want 315", name, len(r.Outcomes))
		}
		for i, o := range r.Outcomes {
			if *o.Scored[0].AST != p.Stored[i] {
				t.Errorf("%s, question %d: got %v, want %v", name, i, *o.Scored[0].AST, p.Stored[i])
			}
			if o.Scored[1].Match && (!o.Scored[2].Match || !o.Scored[0].Match) {
				t.Errorf("%s, question %d: identical arguments are no match by another metric", name, i)
			}
		}
		complexities := []int{}
		for _, g := range r.Complexities {
			complexities = append(complexities, g.Scores.Samples)
		}
		if !slices.Equal(complexities, []int{40, 110, 165}) || len(r.Schemas) != 5 {
			t.Errorf("%s: complexities %v and %d schemas", name, complexities, len(r.Schemas))
		}
		for _, c := range r.Components {
			if want := map[Component]int{Search: 160, Grouping: 160}[c.Component]; c.Samples != max(want, 80) {
				t.Errorf("%s: %d gold queries have %s", name, c.Samples, c.Component)
			}
		}
		if name == "gpt-4o.json" {
			notes := strings.Join(p.Notes(), "\n")
			for _, want := range []string{
				"315 of 315 scores", "67 of the 111 answers with a published AST of 1 are identical to gold", "38 gold queries do not fit",
				"10 questions were asked with the tool of another database", "177 answers have a published AST of 1",
			} {
				if !strings.Contains(notes, want) {
					t.Errorf("%s: no %q in\n%s", name, want, notes)
				}
			}
		}
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/golden"
)

// TestMixed compares what is printed for made-up files with a golden file.
func TestMixed(t *testing.T) {
	gold, predicted := filepath.Join("testdata", "mixed_gold.json"), filepath.Join("testdata", "mixed_predicted.jsonl")
	printed, err := runLine(command(), "mixed", "--gold", gold, "--predictions", predicted)
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, filepath.Join("testdata", "mixed.txt"), printed)
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "evaluation.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```\n"+printed+"```\n") {
		t.Errorf("docs/evaluation.md shows something else than\n%s", printed)
	}
	for _, c := range []struct{ line, want string }{
		{"mixed", "no --gold: give"},
		{"mixed --gold " + gold, "no --predictions: give"},
		{"mixed --gold nowhere --predictions " + predicted, "open nowhere"},
		{"mixed --gold " + gold + " --predictions mixed.go", "mixed.go: line 1: "},
	} {
		if _, err := runLine(command(), strings.Fields(c.line)...); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.line, err, c.want)
		}
	}
}

package tools

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLibraryPage runs the programs that docs/library.md shows, and compares
// what it shows of them.
func TestLibraryPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(?:go|text)\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 4 {
		t.Fatalf("%d blocks, want a program and its output, twice, before others", len(blocks))
	}
	for i, name := range []string{"tools", "gota"} {
		program, err := os.ReadFile("testdata/" + name + "/main.go")
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(program), blocks[2*i][1]); d != "" {
			t.Errorf("the program %s: %s", name, d)
		}
		run := exec.Command("go", "run", "./"+name)
		run.Dir = "testdata"
		run.Stderr = os.Stderr
		out, err := run.Output()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(strings.TrimSpace(string(out)), strings.TrimSpace(blocks[2*i+1][1])); d != "" {
			t.Errorf("what %s prints: %s", name, d)
		}
	}
}

package tools

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestImports checks that a program which uses this package gets neither gota
// nor SQLite with it.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for path := range strings.Lines(string(out)) {
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
			got = append(got, strings.TrimSpace(path))
		}
	}
	slices.Sort(got)
	const module = "github.com/birdcall/birdcall/"
	want := []string{module + "internal/text/jsontext", module + "internal/text/spelling", module + "internal/text/table", module + "internal/text/toolname", module + "pkg/tools", module + "pkg/value", "github.com/rivo/uniseg"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

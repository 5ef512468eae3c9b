package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEquivalents(t *testing.T) {
	for _, test := range []struct {
		name, content string
		unused        []string
		err           string
	}{
		{"nothing", "", nil, ""},
		{"a mutant", "# why\nx.go\na < b\na <= b\nthey differ\n", nil, ""},
		{"two", "x.go\na < b\na <= b\nthey differ\n\n\nx.go\n\tc\n\td\nboth are zero\n", []string{"x.go: c: d"}, ""},
		{"no reason", "x.go\na < b\na <= b\n", nil, ":3: an entry has 4 lines"},
		{"no empty line", "x.go\na\nb\nc\nx.go\na\nb\nc\n", nil, ":8: an entry has 4 lines"},
		{"twice", "x.go\na\nb\nc\n\nx.go\na\nb\nd\n", nil, "listed twice"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "e.txt")
			if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			e, err := readEquivalents(path)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("got the error %v, want %s", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			m := &mutant{File: "x.go", Line: 7, Before: "a < b", After: "a <= b"}
			if got, want := e.of(m), test.content != ""; got != want {
				t.Errorf("listed is %v, want %v", got, want)
			}
			if got := e.unused([]*mutant{m}); !slices.Equal(got, test.unused) {
				t.Errorf("unused are %q, want %q", got, test.unused)
			}
		})
	}
}

// TestEquivalentFile reads the list of this module.
func TestEquivalentFile(t *testing.T) {
	if _, err := readEquivalents(filepath.Join("..", "..", "..", filepath.FromSlash(equivalentFile))); err != nil {
		t.Error(err)
	}
	if _, err := readEquivalents(equivalentFile); err == nil || !strings.Contains(err.Error(), "root of the module") {
		t.Errorf("without the file, the error is %v", err)
	}
}

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestScript holds the SQL in the repository against what the words give.
func TestScript(t *testing.T) {
	for _, u := range useCases() {
		want, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "data", "usecases", "schema", u.id+".sql"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), u.script()); diff != "" {
			t.Errorf("schema/%s.sql is another one; run go generate in data/usecases:\n%s", u.id, diff)
		}
	}
}

// Package golden holds what a test got against a file of what it should get. A
// test run with -update writes the files anew, to be read before they are
// committed.
package golden

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Equal reports an error, with the difference, if got is not what the file at
// path holds.
func Equal(t testing.TB, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run the test with -update to write it", err)
	}
	if string(want) != got {
		t.Errorf("%s is another one (-want +got); if the new one is right, run the test with -update:\n%s", path, cmp.Diff(string(want), got))
	}
}

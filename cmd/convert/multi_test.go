package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestMulti draws pairs of the embedded sample, and shows what is printed of them.
func TestMulti(t *testing.T) {
	_, stderr, code := execute(t, "--variant", "multi", "--db", "bird_club", "--out", t.TempDir())
	if code != 2 || !strings.Contains(stderr, "no two questions qualify for a pair") || !strings.Contains(stderr, "leave --db out") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	for calls, want := range map[string]string{
		"slot": `
         verified  of  ties  mismatch
  multi        12  12     0         0

8.33 calls per sample (at most 14), 3.57 slots per call
pairs are drawn from 37 of 131 questions: the verified ones with one number as their answer
`,
		"rest": `
         verified  of  ties  mismatch
  multi        12  12     0         0

3.00 calls per sample (at most 3), 1.69 slots per call
pairs are drawn from 37 of 131 questions: the verified ones with one number as their answer
`,
	} {
		out := t.TempDir()
		stdout, stderr, code := execute(t, "--variant", "multi", "--calls", calls, "--multi", "12", "--out", out)
		if code != 0 || !strings.HasPrefix("\n"+stdout, want) {
			t.Errorf("%s: exit code %d, %s\n%s", calls, code, stderr, stdout)
		}
		stdout, stderr, code = execute(t, "describe", filepath.Join(out, "multi"))
		if code != 0 || !strings.HasPrefix(stdout, "12 samples  question length  SQL length") {
			t.Errorf("%s: exit code %d, %s\n%s", calls, code, stderr, stdout)
		}
	}
}

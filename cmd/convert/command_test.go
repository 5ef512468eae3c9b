package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/cli"
)

// execute runs the command line and returns what it prints and how it ends.
func execute(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	c := command()
	var out, errs bytes.Buffer
	c.SetOut(&out)
	c.SetErr(&errs)
	c.SetArgs(args)
	code = cli.Program{Command: c, Code: exitCode}.Run(t.Context())
	return out.String(), errs.String(), code
}

func TestSampleIsConvertedWithoutFlags(t *testing.T) {
	out := t.TempDir()
	stdout, stderr, code := execute(t, "--out", out)
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d, stderr %q", code, stderr)
	}
	for _, want := range []string{"city_library", "verified", "total", "Written to " + out} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the output does not say %q:\n%s", want, stdout)
		}
	}
	data, err := os.ReadFile(filepath.Join(out, "slot", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Totals   map[string]int `json:"totals"`
		Failures []any          `json:"failures"`
	}
	if err := json.Unmarshal(data, &report); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"questions", "verified", "tie_dependent", "unsupported", "mismatch", "timeout", "sql_error"} {
		if _, ok := report.Totals[key]; !ok {
			t.Errorf("the report's totals have no %q", key)
		}
	}
	if report.Failures == nil {
		t.Error("the report has no list of failures")
	}
}

func TestOneDatabase(t *testing.T) {
	out := t.TempDir()
	if _, stderr, code := execute(t, "--out", out, "--db", "bird_club", "--jobs", "1", "--quiet"); code != 0 || stderr != "" {
		t.Fatalf("exit code %d, stderr %q", code, stderr)
	}
	entries, err := os.ReadDir(filepath.Join(out, "slot"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != ".birdcall.json bird_club.json bird_club.openapi.json bird_club.tools.json examples.json report.json" {
		t.Errorf("wrote %s", got)
	}
}

// TestUserErrors lists what a user may get wrong: the exit code is 2, the
// message names the matter and the remedy, and nothing is written.
func TestUserErrors(t *testing.T) {
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "questions.json"), []byte(`[{"question": "?", "sql": 3}]`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{"--variant", "graph"}, []string{"--variant", `"graph"`, "slot"}},
		{[]string{"--toolset", "huge"}, []string{"--toolset", "full"}},
		{[]string{"--jobs", "0"}, []string{"--jobs", "1 or more"}},
		{[]string{"--timeout", "0s"}, []string{"--timeout", "30s"}},
		{[]string{"--as-of", "yesterday"}, []string{"--as-of", "2025-01-01"}},
		{[]string{"--db", "bird_clib"}, []string{"bird_clib", "bird_club"}},
		{[]string{"--dataset", filepath.Join(broken, "nowhere")}, []string{"nowhere"}},
		{[]string{"--dataset", broken}, []string{"questions.json", "record 0"}},
		{[]string{"--dataset", t.TempDir()}, []string{"questions"}},
		{[]string{"stray"}, []string{"stray"}},
	} {
		out := filepath.Join(t.TempDir(), "out")
		_, stderr, code := execute(t, append(c.args, "--out", out)...)
		if code != 2 {
			t.Errorf("%v: exit code %d, want 2", c.args, code)
		}
		for _, want := range c.says {
			if !strings.Contains(stderr, want) {
				t.Errorf("%v: the message does not say %q: %s", c.args, want, stderr)
			}
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%v: something was written", c.args)
		}
	}
}

func TestAtLeast(t *testing.T) {
	_, stderr, code := execute(t, "--out", t.TempDir(), "--at-least", "100000")
	if code != 1 || !strings.Contains(stderr, "--at-least asks for 100000") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

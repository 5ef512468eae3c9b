package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	sample "github.com/birdcall/birdcall/data/bird"
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

// TestMessages says that the chats' tools are in OpenAI's form.
func TestMessages(t *testing.T) {
	for _, args := range [][]string{{}, {"--spec", "openai-strict"}} {
		out := t.TempDir()
		args = append(args, "--messages", "--db", "bird_club", "--quiet", "--out", out)
		if _, stderr, code := execute(t, args...); code != 0 || stderr != "" {
			t.Fatalf("%v: exit code %d, stderr %q", args, code, stderr)
		}
		data, err := os.ReadFile(filepath.Join(out, "slot", "bird_club.json"))
		if err != nil {
			t.Fatal(err)
		}
		var records []struct {
			Messages []any
			Tools    []struct{ Type string }
		}
		if err := json.Unmarshal(data, &records); err != nil {
			t.Fatal(err)
		}
		for i, r := range records {
			if len(r.Messages) < 5 || r.Tools[0].Type != "function" {
				t.Errorf("%v: record %d has %d messages and a tool of the type %q", args, i, len(r.Messages), r.Tools[0].Type)
			}
		}
	}
}

// TestLicense says which licence the dataset card names.
func TestLicense(t *testing.T) {
	plain := t.TempDir()
	copyFile(t, filepath.Join(plain, "bird_club.sqlite"), "dev_databases/bird_club/bird_club.sqlite")
	if err := os.WriteFile(filepath.Join(plain, "questions.jsonl"), []byte(`{"question": "?", "sql": "SELECT 1", "db": "bird_club"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	like := t.TempDir() // BIRD's layout
	copyFile(t, filepath.Join(like, "dev_databases", "bird_club", "bird_club.sqlite"), "dev_databases/bird_club/bird_club.sqlite")
	copyFile(t, filepath.Join(like, "dev.json"), "dev.json")
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "\nlicense: apache-2.0\n"},
		{[]string{"--license", "mit"}, "\nlicense: mit\n"},
		{[]string{"--dataset", like}, "\nlicense: cc-by-sa-4.0\n"},
		{[]string{"--dataset", plain}, "Nothing tells the licence"},
		{[]string{"--dataset", plain, "--license", "cc0-1.0"}, "\nlicense: cc0-1.0\n"},
	} {
		out := t.TempDir()
		args := slices.Concat(c.args, []string{"--db", "bird_club", "--format", "jsonl", "--quiet", "--out", out})
		if _, stderr, code := execute(t, args...); code != 0 || stderr != "" {
			t.Fatalf("%v: exit code %d, stderr %q", args, code, stderr)
		}
		card, err := os.ReadFile(filepath.Join(out, "slot", "README.md"))
		if err != nil || !strings.Contains(string(card), c.says) {
			t.Errorf("%v: %v, the card does not say %q:\n%s", c.args, err, c.says, card)
		}
	}
}

// copyFile writes a file of the sample dataset to a path.
func copyFile(t *testing.T, path, name string) {
	t.Helper()
	data, err := fs.ReadFile(sample.FS(), name)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
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
		{[]string{"--db", ""}, []string{"--db is empty", "for all"}},
		{[]string{"--db", "bird_club,"}, []string{"--db bird_club, has an empty name"}},
		{[]string{"--dataset", ""}, []string{"--dataset is empty", "leave the flag out for the embedded sample"}},
		{[]string{"--split", ""}, []string{"--split is empty", "dev"}},
		{[]string{"--questions", ""}, []string{"--questions is empty"}},
		{[]string{"--split", "dev", "--questions", "dev.json"}, []string{"--split and --questions"}},
		{[]string{"--variant", "rest", "--toolset", "paper"}, []string{"--toolset paper", "REST has no toolset"}},
		{[]string{"--messages", "--spec", "gemini"}, []string{"--spec gemini", "--messages", "leave --spec out for openai"}},
		{[]string{"--license", "mit"}, []string{"--license mit", "only jsonl and parquet"}},
		{[]string{"--format", "jsonl", "--license", "CC BY 4.0"}, []string{"--license", "such as cc-by-4.0"}},
		{[]string{"--at-least", "-1"}, []string{"--at-least -1", "0 or more"}},
		{[]string{"--max-tools", "-1"}, []string{"--max-tools -1", "0 for any number"}},
		{[]string{"--max-tools", "10", "--shortlist", "25"}, []string{"--shortlist and --max-tools"}},
		{[]string{"--tools", "once", "--shortlist", "25"}, []string{"--tools once", "leave out"}},
		{[]string{"--tools", "once", "--shortlist-by", "near"}, []string{"--tools once", "leave out"}},
		{[]string{"--shortlist-by", "far"}, []string{"--shortlist-by", "random, near"}},
		{[]string{"--tools", "never"}, []string{"--tools", "once"}},
		{[]string{"--jobs", "100000000"}, []string{"--jobs", "up to 1024"}},
		{[]string{"--dataset", filepath.Join(broken, "nowhere")}, []string{"nowhere"}},
		{[]string{"--dataset", broken}, []string{"questions.json", "record 0"}},
		{[]string{"--dataset", t.TempDir()}, []string{"questions"}},
		{[]string{"coverage"}, []string{"--out", "coverage writes no samples; leave the flag out"}},
		{[]string{"stray"}, []string{"stray"}},
		{[]string{"--source", "postgres://reader@127.0.0.1/bird", "--dataset", broken}, []string{"--source: --variant slot works on SQLite files", "give --variant rest"}},
		{[]string{"--source", "postgres://reader@127.0.0.1/bird", "--variant", "rest"}, []string{"--source: the sample inside this binary", "--dataset or --questions"}},
		{[]string{"--source", "postgres://reader:p@127.0.0.1/bird", "--variant", "rest", "--dataset", broken}, []string{"--source: ", "the URL has a password", "PGPASSWORD"}},
		{[]string{"--source", "", "--variant", "rest"}, []string{"--source is empty"}},
		{[]string{"--allow-writer"}, []string{"--allow-writer is about the role of --source"}},
		{[]string{"--tool", "rationale"}, []string{"--tool is about queries", "--variant query"}},
		{[]string{"--variant", "query", "--tool", "both"}, []string{"--tool", "per-collection"}},
		{[]string{"--variant", "query", "--toolset", "auto"}, []string{"--toolset auto", "full and paper"}},
		{[]string{"--variant", "query", "--source", ""}, []string{`--source ""`, "sql, grid, both"}},
		{[]string{"--variant", "query", "--source", "postgres://reader@127.0.0.1/bird"}, []string{"--source: --variant query works on SQLite files", "sql, grid, both"}},
		{[]string{"--variant", "query", "--allow-writer"}, []string{"--allow-writer is about"}},
		{[]string{"--source", "grid"}, []string{"--source: --variant slot"}},
		{[]string{"--variant", "query", "--per-combination", "2"}, []string{"--per-combination is about the grid"}},
		{[]string{"--variant", "query", "--source", "grid", "--per-combination", "0"}, []string{"--per-combination 0", "1 or more"}},
		{[]string{"--variant", "query", "--source", "grid", "--db", "art_museum"}, []string{"--db art_museum", "art_museums"}},
		{[]string{"--variant", "query", "--obfuscate"}, []string{"--obfuscate hides", "leave it out"}},
		{[]string{"--variant", "query", "--tool", "structured", "--messages"}, []string{"--messages", "--tool structured"}},
		{[]string{"--calls", "rest"}, []string{"--calls is about pairs of questions", "--variant multi"}},
		{[]string{"--multi", "3"}, []string{"--multi is about pairs of questions", "--variant multi"}},
		{[]string{"--variant", "multi", "--calls", "sel"}, []string{"--calls", "slot, rest"}},
		{[]string{"--variant", "multi", "--multi", "-1"}, []string{"--multi -1", "1 or more"}},
		{[]string{"--variant", "multi", "--shard", "0/2"}, []string{"--shard: pairs are drawn from all questions"}},
		{[]string{"merge", "--variant", "multi"}, []string{"there are no shards of pairs"}},
		{[]string{"--variant", "multi", "--calls", "rest", "--toolset", "paper"}, []string{"--toolset paper", "--calls slot"}},
		{[]string{"--variant", "multi", "--source", "postgres://reader@127.0.0.1/bird", "--dataset", broken}, []string{"--source: --variant multi works on SQLite files"}},
		{[]string{"coverage", "--source", "postgres://reader@127.0.0.1/bird"}, []string{"--source: coverage plans"}},
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

// TestEmptyOut says that an empty --out does not write into the folder that
// the command is run in.
func TestEmptyOut(t *testing.T) {
	t.Chdir(t.TempDir())
	_, stderr, code := execute(t, "--out", "", "--db", "bird_club")
	if code != 2 || !strings.Contains(stderr, "--out is empty") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	if entries, err := os.ReadDir("."); len(entries) > 0 || err != nil {
		t.Errorf("something was written: %v, %v", entries, err)
	}
}

// TestQuestionsAlone says that a questions' file names its folder's dataset.
func TestQuestionsAlone(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.jsonl"), []byte(`{"question": "?", "sql": "SELECT 1", "db": "zoo"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := execute(t, "--questions", filepath.Join(dir, "mine.jsonl"), "--out", filepath.Join(dir, "out"))
	if want := "the database file is missing: zoo; put it at " + filepath.Join(dir, "zoo", "zoo.sqlite"); code != 2 || !strings.Contains(stderr, want) {
		t.Errorf("exit code %d, %s, want %s", code, stderr, want)
	}
}

// TestInterrupted says that a run that is asked to stop says so in one line, and
// leaves nothing.
func TestInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot signal itself there")
	}
	for _, args := range [][]string{{"--variant", "slot"}, {"--variant", "rest"}, {"coverage"}} {
		out := t.TempDir()
		if args[0] == "coverage" {
			args = append(args, "--write", filepath.Join(out, "coverage.md"))
		} else {
			args = append(args, "--out", out)
		}
		c := command()
		c.SetArgs(args)
		var stdout, stderr bytes.Buffer
		c.SetOut(&stdout)
		c.SetErr(&stderr)
		// The command begins when it was already asked to stop.
		c.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Signal(os.Interrupt)
			}
			<-c.Context().Done()
			return err
		}
		code := cli.Program{Command: c, Code: exitCode}.Run(t.Context())
		if code != 130 || stderr.String() != "convert: interrupted\n" || stdout.String() != "" {
			t.Errorf("%v: exit code %d, %q, %q", args, code, stderr.String(), stdout.String())
		}
		if left, err := os.ReadDir(out); err != nil || len(left) > 0 {
			t.Errorf("%v: %v is left, %v", args, left, err)
		}
	}
}

func TestVersion(t *testing.T) {
	stdout, _, code := execute(t, "--version")
	if code != 0 || stdout != "convert "+cli.Version()+"\n" {
		t.Errorf("exit code %d, %q", code, stdout)
	}
}

func TestAtLeast(t *testing.T) {
	_, stderr, code := execute(t, "--out", t.TempDir(), "--at-least", "100000")
	if code != 1 || !strings.Contains(stderr, "--at-least asks for 100000") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

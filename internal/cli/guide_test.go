package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestGuide lists command lines that are wrong, and what to type instead.
func TestGuide(t *testing.T) {
	program := func() *cobra.Command {
		run := func(*cobra.Command, []string) error { return nil }
		c := &cobra.Command{Use: "program", Args: cobra.NoArgs, SilenceErrors: true, SilenceUsage: true, RunE: run}
		c.Flags().String("variant", "", "what to write")
		c.Flags().String("dataset", "", "folder of a dataset")
		c.Flags().String("addr", "", "address to listen on")
		c.Flags().Int("jobs", 1, "questions at a time")
		c.Flags().Duration("timeout", 0, "time for one question")
		c.Flags().Bool("quiet", false, "print nothing")
		if err := c.RegisterFlagCompletionFunc("variant", cobra.FixedCompletions([]string{"slot", "sel"}, 0)); err != nil {
			t.Fatal(err)
		}
		score := &cobra.Command{Use: "score FILE", Args: cobra.ExactArgs(1), RunE: run}
		score.Flags().Int("limit", 0, "so many")
		c.AddCommand(score, &cobra.Command{Use: "merge", Args: cobra.NoArgs, RunE: run})
		Guide(c)
		return c
	}
	dir := t.TempDir()
	for _, c := range []struct{ line, want string }{
		{"", ""},
		{"score x", ""},
		{"--vraiant slot", "unknown flag: --vraiant; did you mean --variant?"},
		{"--VARIANT slot", "unknown flag: --VARIANT; did you mean --variant?"},
		{"--port 80", "unknown flag: --port; did you mean --addr?"},
		{"--nothing-like-it", "unknown flag: --nothing-like-it; program --help lists those that there are"},
		{"-x", "unknown flag: -x; program --help lists"},
		{"score x --limt 3", "unknown flag: --limt; did you mean --limit?"},
		{"--jobs", "--jobs has no value: give a whole number"},
		{"--jobs many", "--jobs many: give a whole number"},
		{"--timeout 30", "--timeout 30: give a duration such as 30s or 5m"},
		{"--quiet=perhaps", "--quiet perhaps: give true or false"},
		{"--dataset", "--dataset has no value: give folder of a dataset"},
		{"scroe", `unknown command "scroe"; did you mean program score?`},
		{"slot", `unknown command "slot"; did you mean --variant slot?`},
		{"anything", `unknown command "anything"; there are `},
		{dir, `is no command, and files and folders are given with flags; did you mean --dataset ` + dir + "?"},
		{"score", "an argument is missing; write program score FILE"},
		{"score a b", "too many arguments, from \"b\" on; write program score FILE"},
		{"merge x", `too many arguments, from "x" on; write program merge`},
	} {
		p := program()
		p.SetArgs(strings.Fields(c.line))
		got := ""
		if err := p.Execute(); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: got %q, want %q", c.line, got, c.want)
		}
	}
}

// TestPlainErrors says that what a file is called does not reach the terminal as it is.
func TestPlainErrors(t *testing.T) {
	var stderr bytes.Buffer
	c := &cobra.Command{Use: "program", SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error {
		_, err := os.Stat(filepath.Join(t.TempDir(), "\x1b[31mred\u202etxt"))
		return err
	}}
	c.SetErr(&stderr)
	c.SetArgs([]string{})
	if code := (Program{Command: c}).Run(t.Context()); code != 2 || strings.ContainsAny(stderr.String(), "\x1b\u202e") || !strings.HasSuffix(stderr.String(), "\n") {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
	stderr.Reset()
	if Warn(&stderr, "\x9b31m\x07 bell"); strings.ContainsAny(stderr.String(), "\x07\u009b") || !strings.HasPrefix(stderr.String(), "warning: ") {
		t.Errorf("%q", stderr.String())
	}
}

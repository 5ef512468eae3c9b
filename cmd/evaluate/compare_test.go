package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/birdcall/birdcall/internal/evaluation/scorereport"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
)

// runLine runs a command and returns what it prints.
func runLine(c *cobra.Command, args ...string) (string, error) {
	var b strings.Builder
	c.SetArgs(args)
	c.SetOut(&b)
	c.SetErr(&b)
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.ExecuteContext(context.Background())
	return b.String(), err
}

func TestCompareCommand(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, model := range []string{"a", "b"} {
		r := &evaluate.Report{Model: model, Variant: record.SLOT, Rules: evaluate.Exact, Executed: true, Total: evaluate.Scores{Samples: 4, Completed: 1, CompletionRate: 0.25}}
		files, err := scorereport.Write(dir, r, scorereport.Options{})
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, files[3])
	}
	page := filepath.Join(dir, "compare.html")
	if err := os.WriteFile(filepath.Join(dir, "bad.json"), []byte("[]"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string // in the output or the error
		ok   bool
	}{
		{paths, "SLOT     a      –  –   –  –  –   –    0.25           –\n", true},
		{append(paths, "--format", "markdown"), "| SLOT | b | – |", true},
		{append(paths, "--format", "html", "--out", page), "", true},
		{nil, "no reports are given: name them, such as score/*/report.json", false},
		{append(paths, "--format", "pdf"), `--format: no format "pdf"; give one of table, markdown, csv, html`, false},
		{append(paths, "--out", ""), "--out is empty", false},
		{append(paths, "--out", filepath.Join(dir, "none", "x")), "no such file or directory", false},
		{append(paths, paths[0]), `report.json are both of the model "a"; leave one of them out`, false},
		{[]string{filepath.Join(dir, "bad.json")}, "it is no report of evaluate", false},
	} {
		got, err := runLine(compareCommand(), c.args...)
		if err != nil {
			got += err.Error()
		}
		if (err == nil) != c.ok || !strings.Contains(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.args, got, c.want)
		}
	}
	if text, err := os.ReadFile(page); err != nil || !strings.HasPrefix(string(text), "<!DOCTYPE html>") {
		t.Errorf("the page: %.40q, %v", text, err)
	}
}

func TestInspectCommand(t *testing.T) {
	load := func(_ context.Context, dir string) ([]*evaluate.Sample, error) {
		if dir != "there" {
			return nil, errors.New("no such folder")
		}
		return []*evaluate.Sample{{Variant: record.SLOT, DB: "city", ID: bird.Number(1), Question: "Which?"}}, nil
	}
	out := filepath.Join(t.TempDir(), "task")
	for _, c := range []struct {
		args []string
		want string
		ok   bool
	}{
		{[]string{"--dataset", "there", "--out", out}, "task.py\nThe task was not run.\n", true},
		{[]string{"--dataset", "there", "--out", out}, "--out: " + out + ": it holds files already", false},
		{[]string{"--dataset", "elsewhere", "--out", out}, "no such folder", false},
		{[]string{"--out", out}, "--dataset is empty", false},
		{[]string{"--dataset", "there"}, "--out is empty", false},
	} {
		got, err := runLine(inspectCommand(load), c.args...)
		if err != nil {
			got += err.Error()
		}
		if (err == nil) != c.ok || !strings.Contains(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.args, got, c.want)
		}
	}
}

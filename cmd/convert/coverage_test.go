package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/bird"
)

// TestCoverageIntro lists how a report names what it is about.
func TestCoverageIntro(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	of := func(layout bird.Layout, split string) *bird.Dataset {
		return &bird.Dataset{Layout: layout, Split: split}
	}
	for _, c := range []struct {
		flags   flags
		dataset *bird.Dataset
		want    string
	}{
		{flags{}, of(bird.BIRDDev, "dev"), "the split `dev` of\nthe embedded sample, in the layout of BIRD dev"},
		{flags{dataset: "/data/bird/"}, of(bird.BIRDDev, "dev"), "the split `dev` of\nthe folder `bird`, in the layout of BIRD dev"},
		{flags{dataset: "."}, of(bird.Spider, "train_spider"), "the split `train_spider` of\nthe folder `" + filepath.Base(here) + "`, in the layout of Spider"},
		{flags{dataset: "a`b\n"}, of(bird.Plain, "questions"), "the split `questions` of\nthe folder `a_b_`, in the layout of plain datasets"},
		{flags{questions: "mine/hard.json"}, of(bird.Plain, "hard"), "the split `hard` of\nthe folder `mine`, in the layout of plain datasets"},
		{
			flags{databases: []string{"zoo", "park"}}, of(bird.BIRDDev, "dev"),
			"the split `dev` of\nthe embedded sample, in the layout of BIRD dev,\nand of its databases only `zoo, park`",
		},
	} {
		if got := c.flags.about(c.dataset); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestCoverageWrite says that a report is written whole, tells no path, and
// fails when too few are verified.
func TestCoverageWrite(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "coverage.md")
	for _, c := range []struct {
		atLeast string
		code    int
		says    string
	}{
		{"1", 0, ""},
		{"45", 1, "convert: too few questions are verified: 44, and --at-least asks for 45\n"},
	} {
		_, stderr, code := execute(t, "coverage", "--db", "bird_club", "--write", file, "--at-least", c.atLeast)
		if code != c.code || stderr != c.says {
			t.Errorf("--at-least %s: exit code %d, %q", c.atLeast, code, stderr)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "the embedded sample") || !strings.Contains(string(text), "Of 44 questions") || strings.Contains(string(text), dir) {
			t.Errorf("the report is\n%s", text)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// TestCoverageTargets lists where a report cannot be written.
func TestCoverageTargets(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ write, says string }{
		{"", "--write is empty"},
		{dir, "it is no regular file"},
		{filepath.Join(dir, "no", "where"), "--write " + filepath.Join(dir, "no", "where") + ": no such file or directory"},
	} {
		if _, stderr, code := execute(t, "coverage", "--db", "bird_club", "--write", c.write); code != 2 || !strings.Contains(stderr, c.says) {
			t.Errorf("--write %q: exit code %d, %s", c.write, code, stderr)
		}
	}
}

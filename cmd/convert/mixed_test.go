package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMixed runs both benchmarks on a few questions of the sample.
func TestMixed(t *testing.T) {
	for _, c := range []struct {
		args   []string
		folder string
		files  []string
	}{
		{[]string{"--share", "0,100", "--seed", "3"}, "share-000-seed-3", []string{"questions.json", "report.json"}},
		{[]string{"--share", "100,0,100", "--seed", "3,3", "--cache", "forever"}, "share-100-seed-3", []string{"apis.yaml", "questions.json", "report.json"}},
		{[]string{"--benchmark", "2"}, "share-000-seed-1", []string{"apis.yaml", "questions.json", "report.json"}},
	} {
		out := t.TempDir()
		stdout, stderr, code := execute(t, append([]string{"mixed", "--limit", "3", "--db", "bird_club", "--out", out}, c.args...)...)
		if code != 0 {
			t.Errorf("%v: %s", c.args, stderr)
			continue
		}
		for i, line := range strings.Split(stdout, "\n") {
			if len(line) > 80 {
				t.Errorf("%v: line %d has %d columns: %s", c.args, i+1, len(line), line)
			}
		}
		for _, name := range c.files {
			if _, err := os.Stat(filepath.Join(out, c.folder, name)); err != nil {
				t.Errorf("%v: %v", c.args, err)
			}
		}
	}
}

func TestMixedFails(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--benchmark 3", "there are 1 and 2"},
		{"--share 101", "from 0 to 100"},
		{"--cache never", "statement"},
		{"--delay -1s", "give a time such as 50ms"},
		{"--limit -1", "a number of questions"},
		{"--apis apis.yaml", "declares the API itself"},
		{"--source postgres://nobody@none/none", "SQLite files"},
		{"--as-of soon", "write it as"},
		{"--db nothing", "nothing"},
	} {
		_, stderr, code := execute(t, append([]string{"mixed", "--out", t.TempDir()}, strings.Fields(c.args)...)...)
		if code == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: %d, %s, want %q", c.args, code, stderr, c.want)
		}
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDescribe checks that the samples are the same in every format, and shows
// what is printed of them.
func TestDescribe(t *testing.T) {
	const want = `
44 samples  question length  SQL length     calls  arguments  tools listed
mean              69.022727  132.909091  4.522727  16.659091          10.0
median                 71.5       122.5       5.0       16.0          10.0
stddev            22.069118   64.159619  1.958745   7.676431           0.0
min                    27.0        40.0       2.0        6.0          10.0
25%                    51.0        84.0       3.0       10.0          10.0
75%                    83.0       189.0       5.0       21.0          10.0
max                   123.0       271.0      10.0       40.0          10.0
`
	for _, flags := range []string{"--format json", "--format jsonl", "--format parquet", "--tools once"} {
		out := t.TempDir()
		args := append(strings.Fields(flags), "--db", "bird_club", "--out", out, "--quiet")
		if _, stderr, code := execute(t, args...); code != 0 {
			t.Fatal(stderr)
		}
		stdout, stderr, code := execute(t, "describe", filepath.Join(out, "slot"))
		if code != 0 || stdout != strings.TrimPrefix(want, "\n") {
			t.Errorf("%s: exit code %d, %s\n%s", flags, code, stderr, stdout)
		}
	}
}

// TestDescribeErrors lists what cannot be described.
func TestDescribeErrors(t *testing.T) {
	dir := func(report string) string {
		out := t.TempDir()
		if err := os.WriteFile(filepath.Join(out, "report.json"), []byte(report), 0o600); err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"describe"}, "an argument is missing; write convert describe DIR"},
		{[]string{"describe", t.TempDir()}, "name a folder that convert wrote"},
		{[]string{"describe", dir("[]")}, "report.json is not as convert writes it"},
		{[]string{"describe", dir("{}")}, "there are no samples to describe"},
		{[]string{"describe", dir(`{"databases": [{"db_id": "zoo"}]}`)}, "there is no such file"},
		{[]string{"describe", "out/slot", "--variant", "rest"}, "--variant: describe reads what is written already"},
	} {
		if _, stderr, code := execute(t, c.args...); code != 2 || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: exit code %d, %s", c.args, code, stderr)
		}
	}
}

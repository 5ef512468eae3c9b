package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSQL lists command lines of convert sql with what they print, or what they fail
// with.
func TestSQL(t *testing.T) {
	notYAML := filepath.Join(t.TempDir(), "apis.yaml")
	if err := os.WriteFile(notYAML, []byte("apis: ["), 0o600); err != nil {
		t.Fatal(err)
	}
	const branches = "SELECT code, name, \"Seats (Reading Room)\" AS seats FROM branch WHERE seats IS NULL OR code = '001' ORDER BY code"
	for _, c := range []struct {
		args        []string
		want, wrong string
	}{
		{[]string{"--db", "city_library", branches}, "code  name            seats\n001   Harbour Street  120\n004   Riverside\nrows: 2\n", ""},
		{[]string{"--db", "city_library", "--as", "json", branches}, "[\"001\",\"Harbour Street\",120]\n[\"004\",\"Riverside\",null]\n", ""},
		{[]string{"--db", "city_library", "--as", "csv", branches}, "\"code\",\"name\",\"seats\"\n\"001\",\"Harbour Street\",120\n\"004\",\"Riverside\",\n", ""},
		{[]string{"--db", "city_library", "--as", "csv", "SELECT 1 AS a WHERE 0"}, "\"a\"\n", ""},
		{[]string{"SELECT 1 + 1 AS two"}, "two\n2\nrows: 1\n", ""},
		{[]string{"--db", "city_library", "SELECT * FROM branches"}, "", "no such table: branches"},
		{[]string{"--db", "city_library", "DELETE FROM branch"}, "", "not a SELECT"},
		{[]string{"--db", "city_library,bird_club", "SELECT 1"}, "", "name it with --db"},
		{[]string{"--db", "nowhere.sqlite", "SELECT 1"}, "", "there is no such file"},
		{[]string{"--as", "xml", "SELECT 1"}, "", "--as \"xml\": use table, json, csv"},
		{[]string{"--variant", "sel", "SELECT 1"}, "", "--variant: sql has no use for it"},
		{[]string{"--db", "", "SELECT 1"}, "", "--db is empty"},
		{[]string{"--timeout", "0s", "SELECT 1"}, "", "--timeout 0s"},
		{[]string{"--apis", notYAML, "SELECT 1"}, "", "this is no YAML"},
		{[]string{"--apis", "none.yaml", "SELECT 1"}, "", "none.yaml"},
	} {
		stdout, stderr, code := execute(t, append([]string{"sql"}, c.args...)...)
		got := trimmed(stdout)
		switch {
		case c.wrong != "" && (code != 2 || !strings.Contains(stderr, c.wrong)):
			t.Errorf("%v: exit code %d, %q, want %q", c.args, code, stderr, c.wrong)
		case c.wrong == "" && (code != 0 || got != c.want):
			t.Errorf("%v: exit code %d, %s\n%s\nwant\n%s", c.args, code, stderr, got, c.want)
		}
	}
}

// TestSQLRepair lists statements with what is said of their repair, and what they print
// then.
func TestSQLRepair(t *testing.T) {
	index := filepath.Join(t.TempDir(), "index")
	for _, c := range []struct {
		args           []string
		stdout, stderr string
	}{
		{
			[]string{"--db", "city_library", "--repair", "SELECT code FROM branch WHERE name IN ('Rivreside', 'Zanzibar')"},
			"code\n004\nrows: 1\n", "repaired: branch.name stores no \"Rivreside\"; \"Riverside\" is meant (one letter differs)\n",
		},
		{[]string{"--db", "city_library", "--repair", "--index", index, "SELECT code FROM branch WHERE name = 'Riverside'"}, "code\n004\nrows: 1\n", ""},
		{[]string{"--db", "city_library", "SELECT code FROM branch WHERE name = 'Rivreside'"}, "code\nrows: 0\n", ""},
		{[]string{"--repair", "SELECT 1 AS one"}, "one\n1\nrows: 1\n", ""},
	} {
		stdout, stderr, code := execute(t, append([]string{"sql"}, c.args...)...)
		if code != 0 || trimmed(stdout) != c.stdout || stderr != c.stderr {
			t.Errorf("%v: exit code %d\n%s%s\nwant\n%s%s", c.args, code, stderr, stdout, c.stderr, c.stdout)
		}
	}
	if _, err := os.Stat(filepath.Join(index, "city_library.find")); err != nil {
		t.Errorf("the index is not in its folder: %v", err)
	}
	for _, c := range []struct {
		args  []string
		wrong string
	}{
		{[]string{"--db", "city_library", "--index", index, "SELECT 1"}, "--index: it is the index of --repair"},
		{[]string{"--db", "city_library", "--repair", "--index", "", "SELECT 1"}, "--index is empty"},
		{[]string{"--db", "city_library", "--repair", "SELECT FROM"}, "find:"},
	} {
		_, stderr, code := execute(t, append([]string{"sql"}, c.args...)...)
		if code != 2 || !strings.Contains(stderr, c.wrong) {
			t.Errorf("%v: exit code %d, %q, want %q", c.args, code, stderr, c.wrong)
		}
	}
}

// trimmed returns lines without the spaces at their ends.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// question is one of a dataset that a test writes.
type question struct{ db, sql string }

// writeDataset writes a plain dataset: databases by their scripts, and questions.
func writeDataset(t *testing.T, databases map[string]string, questions []question) string {
	t.Helper()
	dir := t.TempDir()
	for name, script := range databases {
		db, err := sql.Open("sqlite", filepath.Join(dir, name+".sqlite"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(script); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var list []map[string]any
	for i, q := range questions {
		list = append(list, map[string]any{"question_id": i, "db_id": q.db, "question": "How many?", "evidence": "", "SQL": q.sql})
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "questions.json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// outcomes returns what became of the questions of a conversion: "" for a sample, or
// status and construct.
func outcomes(t *testing.T, folder string, questions int) []string {
	t.Helper()
	var report struct {
		Failures []struct {
			ID        int    `json:"question_id"`
			Status    string `json:"status"`
			Construct string `json:"construct"`
		} `json:"failures"`
	}
	text, err := os.ReadFile(filepath.Join(folder, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	out := make([]string, questions)
	for _, f := range report.Failures {
		out[f.ID] = f.Status + ": " + f.Construct
	}
	return out
}

// TestMemory lists questions that take more memory than --question-memory or
// --max-value allow. Which are refused depends on the question alone: they are the same
// with one job and with eight.
func TestMemory(t *testing.T) {
	const memory = "unsupported: memory"
	long := "replace(replace(replace(replace(b, 'x', 'xxxxxxxxxx'), 'x', 'xxxxxxxxxx'), 'x', 'xxxxxxxxxx'), 'x', 'xxxxxxxxxx')"
	questions := []question{
		{"small", "SELECT count(*) FROM t"},
		{"small", "SELECT * FROM t a, t b, t c"},
		{"small", "SELECT count(*) FROM t a, t b, t c WHERE a.a = b.a AND b.a = c.a"},
		{"small", "SELECT " + long + " FROM t WHERE a = 1"},
		{"small", "SELECT max(length(" + long + ")) FROM t"},
		{"small", "SELECT group_concat(b, 'and so on') FROM t"},
		{"small", "SELECT a FROM t WHERE b = 'x' ORDER BY a DESC LIMIT 3"},
	}
	want := map[string][]string{
		"slot": {"", memory, "", memory, memory, "", ""},
		"rest": {"", memory, "", memory, memory, "", ""},
	}
	dir := writeDataset(t, map[string]string{
		"small": "CREATE TABLE t(a INTEGER, b TEXT); WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT 150) INSERT INTO t SELECT x, 'x' FROM c",
	}, questions)
	for variant, want := range want {
		for _, jobs := range []string{"1", "8"} {
			out := t.TempDir()
			got := programtest.Run(t, "convert", "--dataset", dir, "--variant", variant, "--out", out, "--jobs", jobs, "--question-memory", "20000000", "--max-value", "5000")
			if got.Code != 0 {
				t.Fatalf("%+v", got)
			}
			for i, o := range outcomes(t, filepath.Join(out, variant), len(questions)) {
				if o != want[i] {
					t.Errorf("%s, %s jobs: %s: got %q, want %q", variant, jobs, questions[i].sql, o, want[i])
				}
			}
		}
	}
}

// TestTooLargeForOneColumn has a value that is larger than any may be, and a column
// whose name is longer than a statement: they cost no other question its sample.
func TestTooLargeForOneColumn(t *testing.T) {
	for _, c := range []struct {
		name, script string
		flags        []string
	}{
		{"value", "CREATE TABLE t(a INTEGER, b BLOB); INSERT INTO t VALUES (1, zeroblob(100000)); CREATE TABLE u(a INTEGER); INSERT INTO u VALUES (5)", []string{"--max-value", "90000"}},
		{"name", fmt.Sprintf(`CREATE TABLE t(a INTEGER, "%s" TEXT); INSERT INTO t VALUES (1, 'x'); CREATE TABLE u(a INTEGER); INSERT INTO u VALUES (5)`, strings.Repeat("c", 60_000)), nil},
	} {
		questions := []question{{c.name, "SELECT a FROM u"}, {c.name, "SELECT a FROM t"}}
		dir := writeDataset(t, map[string]string{c.name: c.script}, questions)
		for _, variant := range []string{"slot", "sel", "rest", "query"} {
			out := t.TempDir()
			got := programtest.Run(t, "convert", append(c.flags, "--dataset", dir, "--variant", variant, "--out", out, "--quiet")...)
			if got.Code != 0 {
				t.Fatalf("%s, %s: %+v", variant, c.name, got)
			}
			for i, o := range outcomes(t, filepath.Join(out, variant), len(questions)) {
				if o != "" && !(c.name == "value" && i == 1 && o == "unsupported: memory") { // the row is too large
					t.Errorf("%s: %s: %s", variant, questions[i].sql, o)
				}
			}
		}
	}
}

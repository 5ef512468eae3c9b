package main

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/evaluation/execute"
	"github.com/birdcall/birdcall/internal/testkit/apitest"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/testkit/scripted"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/spec"
)

var timeLine = regexp.MustCompile(`(?m)^time: .* ms a statement, gold's .* ms\n`)

// TestRunAPIs asks for SQL over a database and an API, and has an agent work with
// both. It says what is printed, and that the files do not depend on --jobs.
func TestRunAPIs(t *testing.T) {
	folder := convertOne(t)
	samples, err := samples(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	library := apitest.Start(t)
	databases := execute.Open(library.Dataset(t), execute.Options{})
	defer databases.Close()
	var sql, acts []scripted.Entry
	for i, s := range samples {
		statement := s.SQL
		if i%5 == 0 { // has the answer, and asks for too much
			statement = "WITH many AS MATERIALIZED (SELECT DISTINCT name FROM branch) SELECT * FROM (" + s.SQL + ") WHERE (SELECT count(*) FROM many) > 0"
		}
		sql = append(sql, scripted.Entry{Question: s.Question, Content: "```sql\n" + statement + "\n```"})
		rows := [][]any{{"wrong"}}
		if got, err := databases.Query(t.Context(), s, s.SQL); err == nil && i%2 == 0 {
			rows = spec.Cells(got)
		}
		answer, err := jsontext.Marshal(map[string]any{"rows": rows}, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, content := range []string{
			"Thought: I list.\nAction: branch\nAction Input: {\"limit\": 4}", fmt.Sprintf("Thought: I answer.\nAction: answer\nAction Input: %s", answer),
		} {
			acts = append(acts, scripted.Entry{Question: s.Question, Content: content})
		}
	}
	for mode, entries := range map[evaluate.Mode][]scripted.Entry{evaluate.SQL: sql, evaluate.Agent: acts} {
		server := httptest.NewServer(&scripted.Server{Script: scripted.New(entries...)})
		defer server.Close()
		files := map[string]string{}
		for _, jobs := range []string{"1", "4"} {
			out := t.TempDir()
			stdout, stderr, err := program(t, "run", "--dataset", folder, "--apis", library.File, "--model", "scripted", "--base-url", server.URL,
				"--mode", string(mode), "--out", out, "--jobs", jobs, "--by", "difficulty", "--all")
			if err != nil {
				t.Fatal(err, stderr)
			}
			if hasTime := timeLine.MatchString(stdout); hasTime != (mode == evaluate.SQL) {
				t.Errorf("%s: the time is told: %v", mode, hasTime)
			}
			stdout = timeLine.ReplaceAllString(strings.ReplaceAll(stdout, out+string(filepath.Separator), ""), "")
			stdout = regexp.MustCompile(`\d+ tokens in|[\d,]+ in prompts`).ReplaceAllString(stdout, "N tokens in") // as long as the prompts, which have the port
			golden.Equal(t, filepath.Join("testdata", "apis_"+string(mode)+".txt"), filepath.ToSlash(stdout))
			if mode == evaluate.SQL {
				inDocs(t, stdout)
			}
			for _, name := range []string{"slot_" + string(mode) + "_exact_score.json", "report.json"} {
				text, err := os.ReadFile(filepath.Join(out, "score", "scripted", name))
				if err != nil {
					t.Fatal(err)
				}
				if before, ok := files[name]; ok && before != string(text) {
					t.Errorf("%s: %s depends on --jobs", mode, name)
				}
				files[name] = string(text)
				if !bytes.Contains(text, []byte(`"apis":`)) {
					t.Errorf("%s: %s has nothing of APIs", mode, name)
				}
			}
		}
	}
}

// inDocs says that docs/evaluation.md shows what is printed of calls.
func inDocs(t *testing.T, printed string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "evaluation.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, fact, _ := strings.Cut(printed, "\ncalls of APIs")
	fact, _, _ = strings.Cut(fact, "\n")
	_, sums, _ := strings.Cut(printed, "\nWhat was asked of APIs")
	sums, _, _ = strings.Cut(sums, "\n\n")
	if !strings.Contains(string(page), "calls of APIs"+fact+"\n\nWhat was asked of APIs"+sums+"\n```\n") {
		t.Errorf("docs/evaluation.md shows something else than\n%s\n%s", fact, sums)
	}
}

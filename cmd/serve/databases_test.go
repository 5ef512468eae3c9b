package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// TestMissingDatabases serves a dataset of which a database is not there, or is none.
// The others are served, and what is missing is reported.
func TestMissingDatabases(t *testing.T) {
	for name, write := range map[string]func(path string){
		"not there":   func(string) {},
		"no database": func(path string) { _ = os.WriteFile(path, []byte("no database"), 0o600) },
	} {
		dir := plain(t, "CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1)", "SELECT a FROM t", "SELECT max(a) FROM t")
		path := filepath.Join(dir, "questions.jsonl")
		questions, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		first, second, _ := strings.Cut(string(questions), "\n")
		if err := os.WriteFile(path, []byte(first+"\n"+strings.Replace(second, `"d"`, `"gone"`, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		write(filepath.Join(dir, "gone.sqlite"))
		s := programtest.Serve(t, "--dataset", dir)
		for _, c := range []struct {
			method, path, body string
			status             int
			want               string
		}{
			{"GET", "/readyz", "", 200, "ready"},
			{"POST", "/v1/sessions", `{"db":"d","sample_id":0}`, 201, `"question"`},
			{"POST", "/v1/sessions", `{"db":"gone","sample_id":1}`, 404, "the database gone could not be opened"},
			{"GET", "/v1/bird/gone/a", "", 503, "The database gone could not be opened"},
			{"GET", "/openapi/gone.json", "", 503, "The database gone could not be opened"},
			{"GET", "/v1/bird/other/a", "", 404, "No such path"},
			{"GET", "/v1/tasks?bare=true", "", 200, `"task_id":"slot/d/0"`},
		} {
			if status, _, text := s.Do(t, c.method, c.path, c.body); status != c.status || !strings.Contains(text, c.want) || strings.Contains(text, `"slot/gone`) {
				t.Errorf("%s: %s %s: %d %s, want %d %s", name, c.method, c.path, status, text, c.status, c.want)
			}
		}
		s.Stop(t)
		if log := s.Log(); !strings.Contains(log, `"a database is not served","database":"gone"`) {
			t.Errorf("%s: %s", name, log)
		}
	}
	dir := plain(t, "CREATE TABLE t(a INTEGER)", "SELECT a FROM t")
	if err := os.Remove(filepath.Join(dir, "d.sqlite")); err != nil {
		t.Fatal(err)
	}
	if got := programtest.Run(t, "serve", "--addr", "127.0.0.1:0", "--dataset", dir); got.Code == 0 || !strings.Contains(got.Stderr, "d.sqlite") {
		t.Errorf("none is left: %+v", got)
	}
}

// TestDatabasesWithoutQuestions serves a folder of databases, and a file whose name has
// a comma.
func TestDatabasesWithoutQuestions(t *testing.T) {
	dir := plain(t, "CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1)")
	if err := os.Remove(filepath.Join(dir, "questions.jsonl")); err != nil {
		t.Fatal(err)
	}
	s := programtest.Serve(t, "--dataset", dir)
	if status, _, _, text := postJSON(t, s, "/v1/sessions", `{"db":"d"}`); status != 201 || !strings.Contains(text, `"t"`) {
		t.Errorf("a folder: %s", text)
	}
	comma := filepath.Join(dir, "a,b.sqlite")
	if err := os.Rename(filepath.Join(dir, "d.sqlite"), comma); err != nil {
		t.Fatal(err)
	}
	s = programtest.Serve(t, "--db", comma)
	if status, _, _, text := postJSON(t, s, "/v1/sessions", `{"db":"a,b"}`); status != 201 || !strings.Contains(text, `"t"`) {
		t.Errorf("a file with a comma: %s", text)
	}
}

package rest

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/pkg/bird"
)

// dataset makes a dataset in the plain layout, of one database that the
// statements build, with a question for every query.
func dataset(t testing.TB, statements []string, queries ...string) *bird.Dataset {
	t.Helper()
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, "odd.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	type question struct {
		Question string `json:"question"`
		SQL      string `json:"sql"`
		DB       string `json:"db"`
	}
	var questions []question
	for _, q := range queries {
		questions = append(questions, question{"What does it answer?", q, "odd"})
	}
	text, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "questions.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := bird.Load(bird.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// oddTables has tables that cannot be read next to those that can, and a
// full-text table.
var oddTables = []string{
	"CREATE TABLE good (id INTEGER PRIMARY KEY, name TEXT)",
	"INSERT INTO good VALUES (1, 'One'), (2, 'Two')",
	"CREATE VIEW overflow AS SELECT abs(-9223372036854775807 - id) AS big FROM good",
	"CREATE VIEW dangling AS SELECT id FROM gone",
	"CREATE VIRTUAL TABLE notes USING fts5(title, body)",
	"INSERT INTO notes VALUES ('One', 'the quick fox'), ('Two', 'the lazy dog')",
	"CREATE VIRTUAL TABLE spot USING rtree(id, low, high)",
}

// TestOneQueryDoesNotTakeOthersAlong has queries that fail among others.
func TestOneQueryDoesNotTakeOthersAlong(t *testing.T) {
	tests := []struct{ sql, answer, failure string }{
		{sql: "SELECT name FROM good WHERE id = 2", answer: `[{"name":"Two"}]`},
		{sql: "SELECT title FROM notes WHERE notes MATCH 'quick'", answer: `[{"title":"One"}]`},
		{sql: "SELECT title FROM notes WHERE body LIKE '%lazy%'", answer: `[{"title":"Two"}]`},
		{sql: "SELECT title FROM notes('fox OR dog') ORDER BY rank LIMIT 5", answer: `[{"title":"One"},{"title":"Two"}]`},
		{sql: "SELECT title FROM notes WHERE notes MATCH 'unfinished \"'", failure: "the question's own SQL fails"},
		{sql: "SELECT big FROM overflow WHERE big = 1", failure: "integer overflow"},
		{sql: "SELECT id FROM dangling WHERE id = 1", failure: "no such table"},
		{sql: "SELECT id FROM spot WHERE low > 1", failure: "not authorized"},
		{sql: "SELECT FROM WHERE", failure: "syntax error"},
	}
	var queries []string
	for _, test := range tests {
		queries = append(queries, test.sql)
	}
	d := dataset(t, oddTables, queries...)
	ctx := context.Background()
	x, err := NewConverter(ctx, d, ConverterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, err := x.API.Database("odd").Tools(ctx); err != nil {
		t.Errorf("tools: %v", err)
	}
	for i, test := range tests {
		r, err := x.Convert(ctx, &d.Questions[i])
		switch {
		case test.failure != "":
			if err == nil || !strings.Contains(err.Error(), test.failure) {
				t.Errorf("%s: error %v, want one with %q", test.sql, err, test.failure)
			}
		case err != nil:
			t.Errorf("%s: %v", test.sql, err)
		case !strings.Contains(r.Result, `"data":`+test.answer):
			t.Errorf("%s: %s, want %s", test.sql, r.Result, test.answer)
		}
	}
	c, err := Open(ctx, d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Document(ctx, DocumentOptions{}); err != nil {
		t.Errorf("document: %v", err)
	}
	// What a client searches for is no SQL, and may be no query either.
	call, err := c.Call(&d.Questions[1])
	if err != nil {
		t.Fatal(err)
	}
	h := NewService(c, ServiceOptions{}).Handler()
	for text, status := range map[string]int{"quick": 200, "nothing": 200, `"`: 422, "AND": 422, "body:": 422, "x' OR 1 --": 422} {
		w := httptest.NewRecorder()
		path := call.Endpoint.Path + "?" + call.Endpoint.Params[0].Name + "=" + url.QueryEscape(text)
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != status {
			t.Errorf("%s: status %d, want %d: %s", text, w.Code, status, w.Body)
		}
	}
}

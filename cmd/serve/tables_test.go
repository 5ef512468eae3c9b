package main

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// TestOddTables serves a full-text table, an R-tree and a view of a table that there is
// not: tables and columns in which SQLite keeps the first are not listed, and the
// others are left out with a warning.
func TestOddTables(t *testing.T) {
	file := programtest.Database(t, "odd", `
		CREATE VIRTUAL TABLE notes USING fts5(title, body);
		INSERT INTO notes VALUES ('One', 'the quick fox');
		CREATE VIRTUAL TABLE spot USING rtree(id, low, high);
		CREATE VIEW dangling AS SELECT id FROM gone;
		CREATE TABLE own(id INTEGER PRIMARY KEY);`)
	service := programtest.Serve(t, "--tables", "--db", file)
	_, _, list := service.Do(t, "GET", "/v1/tables/odd", "")
	for _, want := range []string{`"name":"notes"`, `"name":"title"`, `"name":"own"`} {
		if !strings.Contains(list, want) {
			t.Errorf("%s is not in %s", want, list)
		}
	}
	_, _, tool := service.Do(t, "GET", "/v1/query/odd", "")
	if !strings.Contains(tool, "title") {
		t.Errorf("the tool: %s", tool)
	}
	for _, hidden := range []string{"notes_", "rank", "spot", "dangling"} {
		if strings.Contains(list, hidden) || strings.Contains(tool, hidden) {
			t.Errorf("%s is listed:\n%s\n%s", hidden, list, tool)
		}
	}
	service.Stop(t) // the log is written then
	for _, name := range []string{"spot", "dangling"} {
		if !strings.Contains(service.Log(), `the table \"`+name+`\" is left out: `) {
			t.Errorf("no warning about %s: %s", name, service.Log())
		}
	}
}

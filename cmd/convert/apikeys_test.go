package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
	"github.com/birdcall/birdcall/internal/testkit/thorough"
)

// files writes texts to files of a folder, by their names, and returns the folder.
func files(t *testing.T, texts map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestKeysOfOtherTypes compares the key that an API must be asked by with values of
// other types: the answer is that of the file, or the statement is refused and the
// error names the table, the column and the value.
func TestKeysOfOtherTypes(t *testing.T) {
	file := programtest.Database(t, "keys", `
		CREATE TABLE t(code TEXT, n INTEGER);
		INSERT INTO t VALUES ('7', 1), ('007', 2), ('7', 3), ('x', 4);
		CREATE TABLE u(tid INTEGER, tcode TEXT);
		INSERT INTO u VALUES (7, '007'), (8, 'x');`)
	server := programtest.Serve(t, "--tables", "--db", file)
	folder := files(t, map[string]string{"apis.yaml": fmt.Sprintf(`
apis: {keys: {openapi: "%[1]s/openapi/keys.json", server: "%[1]s"}}
databases: {keys: {tables: {t: {list: rows_of_t, required: [code]}}}}
`, server.URL), "get.yaml": fmt.Sprintf(`
apis: {keys: {openapi: "%[1]s/openapi/keys.json", server: "%[1]s"}}
databases: {keys: {tables: {t: {get: {operation: rows_of_t, rows: /data}, only: [code]}}}}
`, server.URL)})
	for i, c := range []struct{ sql, want, refused string }{
		{"SELECT count(*) AS n FROM t WHERE code = '7'", "2", ""},
		{"SELECT count(*) AS n FROM t WHERE code = '007'", "1", ""},
		{"SELECT count(*) AS n FROM t WHERE code IN ('7', 'x', NULL)", "3", ""},
		{"SELECT count(*) AS n FROM t WHERE code = NULL", "0", ""},
		{"SELECT count(*) AS n FROM u JOIN t ON t.code = u.tcode", "2", ""},
		{"SELECT count(*) AS n FROM u JOIN t ON t.code = CAST(u.tid AS TEXT)", "2", ""},
		{"SELECT count(*) AS n FROM t WHERE code = 7", "2", "the number 7"},
		{"SELECT count(*) AS n FROM t WHERE code = 7.0", "0", "the number 7.0"},
		{"SELECT count(*) AS n FROM t WHERE code IN ('x', 7)", "3", ""},
		{"SELECT count(*) AS n FROM t WHERE code = x'37'", "0", "the BLOB x'37'"},
		{"SELECT count(*) AS n FROM u JOIN t ON t.code = u.tid", "3", "the number 7"},
	} {
		for _, declaration := range thorough.Every([]string{"apis.yaml", "get.yaml"}, 2, i) {
			got := programtest.Run(t, "convert", "sql", "--db", file, "--apis", filepath.Join(folder, declaration), "--as", "json", c.sql)
			switch {
			case c.refused == "" && got.Stdout != "["+c.want+"]\n":
				t.Errorf("%s: %s: %+v, want %s", declaration, c.sql, got, c.want)
			case c.refused != "" && (got.Code == 0 || !strings.Contains(got.Stderr, "table t") || !strings.Contains(got.Stderr, "code") || !strings.Contains(got.Stderr, c.refused)):
				t.Errorf("%s: %s: %+v, want that %s is refused", declaration, c.sql, got, c.refused)
			}
		}
		if own := programtest.Run(t, "convert", "sql", "--db", file, "--as", "json", c.sql); own.Stdout != "["+c.want+"]\n" {
			t.Errorf("%s on the file: %+v, want %s", c.sql, own, c.want)
		}
	}
}

// TestDeclaredText asks an API, whose document does not say what a column has, for
// digits in a column that is declared as TEXT: each key is a call, and nothing is
// listed.
func TestDeclaredText(t *testing.T) {
	var asked, listed atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rows := []string{`{"id": 1, "assignee": 2}`, `{"id": 2, "assignee": "7"}`, `{"id": 3, "assignee": 2}`}
		switch r.URL.Query().Get("assignee") {
		case "":
			listed.Add(1)
		case "2":
			asked.Add(1)
			rows = []string{rows[0], rows[2]}
		default:
			asked.Add(1)
			rows = nil
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, "[%s]", strings.Join(rows, ","))
	}))
	defer server.Close()
	folder := files(t, map[string]string{"apis.yaml": fmt.Sprintf(`
apis: {issues: {openapi: issues.yaml, server: %q}}
tables: {issue: {list: issues, columns: {assignee: {path: /assignee, type: TEXT}}}}
`, server.URL), "issues.yaml": `
openapi: 3.1.0
info: {title: Issues, version: "1"}
paths:
  /issues:
    get:
      operationId: issues
      parameters: [{name: assignee, in: query, schema: {type: string}}]
      responses: {"200": {description: issues, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: integer}, assignee: {}}}}}}}}
`})
	const query = "SELECT group_concat(id) AS ids, max(typeof(assignee)) AS type FROM issue WHERE assignee = '2'"
	got := programtest.Run(t, "convert", "sql", "--apis", filepath.Join(folder, "apis.yaml"), "--as", "json", query)
	if got.Stdout != "[\"1,3\",\"text\"]\n" || asked.Load() != 1 || listed.Load() != 0 {
		t.Errorf("%+v, %d calls by keys and %d listings", got, asked.Load(), listed.Load())
	}
}

// TestDeepDeclaration has a declaration and a document that are nested 100,000 levels
// deep: an error names the file.
func TestDeepDeclaration(t *testing.T) {
	folder := files(t, map[string]string{
		"deep.yaml": strings.Repeat("[", 100_000), "deep.json": strings.Repeat("[", 100_000), "apis.yaml": "apis: {deep: {openapi: deep.json, server: 'http://127.0.0.1:1'}}\n",
	})
	for file, want := range map[string]string{"deep.yaml": "deep.yaml", "apis.yaml": "the document deep.json"} {
		c := programtest.Command(t, "convert", "sql", "--apis", filepath.Join(folder, file), "SELECT 1")
		late := time.AfterFunc(20*time.Second, func() { _ = c.Process.Kill() })
		got := programtest.RunCommand(t, c)
		late.Stop()
		if got.Code != 2 || !strings.Contains(got.Stderr, want) || !strings.Contains(got.Stderr, "levels deep") {
			t.Errorf("%s: code %d, %.300s", file, got.Code, got.Stderr)
		}
	}
}

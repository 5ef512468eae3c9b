package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// plain makes a folder with the database d of a schema and a question for each
// statement, whose ids count from 0.
func plain(t testing.TB, schema string, statements ...string) string {
	t.Helper()
	dir := t.TempDir()
	execute(t, filepath.Join(dir, "d.sqlite"), schema)
	var b bytes.Buffer
	for i, s := range statements {
		line, err := json.Marshal(map[string]any{"question_id": i, "question": "?", "sql": s, "db": "d"})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(dir, "questions.jsonl"), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// execute runs statements on a database file.
func execute(t testing.TB, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
}

// converted has convert write the samples of a variant into its own folder below
// out.
func converted(t testing.TB, out, variant string, args ...string) {
	t.Helper()
	args = append([]string{"--variant", variant, "--out", out, "--quiet"}, args...)
	if got := programtest.Run(t, "convert", args...); got.Code != 0 {
		t.Fatalf("convert %v: %+v", args, got)
	}
}

// postJSON sends a body and returns the answer read as JSON, with its text.
func postJSON(t testing.TB, s *programtest.Server, path, body string, header ...string) (status int, retry string, answer map[string]any, text string) {
	t.Helper()
	status, head, text := s.Do(t, "POST", path, body, append([]string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}, header...)...)
	answer = map[string]any{}
	if text != "" {
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatalf("%s: %v: %s", path, err, text)
		}
	}
	return status, head.Get("Retry-After"), answer, text
}

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// TestScoreReadsNothingAgain has the data change between a call and its score.
func TestScoreReadsNothingAgain(t *testing.T) {
	dir := plain(t, "CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1), (2)", "SELECT a FROM t")
	s := programtest.Serve(t, "--dataset", dir)
	_, _, answer, text := postJSON(t, s, "/v1/sessions", `{"variant":"rest","db":"d","sample_id":0,"id":"r","format":"function"}`)
	tools, _ := answer["tools"].([]any)
	if len(tools) != 1 {
		t.Fatal(text)
	}
	name := tools[0].(map[string]any)["name"].(string)
	if status, _, _, text := postJSON(t, s, "/v1/sessions/r/calls", `{"name":"`+name+`"}`); status != 200 || !strings.Contains(text, `"row_count":2`) {
		t.Fatal(text)
	}
	execute(t, filepath.Join(dir, "d.sqlite"), "DELETE FROM t")
	if _, _, score, text := postJSON(t, s, "/v1/sessions/r/score", ""); score["reward"] != 1.0 {
		t.Errorf("the score of calls that were right: %s", text)
	}
}

// A statement that takes some tenths of a second, and what it reads.
const (
	many = "CREATE TABLE t AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 200) SELECT x FROM c"
	slow = "SELECT count(*) FROM t AS a, t AS b, t AS c"
)

// TestNoTimeIsNoMistake has an endpoint that is slower than the service allows. Each
// way to call it says that it may be called again, and each way to score that it
// cannot be scored.
func TestNoTimeIsNoMistake(t *testing.T) {
	dir, out := plain(t, many, slow), t.TempDir()
	converted(t, out, "rest", "--dataset", dir)
	s := programtest.Serve(t, "--dataset", dir, "--samples", out, "--timeout", "20ms")
	_, _, answer, text := postJSON(t, s, "/v1/sessions", `{"variant":"rest","db":"d","sample_id":0,"id":"r","format":"function"}`)
	tools, _ := answer["tools"].([]any)
	if len(tools) != 1 {
		t.Fatal(text)
	}
	name := tools[0].(map[string]any)["name"].(string)
	for _, c := range []struct{ at, body string }{{"/v1/sessions/r/calls", `{"name":"` + name + `"}`}, {"/v1/sessions/r/score", ""}} {
		status, retry, answer, text := postJSON(t, s, c.at, c.body)
		if status != 503 || retry == "" || answer["title"] != "Out of time" {
			t.Errorf("%s: %d, Retry-After %q: %s", c.at, status, retry, text)
		}
	}
	_, _, _, text = postJSON(t, s, "/mcp/s/r", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":{}}}`)
	if !strings.Contains(text, `"isError":true`) || !strings.Contains(text, "out of time; try the same again") {
		t.Errorf("MCP: %s", text)
	}
	const row = `{"task_id":"rest/d/0","response":{"output":[]}}`
	header := []string{"X-NeMo-Gym-Session-Token", "n"}
	if status, _, _, text := postJSON(t, s, "/seed_session", row, header...); status != 200 {
		t.Fatal(text)
	}
	if status, _, _, text := postJSON(t, s, "/"+name, `{}`, header...); status != 200 || !strings.Contains(text, "out of time; try the same again") {
		t.Errorf("a tool of NeMo Gym: %d %s", status, text)
	}
	for _, c := range []struct{ by, row, class string }{
		{"session", row, "out_of_time"},
		{"session that has ended", row, "session_ended"},
		{"calls", `{"task_id":"rest/d/0","response":{"output":[{"type":"function_call","name":"` + name + `","arguments":"{}"}]}}`, "out_of_time"},
	} {
		with := header
		if c.by == "calls" {
			with = nil
		}
		status, _, answer, text := postJSON(t, s, "/verify", c.row, with...)
		if status != 200 || answer["reward"] != 0.0 || answer["_ng_failure_class"] != c.class || answer["response"] == nil {
			t.Errorf("/verify by %s: %d %s", c.by, status, text)
		}
	}
}

// TestQuestionOutOfTime opens a session of a question that takes longer to convert
// than a call may take. That there is no such question would be wrong to say.
func TestQuestionOutOfTime(t *testing.T) {
	dir := plain(t, many, slow)
	s := programtest.Serve(t, "--dataset", dir, "--call-time", "20ms")
	status, retry, answer, text := postJSON(t, s, "/v1/sessions", `{"variant":"rest","db":"d","sample_id":0}`)
	if status != 503 || retry == "" || answer["title"] != "Out of time" {
		t.Errorf("%d, Retry-After %q: %s", status, retry, text)
	}
}

package main

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// endless is a view that has no end, and questions about it.
var endless = []string{
	"CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1); CREATE VIEW v AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
	"SELECT x FROM v LIMIT 3", "SELECT count(*) FROM v WHERE x = 5", "SELECT a FROM t",
}

// TestSlowView serves a view that has no end: documents and lists of tools come all
// the same, and so does the end of the service.
func TestSlowView(t *testing.T) {
	dir := plain(t, endless[0], endless[1:]...)
	s := programtest.Serve(t, "--dataset", dir, "--tables", "--timeout", "1s", "--call-time", "2s")
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", "/openapi/d.json", "", `"/v1/bird/d/`},
		{"GET", "/openapi.json", "", `"/v1/bird/d/`},
		{"POST", "/v1/sessions", `{"variant":"rest","db":"d"}`, `"tools":[{`},
		{"POST", "/mcp/rest/d", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `"tools":[{`},
	} {
		if _, _, text := s.Do(t, c.method, c.path, c.body, "Content-Type", "application/json", "Accept", "application/json, text/event-stream"); !strings.Contains(text, c.want) {
			t.Errorf("%s %s: %.300s", c.method, c.path, text)
		}
	}
}

// TestSlowViewEnds has a client leave that asked for a list of tools, and ends the
// service while others wait for it.
func TestSlowViewEnds(t *testing.T) {
	dir := plain(t, endless[0], endless[1:]...)
	s := programtest.Serve(t, "--dataset", dir, "--timeout", "1h", "--call-time", "1h", "--grace", "1h")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", s.URL+"/v1/sessions", strings.NewReader(`{"variant":"rest","db":"d"}`))
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := http.DefaultClient.Do(r); err == nil {
		answer.Body.Close()
	}
	go func() {
		if answer, err := http.Get(s.URL + "/openapi/d.json"); err == nil {
			answer.Body.Close()
		}
	}()
	stopped := make(chan struct{})
	go func() {
		s.Stop(t)
		close(stopped)
	}()
	select {
	case <-stopped:
	case <-time.After(30 * time.Second):
		t.Error("the service does not end")
	}
}

// TestConvertSlowView converts questions about a view that has no end.
func TestConvertSlowView(t *testing.T) {
	dir := plain(t, endless[0], endless[1:]...)
	c := programtest.Command(t, "convert", "--variant", "rest", "--dataset", dir, "--timeout", "1s", "--out", t.TempDir())
	late := time.AfterFunc(30*time.Second, func() { c.Process.Kill() })
	out, _ := c.CombinedOutput()
	if !late.Stop() || !strings.Contains(string(out), "1 timeout: time (1)") {
		t.Errorf("convert: %s", out)
	}
}

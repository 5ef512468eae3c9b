package main

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// TestStdioMistakes writes lines that are no messages to a client's session, which are
// answered, and the session goes on.
func TestStdioMistakes(t *testing.T) {
	for line, code := range map[string]string{
		`{"jsonrpc":"2.0"}`: "-32600", `[]`: "-32600", `"ping"`: "-32600", `{"jsonrpc":"1.0","id":9,"method":"ping"}`: "-32600",
		`ping`: "-32700", `{"jsonrpc":"2.0","id":9`: "-32700", `{"x":"` + strings.Repeat("x", 17<<20) + `"}`: "-32600",
	} {
		c := programtest.Command(t, "serve", "--mcp", "stdio", "--db", "bird_club", "--log-level", "error")
		c.Stdin = strings.NewReader(line + "\n" + `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n")
		got := programtest.RunCommand(t, c)
		if got.Code != 0 || !strings.Contains(got.Stdout, `"id":null,"error":{"code":`+code) || !strings.Contains(got.Stdout, `"id":1,"result"`) {
			t.Errorf("%.60s: %+v", line, got)
		}
	}
}

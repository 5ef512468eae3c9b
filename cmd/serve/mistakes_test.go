package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// TestMistakes lists command lines as people type them by mistake, with what each is
// answered: what is wrong, where, and what to type.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ line, want string }{
		{"--port 80", "unknown flag: --port; did you mean --addr?"},
		{"--dataest DIR", "unknown flag: --dataest; did you mean --dataset?"},
		{"DIR", "files and folders are given with flags; did you mean --dataset DIR?"},
		{"healthchek", `unknown command "healthchek"; did you mean serve healthcheck?`},
		{"--timeout 5", "--timeout 5: give a duration such as 30s or 5m"},
		{"--rate fast", "--rate fast: give a number, for the requests per second"},
		{"--addr 80", "choose another --addr, such as 127.0.0.1:8080"},
		{"--addr 127.0.0.1:999999", "invalid port; choose another --addr, such as 127.0.0.1:8080"},
		{"--dataset DIR/nowhere", "find DIR/nowhere: no such file or directory; give the folder of a dataset"},
		{"--dataset DIR/file", "find DIR/file: not a directory; give the folder of a dataset, or a question file with --questions"},
		{"--db bird_clob", "did you mean bird_club?"},
		{"--split tset", "there is no such split: tset; choose one of dev"},
		{"--find --find-hide customer.Emial", "find: the hidden column \"customer.Emial\" fits no column, so that nothing would be hidden; did you mean customer.Email?"},
		{"--samples DIR", "name what convert wrote, such as out/slot or out"},
		{"--log-level loud", `--log-level "loud": use debug, info, warn or error`},
		{"--as-of yesterday", "write it as 2025-01-01"},
	} {
		got := programtest.Run(t, "serve", strings.Fields(strings.ReplaceAll(c.line, "DIR", dir))...)
		if text := strings.ReplaceAll(got.Stderr, dir, "DIR"); got.Code != 2 || !strings.Contains(text, c.want) || got.Stdout != "" {
			t.Errorf("serve %s: exit code %d, %s%s, want %s", c.line, got.Code, text, got.Stdout, c.want)
		}
	}
}

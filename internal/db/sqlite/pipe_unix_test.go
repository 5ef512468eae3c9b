//go:build unix

package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipesAreNotOpened has a pipe in a database's place: opening it would wait
// for a program to write into it.
func TestPipesAreNotOpened(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.sqlite")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), Location{Path: pipe}, Options{}); !errors.Is(err, ErrNotDatabase) {
		t.Errorf("error %v", err)
	}
}

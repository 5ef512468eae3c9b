package outdir

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestLockFile says that a locked file is waited for, as long as the context
// allows.
func TestLockFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".lock")
	release, err := LockFile(t.Context(), "scores", path)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := LockFile(ended, "scores", path); !errors.Is(err, ErrBusy) {
		t.Errorf("while it is locked: got %v", err)
	}
	second := make(chan error)
	go func() {
		release, err := LockFile(t.Context(), "scores", path)
		if err == nil {
			release()
		}
		second <- err
	}()
	release()
	if err := <-second; err != nil {
		t.Errorf("after it was released: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file stays: %v", err)
	}
}

package opened_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/birdcall/birdcall/internal/db/opened"
)

// database notes in a log that it is closed.
type database struct {
	id  string
	log *[]string
}

func (d database) Close() error {
	*d.log = append(*d.log, "close "+d.id)
	return nil
}

// TestDatabases opens each database once, again after it was released, and not at all
// where that fails.
func TestDatabases(t *testing.T) {
	var log []string
	missing := errors.New("missing")
	all := opened.New(func(_ context.Context, id string) (database, error) {
		if id == "none" {
			return database{}, missing
		}
		log = append(log, "open "+id)
		return database{id, &log}, nil
	})
	get := func(id string) {
		if one, err := all.Get(t.Context(), id); err != nil || one.id != id {
			t.Errorf("%s: %v, %v", id, one.id, err)
		}
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() { get("a") })
	}
	wait.Wait()
	if _, err := all.Get(t.Context(), "none"); !errors.Is(err, missing) {
		t.Errorf("%v, want %v", err, missing)
	}
	for _, id := range []string{"a", "a", "none"} {
		if err := all.Release(id); err != nil {
			t.Error(err)
		}
	}
	get("a")
	for range 2 {
		if err := all.Close(); err != nil {
			t.Error(err)
		}
	}
	if got, want := fmt.Sprint(log), "[open a close a open a close a]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

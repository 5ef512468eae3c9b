package engine_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
)

// TestError lists failures, how they read, and what is the matter wherever the
// database lies.
func TestError(t *testing.T) {
	plain := errors.New("no table t")
	for _, c := range []struct {
		err       error
		text, why string
	}{
		{plain, "no table t", "no table t"},
		{&engine.Error{Op: "query", Database: "/tmp/a.sqlite", Err: plain}, "query /tmp/a.sqlite: no table t", "no table t"},
		{
			fmt.Errorf("again: %w", &engine.Error{Op: "prepare", Database: "shop of postgres://db/crm", Err: engine.ErrTooLarge, Hint: "ask\nfor less"}),
			"again: prepare shop of postgres://db/crm: a limit is exceeded; ask for less", "a limit is exceeded; ask\nfor less",
		},
	} {
		why := engine.Why(c.err)
		if c.err.Error() != c.text || why.Error() != c.why {
			t.Errorf("%q, %q; want %q, %q", c.err, why, c.text, c.why)
		}
		if errors.Is(c.err, engine.ErrTooLarge) != errors.Is(why, engine.ErrTooLarge) {
			t.Errorf("%q and %q have other reasons", c.err, why)
		}
	}
}

// Package ctxtest ends contexts in the middle of work, for tests.
package ctxtest

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// Everywhere calls work with a context that is over when work looks at it for the first
// time, then with one that is over at the second look, and so on, until work is done
// before. Work that has seen its context end must return that error: it shows where an
// error is dropped on its way. It returns how often work looked at its context.
//
// A look is a call of Err. Contexts that are derived from the one that is given do not
// make that call, and do not count.
func Everywhere(t testing.TB, work func(context.Context) error) int {
	t.Helper()
	const most = 100_000
	for looks := range most {
		ctx := &counted{Context: t.Context(), left: looks, done: make(chan struct{})}
		err := work(ctx)
		over := ctx.over()
		switch {
		case !over && err != nil:
			t.Fatalf("it fails while its context is not over: %v", err)
		case !over:
			return looks
		case err == nil:
			t.Errorf("it succeeds although its context was over at look %d", looks+1)
		case !errors.Is(err, context.Canceled):
			t.Errorf("its context was over at look %d, and it fails with %v", looks+1, err)
		}
	}
	t.Fatalf("it looks at its context more than %d times: give it less to do", most)
	return 0
}

// counted is a context that is over after some calls of Err.
type counted struct {
	context.Context
	mutex sync.Mutex
	left  int
	done  chan struct{} // closed when it is over
}

// Done returns a channel that is closed when the context is over.
func (c *counted) Done() <-chan struct{} { return c.done }

// Err returns nil, or that the context is over.
func (c *counted) Err() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.left > 0 {
		c.left--
		return nil
	}
	select {
	case <-c.done:
	default:
		close(c.done)
	}
	return context.Canceled
}

// over reports whether the context is over.
func (c *counted) over() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

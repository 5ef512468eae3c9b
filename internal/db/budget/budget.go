// Package budget bounds the memory that the work on one question takes. What is
// counted are the bytes of its tables, texts and answer, by rules that depend on the
// question and its database alone: whether a question is refused does not depend on
// what else the process does.
package budget

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrSpent says that a question takes more memory than it may, to be tested with
// errors.Is.
var ErrSpent = errors.New("the question takes too much memory")

// Budget is the memory of one question. Several goroutines may use it at once. A nil
// Budget has no bound.
type Budget struct {
	limit int64

	mu     sync.Mutex
	spent  int64
	shared map[any]bool
}

// New returns a budget of so many bytes; 0 or less is no bound.
func New(limit int64) *Budget {
	if limit <= 0 {
		return nil
	}
	return &Budget{limit: limit, shared: map[any]bool{}}
}

// Fresh returns a budget of the same size of which nothing is spent: that of work
// whose result is there for many questions.
func (b *Budget) Fresh() *Budget {
	if b == nil {
		return nil
	}
	return New(b.limit)
}

// Most returns the size of the budget in bytes, 0 for no bound.
func (b *Budget) Most() int64 {
	if b == nil {
		return 0
	}
	return b.limit
}

// Spend takes bytes off the budget, before they are allocated where that can be. The
// error is an ErrSpent.
func (b *Budget) Spend(bytes int64) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if bytes > b.limit-b.spent {
		return fmt.Errorf("%w: more than %d bytes of tables, texts and answer", ErrSpent, b.limit)
	}
	b.spent += bytes
	return nil
}

// SpendOnce is Spend for what is shared with other questions, such as a column of
// the database: it counts once for each key, however often it is used.
func (b *Budget) SpendOnce(key any, bytes int64) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	known := b.shared[key]
	b.shared[key] = true
	b.mu.Unlock()
	if known {
		return nil
	}
	return b.Spend(bytes)
}

// Return gives bytes back that are no longer used.
func (b *Budget) Return(bytes int64) {
	if b != nil {
		b.mu.Lock()
		b.spent -= bytes
		b.mu.Unlock()
	}
}

// Spent returns how many bytes are spent.
func (b *Budget) Spent() int64 {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}

type key struct{}

// With returns a context in which work is paid from the budget.
func With(ctx context.Context, b *Budget) context.Context { return context.WithValue(ctx, key{}, b) }

// Of returns the budget of a context, nil for none.
func Of(ctx context.Context) *Budget {
	b, _ := ctx.Value(key{}).(*Budget)
	return b
}

// Package budget bounds the memory that the work on one question takes. It counts the
// bytes of the question's tables, texts and answer. The rules depend only on the
// question and its database, so other work of the process never decides whether a
// question is refused.
package budget

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrSpent says that a question takes more memory than it may. Test for it with
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

// New returns a budget of limit bytes; 0 or less means no bound.
func New(limit int64) *Budget {
	if limit <= 0 {
		return nil
	}
	return &Budget{limit: limit, shared: map[any]bool{}}
}

// Fresh returns an unspent budget of the same size, for work whose result many
// questions share.
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

// Spend takes bytes off the budget, if possible before they are allocated. The error is
// an ErrSpent.
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

// SpendOnce is like Spend for memory that several questions share, such as a column of
// the database. It counts once for each key, however often the key is used.
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

// Return gives back bytes that are no longer used.
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

// With returns a context whose work is paid from the budget.
func With(ctx context.Context, b *Budget) context.Context { return context.WithValue(ctx, key{}, b) }

// Of returns the budget of a context, nil for none.
func Of(ctx context.Context) *Budget {
	b, _ := ctx.Value(key{}).(*Budget)
	return b
}

package api

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/birdcall/birdcall/internal/federation/fetch"
)

// The defaults of Limits.
const (
	DefaultCalls = 10_000
	DefaultRows  = 5_000_000
	DefaultBytes = 1 << 30
)

// ErrBudget is the reason of errors of type *BudgetError.
var ErrBudget = errors.New("a statement asks too much of APIs")

// BudgetError says that a statement asks more of APIs than its Limits allow.
type BudgetError struct {
	Limit string // calls, rows or bytes: the limit's name in the declaration
	Most  int64
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("the statement needs more than %d %s of APIs; ask for less, such as by more conditions, or raise it in the declaration (limits: {%s: …})",
		e.Most, map[string]string{"calls": "requests", "rows": "rows", "bytes": "bytes"}[e.Limit], e.Limit)
}

// Unwrap returns ErrBudget.
func (e *BudgetError) Unwrap() error { return ErrBudget }

// Meter counts what one statement asks of APIs, and holds it to Limits. Several
// goroutines may use it at once.
type Meter struct {
	limits Limits

	mu       sync.Mutex
	attempts int
	rows     int
	bytes    int64
	calls    []Call
}

// NewMeter returns a meter that has counted nothing.
func NewMeter(limits Limits) *Meter {
	if limits.Calls == 0 {
		limits.Calls = DefaultCalls
	}
	if limits.Rows == 0 {
		limits.Rows = DefaultRows
	}
	if limits.Bytes == 0 {
		limits.Bytes = DefaultBytes
	}
	return &Meter{limits: limits}
}

// Calls returns the calls that were made, in the order in which they ended.
func (m *Meter) Calls() []Call {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.calls)
}

// counter is a meter as package fetch uses it.
type counter struct{ *Meter }

// Begin counts a request that is about to be sent.
func (m counter) Begin() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.attempts >= m.limits.Calls {
		return &BudgetError{"calls", int64(m.limits.Calls)}
	}
	m.attempts++
	return nil
}

// Made counts what a call has brought.
func (m counter) Made(c fetch.Call) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(m.calls, Call(c))
	m.rows += c.Rows
	m.bytes += c.Bytes
	switch {
	case m.rows > m.limits.Rows:
		return &BudgetError{"rows", int64(m.limits.Rows)}
	case m.bytes > m.limits.Bytes:
		return &BudgetError{"bytes", m.limits.Bytes}
	}
	return nil
}

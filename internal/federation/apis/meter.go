package apis

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// The defaults of Limits.
const (
	defaultCalls = 10_000
	defaultRows  = 5_000_000
	defaultBytes = 1 << 30
)

// ErrBudget is the reason of errors that say so.
var ErrBudget = errors.New("a statement asks too much of APIs")

// budgetError says that a statement asks more of APIs than its Limits allow.
type budgetError struct {
	limit string // calls, rows or bytes: the limit's name in the declaration
	max   int64
}

func (e *budgetError) Error() string {
	return fmt.Sprintf("the statement needs more than %d %s of APIs; ask for less, such as by more conditions, or raise it in the declaration (limits: {%s: …})",
		e.max, map[string]string{"calls": "requests", "rows": "rows", "bytes": "bytes"}[e.limit], e.limit)
}

// Unwrap returns ErrBudget.
func (e *budgetError) Unwrap() error { return ErrBudget }

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
		limits.Calls = defaultCalls
	}
	if limits.Rows == 0 {
		limits.Rows = defaultRows
	}
	if limits.Bytes == 0 {
		limits.Bytes = defaultBytes
	}
	return &Meter{limits: limits}
}

// Calls returns the calls that were made, in the order in which they ended.
func (m *Meter) Calls() []Call {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.calls)
}

// Begin counts a request that is about to be sent.
func (m *Meter) Begin() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.attempts >= m.limits.Calls {
		return &budgetError{"calls", int64(m.limits.Calls)}
	}
	m.attempts++
	return nil
}

// Add counts what a call has brought.
func (m *Meter) Add(c Call) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(m.calls, c)
	m.rows += c.Rows
	m.bytes += c.Bytes
	switch {
	case m.rows > m.limits.Rows:
		return &budgetError{"rows", int64(m.limits.Rows)}
	case m.bytes > m.limits.Bytes:
		return &budgetError{"bytes", m.limits.Bytes}
	}
	return nil
}

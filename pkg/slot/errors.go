package slot

import (
	"errors"
	"fmt"
)

// The reasons why a question has no record. Test for them with errors.Is.
var (
	ErrSQL         = errors.New("the question's own SQL fails")
	ErrUnsupported = errors.New("the SQL cannot be written as calls")
	ErrOpen        = errors.New("SQL leaves the answer open, and SQLite's is none of the right ones that were tried")
	ErrMismatch    = errors.New("the calls answer differently") // a defect of this module
)

// Error says why a question has no record.
type Error struct {
	Reason    error  // one of the above
	Construct string // the construct of SQL that ErrUnsupported is about, such as "recursive CTE"
	Err       error  // the underlying error
}

// Error returns the reason and the underlying error.
func (e *Error) Error() string { return fmt.Sprintf("%v: %v", e.Reason, e.Err) }

// Unwrap returns the reason and the underlying error.
func (e *Error) Unwrap() []error { return []error{e.Reason, e.Err} }

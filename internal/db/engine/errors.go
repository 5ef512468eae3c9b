package engine

import (
	"errors"
	"fmt"
	"strings"
)

// The reasons why reading fails, for all engines. Callers distinguish them with
// errors.Is. A context's own error is found the same way.
var (
	ErrNotSelect      = errors.New("not a SELECT statement")
	ErrManyStatements = errors.New("more than one statement")
	ErrForbidden      = errors.New("the statement does more than read")
	ErrTooLarge       = errors.New("a limit is exceeded")
	ErrBusy           = errors.New("all connections are in use")
	ErrSchema         = errors.New("the tables are not those that the statement was made for")
	// ErrComputation is a failure of the statement on these values, such as a
	// division by zero or a number that is too large.
	ErrComputation = errors.New("the statement cannot be computed")
	// ErrUnavailable says that a server cannot be reached, starts up, shuts down,
	// has no connection left or broke one.
	ErrUnavailable = errors.New("the server is not available")
	// ErrWriting says that a write of another program blocks the read for now.
	ErrWriting = errors.New("another program is writing")
	// ErrAPI says that an API, whose tables or functions the statement uses, gave no
	// valid answer.
	ErrAPI = errors.New("an API failed")
	// ErrMemory says that the statement cannot get enough memory now.
	ErrMemory = errors.New("there is not enough memory")
)

// Error is a failure of an engine: the operation, the database, the reason, and a hint.
type Error struct {
	Op       string // such as "open", "schema", "prepare" or "query"
	Database string // the path of a file, or the server and the id; never a password
	Hint     string // what to do about it, or ""
	Err      error  // a reason, a context's error, or the engine's own
}

// Error returns one line naming all parts.
func (e *Error) Error() string {
	return strings.ReplaceAll(fmt.Sprintf("%s %s: %v", e.Op, e.Database, e.why()), "\n", " ")
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

func (e *Error) why() error {
	if e.Hint == "" {
		return e.Err
	}
	return fmt.Errorf("%w; %s", e.Err, e.Hint)
}

// Why returns the reason of an error without the path or URL of the database, for texts
// that must be the same on every computer. It returns err unchanged if it is no Error.
func Why(err error) error {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.why()
	}
	return err
}

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	lib "modernc.org/sqlite/lib"
)

// The reasons a caller may want to tell apart, to be tested with errors.Is.
// A context's own error (context.DeadlineExceeded, context.Canceled) is found
// the same way.
var (
	ErrMissing        = errors.New("no such file")
	ErrNotDatabase    = errors.New("not a readable SQLite database")
	ErrNotSelect      = errors.New("not a SELECT statement")
	ErrManyStatements = errors.New("more than one statement")
	ErrForbidden      = errors.New("the statement does more than read")
	ErrTooLarge       = errors.New("a limit is exceeded")
	ErrBusy           = errors.New("all connections are in use")
)

// Error is every failure of this package: what was done, on which database,
// why it failed and what would mend it.
type Error struct {
	Op       string // "open", "query", "scan", "schema", "prepare" or "close"
	Database string // the location as it was given
	Hint     string // what to do about it, or ""
	Err      error  // one of the reasons above, a context's error, or SQLite's
}

// Error returns one line naming all parts.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s %s: %v", e.Op, e.Database, e.Err)
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// fail wraps err once, and gives SQLite's own codes a reason and a hint.
func (d *DB) fail(op string, err error) error {
	if known := (*Error)(nil); errors.As(err, &known) {
		return err
	}
	e := &Error{Op: op, Database: d.at.String(), Err: err}
	var code interface{ Code() int } // of the driver or of a session
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e.Hint = "allow more time or ask for less"
	case errors.As(err, &code):
		e.Hint, e.Err = explain(code.Code(), err)
	}
	return e
}

// explain turns an extended result code (https://www.sqlite.org/rescode.html)
// into a reason and a hint.
func explain(code int, err error) (hint string, reason error) {
	code &= 0xff
	// A function that the authorizer denies has only a message of its own.
	denied := strings.Contains(err.Error(), "not authorized")
	switch {
	case denied, code == lib.SQLITE_AUTH, code == lib.SQLITE_READONLY:
		return "only SELECT over the database's own tables is allowed", fmt.Errorf("%w: %w", ErrForbidden, err)
	case code == lib.SQLITE_NOTADB, code == lib.SQLITE_CORRUPT:
		return "download or copy the file again", fmt.Errorf("%w: %w", ErrNotDatabase, err)
	case code == lib.SQLITE_TOOBIG:
		return "raise Limits.Value or ask for shorter values", fmt.Errorf("%w: %w", ErrTooLarge, err)
	case code == lib.SQLITE_CANTOPEN:
		return "check that the file may be read", err
	}
	return "", err
}

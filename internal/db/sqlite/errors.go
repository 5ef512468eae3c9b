package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	lib "modernc.org/sqlite/lib"
)

// The reasons that a caller may want to distinguish. Test for them with errors.Is. A
// context's own error (context.DeadlineExceeded, context.Canceled) is found the same
// way. Some of SQLite's own errors are reported as engine.ErrComputation or
// engine.ErrMemory.
var (
	ErrMissing        = errors.New("no such file")
	ErrNotDatabase    = errors.New("not a readable SQLite database")
	ErrNotSelect      = engine.ErrNotSelect
	ErrManyStatements = engine.ErrManyStatements
	ErrForbidden      = engine.ErrForbidden
	ErrTooLarge       = engine.ErrTooLarge
	ErrBusy           = engine.ErrBusy
	ErrSchema         = engine.ErrSchema
	// ErrNeedsKey says that the statement lacks values that an API needs to return
	// rows.
	ErrNeedsKey         = errors.New("a value is missing")
	ErrLocked     error = writing("another program is writing to the database")
	ErrUnfinished error = writing("a write to the database is not finished")
	ErrChanged    error = writing("the file was replaced or written to while it was read")
)

// writing is a reason that also matches engine.ErrWriting.
type writing string

func (w writing) Error() string { return string(w) }

// Is lets errors.Is find engine.ErrWriting.
func (writing) Is(target error) bool { return target == engine.ErrWriting }

// Error is every failure of this package. Its Op is "open", "read", "query",
// "scan", "schema", "prepare" or "close", its Database the location as it was given.
type Error = engine.Error

// fail wraps err once, and adds a reason and a hint for SQLite's own codes.
func (d *DB) fail(op string, err error) error {
	if known := (*Error)(nil); errors.As(err, &known) {
		return err
	}
	e := &Error{Op: op, Database: d.at.String(), Err: err}
	var code interface{ Code() int } // of the driver or of a session
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e.Hint = "allow more time or ask for less"
	case errors.Is(err, ErrChanged):
		e.Hint = "try again when no program replaces it or writes to it"
	case errors.As(err, &code):
		e.Hint, e.Err = d.explain(code.Code(), err)
	}
	return e
}

// explain turns an extended result code (https://www.sqlite.org/rescode.html)
// into a reason and a hint.
func (d *DB) explain(extended int, err error) (hint string, reason error) {
	// A function that the authorizer denies has only its own message.
	denied := strings.Contains(err.Error(), "not authorized")
	switch code := extended & 0xff; {
	case extended == lib.SQLITE_READONLY_ROLLBACK:
		return "a program was stopped while it wrote and left a -journal file; open the database once with a program that may write, such as sqlite3, which undoes that write",
			fmt.Errorf("%w: %w", ErrUnfinished, err)
	case isReadOnlyFolder(extended) && d.hasLog():
		return "its write-ahead log (-wal) cannot be read here; let the folder be written to, or close the programs that use the database",
			fmt.Errorf("%w: %w", ErrUnfinished, err)
	case denied, code == lib.SQLITE_AUTH, code == lib.SQLITE_READONLY:
		return "only SELECT over the database's own tables is allowed", fmt.Errorf("%w: %w", ErrForbidden, err)
	case code == lib.SQLITE_BUSY, code == lib.SQLITE_LOCKED:
		return "try again when it has finished", fmt.Errorf("%w: %w", ErrLocked, err)
	case code == lib.SQLITE_NOTADB, code == lib.SQLITE_CORRUPT:
		return "download or copy the file again", fmt.Errorf("%w: %w", ErrNotDatabase, err)
	case code == lib.SQLITE_TOOBIG:
		return "ask for shorter values", fmt.Errorf("%w: %w", ErrTooLarge, err)
	case code == lib.SQLITE_CANTOPEN:
		return "check that the file may be read", err
	}
	return "", err
}

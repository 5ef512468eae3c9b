package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// The reasons that a caller may want to distinguish. Test for them with errors.Is. A
// context's own error (context.DeadlineExceeded, context.Canceled) is found the same
// way.
var (
	ErrURL      = errors.New("not a URL of a Postgres server")
	ErrPassword = errors.New("the URL has a password")
	ErrMissing  = errors.New("no such database or schema")
	ErrWriter   = errors.New("the role may write")
	// ErrConflict says that a standby had to drop rows that the statement was reading.
	// It is an ErrUnavailable that Retry tries only once more.
	ErrConflict = fmt.Errorf("%w: the standby's replication was in the way", ErrUnavailable)
)

// The errors that all engines have.
var (
	ErrNotSelect      = engine.ErrNotSelect
	ErrManyStatements = engine.ErrManyStatements
	ErrForbidden      = engine.ErrForbidden
	ErrTooLarge       = engine.ErrTooLarge
	ErrBusy           = engine.ErrBusy
	ErrUnavailable    = engine.ErrUnavailable
	ErrMemory         = engine.ErrMemory
	ErrComputation    = engine.ErrComputation
	ErrSchema         = engine.ErrSchema
)

// isBroken reports whether an error says that the connection or the server can no
// longer be used.
func isBroken(err error) bool {
	return errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrConflict)
}

// Error is the type of every failure of this package. Op is "open", "query", "schema",
// "prepare", "version" or "ping". Database is the server and the id.
type Error = engine.Error

// fail wraps err once, and gives the server's codes a reason and a hint.
func fail(op, database string, err error) error {
	if known := (*Error)(nil); errors.As(err, &known) {
		return err
	}
	err = explain(err)
	return &Error{Op: op, Database: database, Err: err, Hint: hint(err)}
}

// reasons are the errors that explain leaves unchanged, with their hints.
var reasons = []struct {
	err  error
	hint string
}{
	{ErrMissing, "check the name"},
	{ErrWriter, ""},
	{ErrNotSelect, "give one SELECT"},
	{ErrManyStatements, "give one SELECT"},
	{ErrForbidden, "only SELECT with functions that do nothing else is allowed"},
	{ErrTooLarge, "ask for less"},
	{ErrBusy, "try again later"},
	{ErrConflict, "try again"},
	{ErrUnavailable, "try again when it can be reached"},
	{ErrMemory, "try again later"},
	{ErrComputation, "use other values"},
	{ErrSchema, "prepare the statement again"},
	{context.DeadlineExceeded, "allow more time or ask for less"},
	{context.Canceled, ""},
}

// hint returns the hint for an error.
func hint(err error) string {
	for _, known := range reasons {
		if errors.Is(err, known.err) {
			return known.hint
		}
	}
	if server := (*pgconn.PgError)(nil); errors.As(err, &server) && strings.HasPrefix(server.Code, "28") {
		return "check the user, and the password in PGPASSWORD or in the file that PGPASSFILE names"
	}
	return ""
}

// explain adds a reason to an error, by the server's code
// (https://www.postgresql.org/docs/current/errcodes-appendix.html).
func explain(err error) error {
	for _, known := range reasons {
		if errors.Is(err, known.err) {
			return err
		}
	}
	because := func(reason error) error { return fmt.Errorf("%w: %w", reason, err) }
	large := (*pgproto3.ExceededMaxBodyLenErr)(nil)
	if errors.As(err, &large) {
		return because(ErrTooLarge)
	}
	server := (*pgconn.PgError)(nil)
	if !errors.As(err, &server) {
		return because(ErrUnavailable)
	}
	class := server.Code[:min(2, len(server.Code))]
	switch code := server.Code; {
	case code == "57014":
		return because(context.DeadlineExceeded)
	case code == "40001", code == "40P01":
		return because(ErrConflict)
	case isAway(code):
		return because(ErrUnavailable)
	case code == "53400": // of temporary files, for one
		return because(ErrTooLarge)
	case class == "53":
		return because(ErrMemory)
	case code == "25006":
		return because(ErrForbidden)
	case code == "3D000", code == "3F000":
		return because(ErrMissing)
	case class == "22", class == "21", class == "54", class == "P0":
		return because(ErrComputation)
	}
	return err
}

// isAway reports whether a code says that another connection, now or later, may
// succeed: codes of connections, of a server that shuts down or starts up, and of a
// server without a free connection. The last codes are those of statements that a
// pooler has lost.
func isAway(code string) bool {
	switch code {
	case "57P01", "57P02", "57P03", "57P05", "53300", "26000", "42P05", "25P03":
		return true
	}
	return strings.HasPrefix(code, "08")
}

// isStale reports whether a statement that could be prepared once fails because
// the tables have changed since.
func isStale(err error) bool {
	server := (*pgconn.PgError)(nil)
	if !errors.As(err, &server) {
		return false
	}
	switch server.Code {
	case "42P01", "42703", "42883", "42804", "3F000":
		return true
	case "0A000":
		return strings.Contains(server.Message, "cached plan")
	}
	return false
}

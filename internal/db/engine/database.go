package engine

import (
	"context"

	"github.com/birdcall/birdcall/pkg/value"
)

// Database is what endpoints need of a database. It is open for reading only.
// Several goroutines may use it at once. Errors are, besides those of this
// package, the context's and the engine's own; a caller that has time may use
// Retry for those that another attempt may not meet.
type Database interface {
	// Dialect says whose SQL the database takes.
	Dialect() *Dialect
	// Schema describes the tables and views that may be read.
	Schema(ctx context.Context) (*Schema, error)
	// Prepare checks that sql is one SELECT that the database can run and that
	// only reads. The statement may run many times. Errors are ErrNotSelect,
	// ErrManyStatements, ErrForbidden and ErrTooLarge.
	Prepare(ctx context.Context, sql string) (Statement, error)
	// Answer runs one SELECT as it is written, for as long as ctx lets it, and
	// returns all of its rows. Errors are those of Prepare and of Statement.Run.
	Answer(ctx context.Context, sql string) (*Answer, error)
	// Kinds returns the storage classes that the values in columns of a table
	// have, NULL aside, in ascending order; nil where the type of the column says
	// all there is to know.
	Kinds(ctx context.Context, table string, columns []string) ([][]value.Kind, error)
	// Distinct returns the different values of a column, NULL aside, in ascending
	// order, if there are at most that many and it takes no long search; else nil.
	Distinct(ctx context.Context, table, column string, maxValues int) ([]value.Value, error)
	// Retry runs f, and once or more again when it fails by what another attempt
	// may not meet. f must forget what it read before it failed.
	Retry(ctx context.Context, f func() error) error
	// IsLive reports whether each statement reads the newest state, rather than
	// that of the time when the database was opened.
	IsLive() bool
	// Fingerprint returns a short text that distinguishes the database from others. Where
	// it is not live, other data have another one.
	Fingerprint() string
	// Version returns a short text that changes when the data do, for as long as
	// the database is open.
	Version(ctx context.Context) (string, error)
	// Unchanged fails if a database that is not live is not what it was when it
	// was opened.
	Unchanged() error
	// Close lets the database go. No statement may be running.
	Close() error
}

// Statement is a SELECT that a database has checked.
type Statement interface {
	// Columns describes the columns of the answer.
	Columns() []Result
	// Run runs the statement with args bound to its parameters, the first of which
	// is ?1 or $1, and calls yield for every row until it returns false. A row may
	// be used only until yield returns. Errors are ErrBusy, ErrTooLarge, ErrSchema,
	// ErrComputation, ErrUnavailable, ErrWriting and ErrMemory, and
	// context.DeadlineExceeded when the time for one run is over. Rows may have been
	// handed over before; they count only if it returns nil.
	Run(ctx context.Context, args []value.Value, yield func(Row) bool) error
}

// Result is a column of an answer.
type Result struct {
	Name string // as the engine gives it
	// Type is what the values are in JSON, besides null: integer, number, string,
	// boolean, array or object; "" where the engine does not say.
	Type string
}

// Row is a row of an answer. Columns count from 0.
type Row interface {
	// AppendJSON writes a cell as JSON, so that its value can be read back exactly.
	AppendJSON(b []byte, column int) []byte
	// AppendCSV writes a cell as a field of CSV (RFC 4180): texts in quotation
	// marks, numbers without, NULL as nothing.
	AppendCSV(b []byte, column int) []byte
}

// Answer is all that a SELECT gives.
type Answer struct {
	Columns []string
	Rows    [][]value.Value // in SQLite's types, as near as they come
	// Exact has the cells as texts of JSON where Rows do not say all, and NULL for
	// what is null there; else it is nil. Two answers are the same if these are, byte by byte.
	Exact [][]value.Value
	// Value is the limit in bytes of one value that let the answer through.
	Value int
}

package engine

import (
	"context"

	"github.com/birdcall/birdcall/pkg/value"
)

// Database is what endpoints need from a database. It is open for reading only. Several
// goroutines may use it at once. Errors are those of this package, of the context, and
// of the engine. Retry repeats what failed with an error that may pass.
type Database interface {
	// Dialect says whose SQL the database takes.
	Dialect() *Dialect
	// Schema describes the tables and views that may be read.
	Schema(ctx context.Context) (*Schema, error)
	// Prepare checks that sql is one SELECT that the database can run and that
	// only reads. The statement may run many times. Errors are ErrNotSelect,
	// ErrManyStatements, ErrForbidden and ErrTooLarge.
	Prepare(ctx context.Context, sql string) (Statement, error)
	// Answer runs one SELECT unchanged until ctx ends, and returns all of its rows.
	// Errors are those of Prepare and of Statement.Run.
	Answer(ctx context.Context, sql string) (*Answer, error)
	// Kinds returns, for each column, the storage classes of its values except NULL, in
	// ascending order. It returns nil for a column whose type already determines them.
	Kinds(ctx context.Context, table string, columns []string) ([][]value.Kind, error)
	// Distinct returns the distinct values of a column except NULL, in ascending order.
	// It returns nil if there are more than maxValues or if the search would take long.
	Distinct(ctx context.Context, table, column string, maxValues int) ([]value.Value, error)
	// Retry runs f, and runs it again, once or more, if it fails with an error that may
	// pass. f must forget what it read before it failed.
	Retry(ctx context.Context, f func() error) error
	// IsLive reports whether each statement reads the newest state, rather than the
	// state when the database was opened.
	IsLive() bool
	// Fingerprint returns a short text that distinguishes the database from others. If
	// the database is not live, the fingerprint changes with the data.
	Fingerprint() string
	// Version returns a short text that changes when the data do, for as long as
	// the database is open.
	Version(ctx context.Context) (string, error)
	// Unchanged fails if a database that is not live has changed since it was opened.
	Unchanged() error
	// Close closes the database. No statement may be running.
	Close() error
}

// Statement is a SELECT that a database has checked.
type Statement interface {
	// Columns describes the columns of the answer.
	Columns() []Result
	// Run runs the statement with args bound to its parameters, the first of which is
	// ?1 or $1. It calls yield for every row until yield returns false. A row may be
	// used only until yield returns. Errors are ErrBusy, ErrTooLarge, ErrSchema,
	// ErrComputation, ErrUnavailable, ErrWriting and ErrMemory, and
	// context.DeadlineExceeded when the time for one run is over. Run may call yield
	// before it fails; the rows count only if it returns nil.
	Run(ctx context.Context, args []value.Value, yield func(Row) bool) error
}

// Result is a column of an answer.
type Result struct {
	Name string // as the engine gives it
	// Type is the JSON type of the values other than null: integer, number, string,
	// boolean, array or object; "" if the engine does not say.
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

// Answer is the complete answer of a SELECT.
type Answer struct {
	Columns []string
	Rows    [][]value.Value // in SQLite's types, or the nearest ones
	// Exact has the cells as JSON texts if Rows cannot represent all values, with NULL
	// for null; otherwise it is nil. Two answers are the same if their Exact cells are
	// the same bytes.
	Exact [][]value.Value
	// Value is the limit in bytes of one value under which the answer was read.
	Value int
}

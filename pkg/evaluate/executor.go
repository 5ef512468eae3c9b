package evaluate

import (
	"context"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Executor runs calls against the databases that samples are about. Several
// goroutines may use one at once.
type Executor interface {
	// Episode begins a run of calls on the sample's starting tables.
	Episode(ctx context.Context, s *Sample) (Episode, error)
	// Query runs one SELECT on the sample's database, and nothing that writes. A
	// statement that is at fault gives a *StatementError.
	Query(ctx context.Context, s *Sample, sql string) ([][]value.Value, error)
	// Release frees what is kept of a database's data, when no call on it is
	// running. A later one reads it again.
	Release(db string) error
}

// Episode runs calls one after the other. It is for one goroutine at a time.
type Episode interface {
	// Call runs a call under its real name and keeps the result under the
	// call's label.
	Call(ctx context.Context, c tools.Call) Result
}

// StatementError says that a statement of a model was not run, or not to its end.
type StatementError struct{ Err error }

// Error returns what is wrong with the statement.
func (e *StatementError) Error() string { return e.Err.Error() }

// Unwrap returns the database's own error.
func (e *StatementError) Unwrap() error { return e.Err }

// Result is what a call returned. Its rows are read when they are asked for: only
// those of an answer are, and only if it may be the right one by its size.
type Result struct {
	Err               error // why there is no result, in words for a model
	RowCount, Columns int
	Rows              func(ctx context.Context) ([][]value.Value, error)
	// Show returns the result as a model is shown it, shortened where it is long.
	Show func(ctx context.Context) (string, error)
}

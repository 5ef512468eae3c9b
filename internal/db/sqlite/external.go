package sqlite

import (
	"context"

	"github.com/birdcall/birdcall/pkg/value"
)

// External provides tables and scalar functions that statements can use besides those
// of the file. Their rows and values come from elsewhere. A table hides the one of the
// same name in the file. Several goroutines may use an External at once.
type External interface {
	// Tables describes the tables. The list never changes.
	Tables() []*Table
	// Functions lists the functions. The list never changes.
	Functions() []Function
	// Kinds returns the storage classes of a column's values, without NULL, in
	// ascending order, or nil if they are unknown.
	Kinds(table, column int) []value.Kind
	// Values returns all values that a column may have, without NULL, in ascending
	// order, or nil if they are unknown.
	Values(table, column int) []value.Value
	// Plan estimates the cost of reading the rows of a table where each column of equal
	// has a given value, or one of a list of values.
	Plan(table int, equal []int) Plan
	// Describe says, for people, which calls a reading takes; first says that only the
	// first rows are wanted.
	Describe(table int, equal []int, first bool) string
	// Rewrite returns a statement with the same answer that needs fewer calls, or the
	// statement itself.
	Rewrite(sql string) string
	// Begin starts a Reading for a statement, given as it was written.
	Begin(ctx context.Context, sql string) Reading
	// Version returns a text that changes when the contents of the tables may have
	// changed. fixed says that they never change.
	Version() (version string, fixed bool)
}

// Function is a scalar function. Equal arguments give equal results.
type Function struct {
	Name string
	Args int
}

// Plan estimates what reading rows takes. SQLite uses it to choose the order of joins
// (https://www.sqlite.org/vtab.html, section 2.3).
type Plan struct {
	Possible bool
	Cost     float64 // of one reading
	Rows     int64   // about how many it gives
}

// Reading provides the external data for one statement. SQLite may run the statement
// several times until all requested data are known. Unknown data appear as no rows, or
// as the value NULL, and the answer of that run is dropped. One goroutine uses a
// Reading at a time.
type Reading interface {
	// Rows returns the rows where each column of where has one of its values. It may
	// return other rows too; SQLite checks each again.
	Rows(table int, where []Equal, maxRows int64) (Rows, error)
	// Call returns the value of a function.
	Call(function int, args []value.Value) (value.Value, error)
	// Fetch is called after each run. It gets the requested data that were unknown, and
	// reports whether there were any.
	Fetch(ctx context.Context) (bool, error)
	// End is called once, after the last run.
	End()
}

// Equal is a column and the values that it may equal, by its collation.
type Equal struct {
	Column int
	Values []value.Value
}

// Rows are rows of an external table. All holds all known rows, and At the indexes of
// the requested rows in ascending order; nil means all. The number of a row stays the
// same for the statement.
type Rows struct {
	All [][]value.Value
	At  []int32
}

// everyRow as most means that all rows are wanted.
const everyRow = -1

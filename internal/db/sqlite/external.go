package sqlite

import (
	"context"

	"github.com/birdcall/birdcall/pkg/value"
)

// External is what statements can read besides the file: tables whose rows, and
// scalar functions whose values, come from elsewhere. A table hides the one of
// that name in the file. Several goroutines may use it at once.
type External interface {
	// Tables describes the tables. The list never changes.
	Tables() []*Table
	// Functions lists the functions. The list never changes.
	Functions() []Function
	// Kinds returns the storage classes that a column's values may have, NULL aside,
	// in ascending order, or nil if nobody can say.
	Kinds(table, column int) []value.Kind
	// Values returns all values that a column may have, NULL aside, in ascending
	// order, or nil if nobody can say.
	Values(table, column int) []value.Value
	// Plan says how the rows of a table are to be had where each of some columns
	// equals a value, or one of a list.
	Plan(table int, equal []int) Plan
	// Describe says what calls a reading takes, for people; first says that only the
	// first rows are wanted.
	Describe(table int, equal []int, first bool) string
	// Rewrite returns a statement that has the same answer and asks for less, or
	// the statement itself.
	Rewrite(sql string) string
	// Begin starts to read for a statement, as it was written.
	Begin(ctx context.Context, sql string) Reading
	// Version returns a text that changes when what the tables hold may have
	// changed, and whether it never does.
	Version() (version string, fixed bool)
}

// Function is a scalar function: a result for the arguments, the same for the same
// ones.
type Function struct {
	Name string
	Args int
}

// Plan is what reading rows takes, for SQLite to choose the order of joins by
// (https://www.sqlite.org/vtab.html, section 2.3).
type Plan struct {
	Possible bool
	Cost     float64 // of one reading
	Rows     int64   // about how many it gives
}

// Reading is what one statement reads. SQLite may run the statement several times
// until all is known that it asks for; what is not known yet has no rows, or the
// value NULL, and the answer of that run is dropped. One goroutine uses it at a
// time.
type Reading interface {
	// Rows returns the rows where each column of where has one of its values. It
	// may return others; SQLite looks at each again.
	Rows(table int, where []Equal, maxRows int64) (Rows, error)
	// Call returns the value of a function.
	Call(function int, args []value.Value) (value.Value, error)
	// Fetch is called after each run. It gets what was asked for and not known, and
	// reports whether there was such.
	Fetch(ctx context.Context) (bool, error)
	// End is called once, after the last run.
	End()
}

// Equal is a column and values by its collation.
type Equal struct {
	Column int
	Values []value.Value
}

// Rows are rows of an external table. All are those that are known, and At the
// numbers of those that were asked for, in ascending order; nil is all. The number
// of a row stays the same for the statement.
type Rows struct {
	All [][]value.Value
	At  []int32
}

// everyRow as most means that all rows are wanted.
const everyRow = -1

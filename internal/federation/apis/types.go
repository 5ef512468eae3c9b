package apis

import (
	"context"
	"time"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// Database is what the statements on one database may use of APIs. Several
// goroutines may use it at once.
type Database struct {
	ID        string // as in the declaration; "" for what every database has
	Tables    []*Table
	Functions []*Function
	Limits    Limits // of one statement
}

// Names returns the names of the tables and of the functions.
func (d *Database) Names() (tables, functions []string) {
	for _, t := range d.Tables {
		tables = append(tables, t.Name)
	}
	for _, f := range d.Functions {
		functions = append(functions, f.Name)
	}
	return tables, functions
}

// Of returns what the statements on a database may use, or nil if that is nothing.
func Of(info *bird.Database) *Database {
	d, _ := info.APIs.(*Database)
	return d
}

// Limits bound what one statement may ask of all APIs together. A zero field means
// its default.
type Limits struct {
	Calls int   // HTTP requests; default 10,000
	Rows  int   // default 5 million
	Bytes int64 // of responses; default 1 GiB
}

// Table is a table whose rows an API has.
type Table struct {
	Name        string
	Description string
	API         string // its name in the declaration
	Columns     []Column
	Filters     []Filter // in the order of their columns
	Required    []int    // columns without whose values the API gives no rows
	Instead     []int    // columns whose values are enough instead of Required, such as a key; nil if there are none
	Lists       bool     // the API gives all rows when it is asked for no value
	Key         []int    // columns whose values together no two rows share; nil if none are declared
	RowID       int      // the column that is the rowid, or -1
	Rows        int      // about how many there are; 0 if that is not declared
	PageSize    int      // rows of a page of a listing; 0 if one response has all
	Keep        Keep

	TableSource
}

// TableSource asks an API for the rows of a table.
type TableSource interface {
	// Accepts reports whether the API can be asked for the rows whose column equals v,
	// so that none of them is missing.
	Accepts(column int, v value.Value) bool
	// NeverEquals reports whether no value of a column equals v, whatever it is compared
	// as.
	NeverEquals(column int, v value.Value) bool
	// Select asks for the rows that meet all conditions, and calls yield for each row,
	// which is its own; it may give rows that do not meet them. Only one condition may
	// have several values, at most as many as its Filter says. Without conditions it
	// lists the table. It stops after the page that has the row of number maxRows, unless
	// that is 0, and reports whether all pages were read. An error of yield ends it and is
	// returned as it is.
	Select(ctx context.Context, m *Meter, conditions []Condition, maxRows int, yield func(row []value.Value) error) (whole bool, err error)
}

// Column is a column of a table.
type Column struct {
	Name        string
	Description string
	Type        string // as SQL declares it, such as INTEGER; "" for values of any type
	Collation   string // BINARY, NOCASE or RTRIM
	NotNull     bool
	Enum        []value.Value // all values that there may be, if the document lists them
	// Kinds are the storage classes that its values may have, NULL aside, in
	// ascending order; nil if the document does not say.
	Kinds []value.Kind
}

// Filter is a column that an API can be asked by: the answer has all rows whose
// column equals one of the values by the column's collation, and may have others.
type Filter struct {
	Column int
	Many   int // values that one call can have; 1 if it has one only
}

// Keep says how long what an API has said stays true.
type Keep struct {
	Forever bool          // its data are fixed
	For     time.Duration // else for that long; 0 is for one statement
}

// Condition is a column with the values that one call asks for.
type Condition struct {
	Column int // of the table, with a Filter
	Values []value.Value
}

// Function is a scalar function that an API computes: the same arguments have the
// same result.
type Function struct {
	Name        string
	Description string
	API         string // its name in the declaration
	Args        []Argument
	Result      Column
	Many        int // calls of the function that one call of the API can compute; 1 if it has one only
	Keep        Keep

	FunctionSource
}

// FunctionSource asks an API for the values of a function.
type FunctionSource interface {
	// Accepts reports whether the API can be asked for the function's value of these
	// arguments.
	Accepts(args []value.Value) bool
	// Call computes the function for each list of arguments, and returns a result for
	// each, in their order.
	Call(ctx context.Context, m *Meter, args [][]value.Value) []Result
}

// Argument is an argument of a function.
type Argument struct {
	Name        string
	Description string
	Type        string // as SQL declares it; "" for any
}

// Result is what a function gives for one list of arguments: a value, or why there
// is none.
type Result struct {
	Value value.Value
	Err   error
}

// Call is a call that was made. The URL has no secret in it.
type Call struct {
	API       string        `json:"api"`
	Operation string        `json:"operation"`
	Method    string        `json:"method"`
	URL       string        `json:"url"`
	Status    int           `json:"status"`           // of the last attempt; 0 if there was no response
	Attempts  int           `json:"attempts"`         // requests that were sent
	Bytes     int64         `json:"bytes"`            // of the last response's body
	Rows      int           `json:"rows"`             // that were read from it
	Shared    bool          `json:"shared,omitempty"` // it waited for another statement's equal call
	Time      time.Duration `json:"-"`
}

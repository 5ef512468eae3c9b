package dialect

import "fmt"

// MaxSize is how many bytes a statement may have, everywhere in this module.
// What is larger is refused before its text is looked at.
const MaxSize = 64 << 10

// Bounds that SQLite sets itself (https://www.sqlite.org/limits.html), so that
// nothing that it takes is refused by them.
const (
	// MaxColumns is how many columns a result has at most (item 2).
	MaxColumns = 2000
	// MaxTables is how many tables a FROM clause has at most (item 8).
	MaxTables = 64
	// MaxHeight is how deep an expression's tree is at most (item 4). A chain
	// of operators is as deep as it is long.
	MaxHeight = 1000
)

// CheckSize refuses a statement of more than MaxSize bytes. The error is an
// *Error.
func CheckSize(sql string) error {
	if len(sql) <= MaxSize {
		return nil
	}
	return &Error{
		Construct: "size of the statement",
		Reason:    fmt.Sprintf("it has %d bytes, and %d are the most; shorten it, or put long lists of values into a table", len(sql), MaxSize),
	}
}

package bird

import (
	"errors"
	"fmt"
	"strings"
)

// The reasons that a caller may want to distinguish with errors.Is.
var (
	ErrNoDataset       = errors.New("no dataset is recognized")
	ErrAmbiguous       = errors.New("several question files fit")
	ErrUnknownSplit    = errors.New("there is no such split")
	ErrUnknownDatabase = errors.New("no question uses that database")
	ErrMissingDatabase = errors.New("the database file is missing")
	ErrRecord          = errors.New("the record is broken")
	ErrDuplicateID     = errors.New("two questions have the same id")
	ErrNotRegular      = errors.New("it is no regular file")
)

// Error is the type of all errors of this package. It says what was being done, in
// which file and record, why it failed and how to fix it.
type Error struct {
	Op     string // "find", "read" or "select"
	File   string // file or folder, as the caller gave it or relative to the caller's folder
	Record int    // 0-based record in File; -1 if the error is not about a record
	Hint   string // what to do about it
	Err    error
}

// Error returns one line naming all parts.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.File != "" {
		b.WriteString(" " + e.File)
	}
	if e.Record >= 0 {
		fmt.Fprintf(&b, ", record %d (the first is 0)", e.Record)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

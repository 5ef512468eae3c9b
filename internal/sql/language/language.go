// Package language reads statements in the dialect of any engine: it finds the parser
// of a dialect.
package language

import (
	"errors"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// Language is what can be done with the statements of a dialect.
type Language struct {
	Dialect *engine.Dialect
	// Parse reads one SELECT. The names of its tree are not resolved.
	Parse func(sql string) (*Statement, error)
	// FixClock returns a statement that reads an instant instead of the clock, and
	// whether it read the clock.
	FixClock func(sql string, asOf time.Time) (fixed string, changed bool, err error)
	// ReadsClock says where an expression itself, without its operands, reads the
	// clock. It is nil for the date functions of SQLite.
	ReadsClock func(e sqltree.Expr) (ClockRead, bool)
}

// languages has a line for each dialect.
var languages = []*Language{&sqlite, &postgres}

// Of returns the language of a dialect, or nil if nothing reads it.
func Of(d *engine.Dialect) *Language {
	for _, l := range languages {
		if l.Dialect == d {
			return l
		}
	}
	return nil
}

// Read reads one SELECT and resolves its names.
func (l *Language) Read(sql string, schema *engine.Schema) (*Statement, error) {
	if l == nil {
		return nil, errors.New("nothing reads statements of this engine")
	}
	s, err := l.Parse(sql)
	if err != nil {
		return nil, err
	}
	return s, sqltree.Bind(s.Query, schema)
}

// Statement is a statement with its tree and its words.
type Statement struct {
	SQL   string
	Query *sqltree.Query
	Words []Word
}

// Word is a token of a statement.
type Word struct {
	At sqltree.Span
	// Text is the same for tokens that mean the same; "" has no meaning.
	Text string
}

// ClockRead is where an expression reads the clock. An instant replaces the bytes of
// At; it is converted to Cast, and After follows it.
type ClockRead struct {
	At    sqltree.Span
	Cast  string
	After string
}

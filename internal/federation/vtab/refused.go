package vtab

import (
	"fmt"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/value"
)

// KeyError says that a statement looks for a value in a column that the API must be
// asked by, and that the API cannot be asked for this value so that no row is missed.
type KeyError struct {
	Table, Column string
	Type          string // of the column, as SQL declares it; "" if it has none
	Value         value.Value
}

func (e *KeyError) Error() string {
	return fmt.Sprintf("table %s: its API gives rows only for values of %s%s, and cannot be asked for %s %s; %s",
		e.Table, e.Column, e.typed(), kindNames[e.Value.Kind()], shortened(e.Value), e.hint())
}

// Unwrap returns engine.ErrComputation: the statement cannot be computed with this
// value.
func (e *KeyError) Unwrap() error { return engine.ErrComputation }

func (e *KeyError) typed() string {
	if e.Type == "" {
		return ""
	}
	return " (" + e.Type + ")"
}

var kindNames = map[value.Kind]string{value.Integer: "the number", value.Real: "the number", value.Text: "the text", value.Blob: "the BLOB"}

// hint says what would mend it.
func (e *KeyError) hint() string {
	number := e.Value.Kind() == value.Integer || e.Value.Kind() == value.Real
	switch {
	case number && value.AffinityOf(e.Type) == value.AffinityText:
		return fmt.Sprintf("texts that are written otherwise may equal a number: compare %s with a text, such as CAST(... AS TEXT)", e.Column)
	case number && e.Type == "" || number && !value.AffinityOf(e.Type).Numeric():
		return fmt.Sprintf("declare a type for %s, or an operation that lists the table", e.Column)
	}
	return "compare it with another value, or declare an operation that lists the table"
}

// shortened writes a value as SQL does, its beginning if it is long.
func shortened(v value.Value) string {
	const maxLength = 100
	text := []rune(v.String())
	if len(text) <= maxLength {
		return string(text)
	}
	return string(text[:maxLength]) + "…"
}

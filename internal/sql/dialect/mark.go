package dialect

import (
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/pkg/value"
)

// Span is a part of the source: the bytes from Start up to End.
type Span struct{ Start, End int }

// The entries that markers stand for. Where an entry has expressions, they are
// the arguments of the call that the marker is the name of.
type (
	// Literal is a number, a text, a BLOB or NULL.
	Literal struct {
		Span
		Value value.Value
	}
	// Name is a column reference as it was written.
	Name struct {
		Span
		Schema, Table string // "" when unqualified
		Column        string
		Quoted        bool // in double quotes and unqualified: a text where no such column is in scope
	}
	// Parens is (a), or the row value (a, b, ...).
	Parens struct{ Span }
	// Whole gives an expression its span, where its operands do not.
	Whole struct{ Span }
	// IsNot is a IS NOT b; its argument is the a IS b.
	IsNot struct{ Span }
	// Operator is an operator that MySQL lacks: ->, ->>, MATCH or REGEXP.
	Operator struct {
		Span
		Op  string
		Not bool
	}
	// Collate is a COLLATE name.
	Collate struct {
		Span
		Name string
	}
	// Cast is CAST(a AS type).
	Cast struct {
		Span
		Type string
	}
	// Clock is CURRENT_DATE, CURRENT_TIME or CURRENT_TIMESTAMP.
	Clock struct {
		Span
		Name string
	}
	// Query is a subquery as a value, after EXISTS, or after IN.
	Query struct {
		Span
		Statement *Statement
		Exists    bool
	}
	// InTable is what follows IN where that is a table's name, or a
	// table-valued function with its arguments.
	InTable struct {
		Span
		Table *Table
	}
	// InNothing is a IN (), with its operand.
	InNothing struct {
		Span
		Not bool
	}
	// Call is a call of a function. Its arguments are followed by those of
	// ORDER BY, FILTER, PARTITION BY, the window's ORDER BY and its frame.
	Call struct {
		Span
		Name           string
		Star, Distinct bool
		Args           int
		OrderBy        []Term
		Filter         bool
		Over           *Window // nil without OVER
	}
	// Table is one item of a FROM clause: a table, a table-valued function or a
	// subquery, under its alias, if it has one.
	Table struct {
		Span
		Schema, Name string
		Query        *Statement
		Args         int // of a table-valued function
		Function     bool
		Alias        string
		AliasSpan    Span
	}
	// Join says how an item of a FROM clause joins what is before it. Its
	// arguments are those of a table-valued function and the ON condition.
	Join struct {
		Kind    JoinKind
		Natural bool
		Using   []string
		On      bool
	}
)

// JoinKind is the kind of a join.
type JoinKind string

// The kinds of join (lang_select.html, section 2.1).
const (
	Inner JoinKind = "INNER"
	Left  JoinKind = "LEFT"
	Right JoinKind = "RIGHT"
	Full  JoinKind = "FULL"
)

// Window is what is in OVER.
type Window struct {
	Partition int
	Order     []Term
	Frame     *Frame // nil for the default
}

// Term is one term of an ORDER BY, without its expression.
type Term struct {
	Desc       bool
	NullsFirst bool // explicit, or SQLite's default: first when ascending
}

// Frame is a window frame (windowfunctions.html, section 2.2). Unit is ROWS,
// RANGE or GROUPS; Exclude is NO OTHERS, CURRENT ROW, GROUP or TIES, or "".
type Frame struct {
	Unit       string
	Start, End Bound
	Exclude    string
}

// Bound is one end of a frame. An Offset has an expression.
type Bound struct {
	Unbounded, Offset, Following bool
}

// ResultColumn is one result column of a core; the expression of a star is not
// read.
type ResultColumn struct {
	Span
	Star      bool
	Table     string // of table.*
	Alias     string
	AliasSpan Span
}

// marks are the entries of one statement and its subqueries.
type marks struct{ list []any }

// add enters a mark and returns the marker's name.
func (m *marks) add(entry any) string {
	m.list = append(m.list, entry)
	return "v" + strconv.Itoa(len(m.list)-1)
}

// Mark returns the entry that a marker stands for, or nil for any other name:
// a *Literal, *Name, *Call and so on.
func (s *Statement) Mark(name string) any {
	if len(name) < 2 || name[0] != 'v' {
		return nil
	}
	n, err := strconv.Atoi(name[1:])
	if err != nil || n < 0 || n >= len(s.marks.list) {
		return nil
	}
	return s.marks.list[n]
}

// call writes a call of a marker.
func (l *lowerer) call(entry any, args ...string) string {
	return l.marks.add(entry) + "(" + strings.Join(args, ", ") + ")"
}

package plan

import (
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// StepID is the place of a step in Plan.Steps.
type StepID int

// Col identifies a column of the plan; Plan.Columns describes it.
type Col int

// None is the column of a step that reads none.
const None Col = -1

// NoStep is the input of a step that reads no other.
const NoStep StepID = -1

// Plan is one statement as steps in an order in which they can be executed.
type Plan struct {
	Steps   []Step
	Columns []Column
	Result  StepID   // the step whose rows are the answer
	Output  []Col    // the answer's columns in Result
	Names   []string // their names, as SQLite gives them

	// Order says what fixes the order of the answer's rows; nil where
	// nothing does.
	Order *Order
	// Choices lists the places where SQL leaves the answer open: a LIMIT
	// that may cut a run of ties, a bare column.
	Choices []Choice
	// Equals lists the places where one value stands for others that are equal
	// to it. The answer is open there only if these are not the same.
	Equals []Choice
}

// Order is the ORDER BY of the answer: the relation that Result projects and
// the columns that it is sorted by.
type Order struct {
	Sorted StepID
	Keys   []SortKey
}

// SortKey is a column that rows are sorted by.
type SortKey struct {
	Col       Col
	Collation string // in lower case; "" for the column's own
}

// Choice is a place where SQL does not say which rows to take.
type Choice struct {
	Kind   ChoiceKind
	Step   StepID    // the project that cuts, the group or subquery that is read, the aggregate
	Keys   []SortKey // for Cut and CutEach: of what is cut, if it is sorted
	Limit  int       // for CutEach; -1 for all
	Offset int       // for CutEach
	Column Col       // for Bare and Equal: the column that is read, if it is one; for Concat: the one that is made
}

// ChoiceKind says which freedom a Choice is.
type ChoiceKind uint8

const (
	// Cut is a LIMIT or OFFSET: rows with equal sort keys may be on
	// either side of it (lang_select.html, section 4).
	Cut ChoiceKind = iota
	// CutEach is a Cut of the rows that a correlated subquery has for each row
	// around it. Step is the window that numbers them.
	CutEach
	// Bare is a column of a grouped query that is neither grouped by nor
	// aggregated (lang_select.html, section 2.5): any row may give it.
	Bare
	// First is a subquery whose first row is taken as a value
	// (lang_expr.html, section 11), with nothing to say which is first.
	First
	// Concat is group_concat(), which takes the rows in any order
	// (lang_aggfunc.html).
	Concat
	// Equal is a value that stands for equal ones: texts that are equal under a
	// collation, or 1 and 1.0. It is the key of a group, a row of DISTINCT or of
	// a set operation, or what min(), max() or an aggregate of distinct values
	// takes. SQL does not say which of them is shown.
	Equal
)

// Column describes a column: one of a starting table, or one that a step makes.
type Column struct {
	Start  StepID // for a base column: its start step
	Table  int    // for a base column: the place in Start.Tables
	Name   string // for a base column: its name in the schema
	Hint   string // for a made column: a word for its name
	Alias  string // for a made column: what the statement calls it with AS, if it does
	IsBase bool
}

// Operand is a value that a step reads: a constant, a column of the row, or
// the result of another step.
type Operand struct {
	Kind  OperandKind
	Value value.Value // Constant
	Col   Col         // ColumnOf, and the column of a Result
	Step  StepID      // Result
	// OneRow says that a Result has exactly one row, whatever the data.
	OneRow bool
}

// OperandKind is one of the three kinds of operand.
type OperandKind uint8

// The kinds of operand.
const (
	Constant OperandKind = iota
	ColumnOf
	Result
)

// Arg is a named argument of a derivation. Most hold one operand.
type Arg struct {
	Name   string
	Values []Operand
	List   bool // Values is a list, even when it holds one operand
}

// Step is one relational step.
type Step interface {
	// refers returns what the step refers to.
	refers() references
}

// StartTable is one table of a starting relation under its alias.
type StartTable struct{ Alias, Name string }

// StartJoin is an equality of two base columns that brings tables together.
// A CROSS join has no columns.
type StartJoin struct {
	Left, Right             int // places in Start.Tables
	LeftColumn, RightColumn string
	Kind                    JoinKind
}

// JoinKind is the kind of a join.
type JoinKind string

// The kinds of join.
const (
	Inner JoinKind = "INNER"
	Left  JoinKind = "LEFT"
	Right JoinKind = "RIGHT"
	Full  JoinKind = "FULL"
	Cross JoinKind = "CROSS"
	Semi  JoinKind = "SEMI" // rows of the first relation that have a match
	Anti  JoinKind = "ANTI" // rows of the first relation that have none
)

// The steps.
type (
	// Start is a starting relation: base tables and their equality joins, in
	// the order in which they come in.
	Start struct {
		Tables []StartTable
		Joins  []StartJoin
	}
	// Filter keeps the rows whose Condition on Col and Args is TRUE.
	Filter struct {
		In        StepID
		Col       Col
		Condition tools.Condition
		Args      []Operand
		Escape    string
		Collation string
	}
	// Either keeps the rows of two filters of one relation.
	Either struct{ A, B StepID }
	// Derive makes the column Out by applying Op to From and Args.
	Derive struct {
		In   StepID
		Out  Col
		From Col             // None when the operation reads none
		Op   tools.Operation // or a condition, which gives 1, 0 or NULL
		Args []Arg
	}
	// Group makes one row of all rows with equal Keys; without keys, of all.
	Group struct {
		In   StepID
		Keys []Col
	}
	// Aggregate computes Func. Grouped adds Out to each group's row;
	// otherwise the result is the one value.
	Aggregate struct {
		In        StepID
		Out       Col
		From      Col // None counts rows
		Func      tools.Aggregation
		Distinct  bool
		Separator *Operand
		Limit     int // only the first rows; 0 means all
		Grouped   bool
	}
	// Pick makes the row of the smallest or largest From stand for its group.
	Pick struct {
		In   StepID
		From Col
		Max  bool
	}
	// Sort orders rows by Keys, all in one direction, keeping the order of
	// equals.
	Sort struct {
		In         StepID
		Keys       []Col
		Desc       bool
		NullsFirst bool
		Collation  string
	}
	// Project takes columns, then distinct rows, then a range of rows.
	Project struct {
		In       StepID
		Cols     []Col
		Distinct bool
		Limit    int // -1 for all
		Offset   int
	}
	// SetOp combines two relations of the same width; Out are its columns.
	SetOp struct {
		A, B StepID
		Op   tools.SetOperation
	}
	// Join brings two relations together on equal keys. Renamed are the
	// columns of B as they are called in the result.
	Join struct {
		A, B         StepID
		AKeys, BKeys []Col
		Kind         JoinKind
		NullEqual    bool // NULL equals NULL
		BCols        []Col
		Renamed      []Col
	}
	// Expand makes a row for each element of the JSON in Doc, with the columns
	// of the row of In. Out are the columns key, value, type, atom, id, parent,
	// fullkey and path.
	Expand struct {
		In        StepID // NoStep where Doc is a constant and nothing else is read
		Doc, Path Operand
		Recursive bool
		Out       []Col
	}
	// Window adds the column Out, computed over each row's window.
	Window struct {
		In        StepID
		Out       Col
		Func      tools.WindowFunction
		From      Col
		Partition []Col
		Order     []Col
		Desc      []bool
		Nulls     tools.NullsPlace // of all of Order, where it is not the default
		Frame     *Frame
		Args      []Arg
	}
)

// Frame is a window frame (windowfunctions.html, section 2.2). Unit is ROWS,
// RANGE or GROUPS.
type Frame struct {
	Unit       string
	Start, End Bound
	Exclude    tools.Exclusion
}

// Bound is one end of a frame, counted from the current row.
type Bound struct {
	Unbounded bool
	Offset    value.Value // negative for preceding rows; NULL for the current one
}

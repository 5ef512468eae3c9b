package sqltree

import (
	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/pkg/value"
)

// Span is a part of the source: the bytes from Start up to End.
type Span = dialect.Span

// Query is one SELECT statement, or a subquery: common table expressions, arms,
// and the ORDER BY and LIMIT over all of them.
type Query struct {
	Dialect *engine.Dialect
	// RecursiveWith says that common table expressions may read themselves and
	// those after them. SQLite's always may.
	RecursiveWith bool

	With      []*CTE
	Arms      []*Select
	OrderBy   []*Order
	Limit     Expr // nil without LIMIT
	Offset    Expr // nil without OFFSET
	LimitSpan Span // of the whole LIMIT clause

	// Columns are the columns of the result, named by the first arm.
	Columns []OutputColumn
	// Outer lists the columns of queries around this one that it reads, or that
	// a query within it reads, each once.
	Outer []*Column

	own *scope
}

// OutputColumn is one column of a query's result.
type OutputColumn struct {
	Name string
	// Item is the first arm's.
	Item *Item
	// Affinity and Collation are those of the column where a query around reads
	// it (https://www.sqlite.org/datatype3.html, sections 3.3 and 7.1).
	Affinity  value.Affinity
	Collation string
}

// SetOp is how an arm combines with what is before it.
type SetOp = dialect.SetOp

// Select is one arm of a query. The first has no Op.
type Select struct {
	Op       SetOp
	Values   bool // a row of VALUES
	Distinct bool
	// DistinctOn are the expressions of DISTINCT ON, of which each combination
	// of values gives one row.
	DistinctOn []Expr
	Items      []*Item // the result columns, with those that * stands for
	Stars      []Star  // as they were written
	From       *Join   // the first item of FROM, and what joins it; nil without FROM
	Where      Expr    // nil without WHERE
	GroupBy    []Expr
	Having     Expr

	// Sources are the items of FROM in their order.
	Sources []*Source
	// Query is the one that this is an arm of.
	Query *Query
	// Aggregates are the aggregate calls that belong to this arm, the outermost
	// only, in the order in which they are found in Items, HAVING and ORDER BY.
	Aggregates []*Call

	scope *scope
}

// Item is one result column.
type Item struct {
	Expr      Expr // for a star's column, the *Column
	Alias     string
	AliasSpan Span
	Name      string // what SQLite calls the column
	Span      Span
	Star      bool // a star stands for it
}

// Star is * or table.*, and where in the items its columns begin.
type Star struct {
	Span  Span
	Table string
	At    int
	Count int
}

// Join is one item of a FROM clause that joins what is before it, in Left:
// a source, or a join in parentheses.
type Join struct {
	Left    *Join // nil for the first item
	Kind    dialect.JoinKind
	Natural bool
	Using   []string
	On      Expr // nil without ON
	Source  *Source
	Nested  *Join // in parentheses, instead of Source
	// Equal are the pairs of columns that USING or NATURAL equates, and Missing
	// a name in USING that is not on both sides, or "".
	Equal   [][2]*Column
	Missing string
}

// Source is one table, view, subquery, common table expression or table-valued
// function in a FROM clause.
type Source struct {
	Name      string // by which columns refer to it; "" for a subquery without alias
	Span      Span
	AliasSpan Span // empty without alias
	Schema    string
	TableName string        // as written; "" for a subquery
	Table     *engine.Table // of a table or view
	Query     *Query        // of a subquery or a common table expression
	CTE       *CTE          // of a common table expression
	Function  bool          // a table-valued function
	Lateral   bool          // a subquery that reads the items of FROM before it
	Names     []string      // what the alias calls the columns, so far as it does
	Args      []Expr        // of a table-valued function; of Postgres', the call itself
	Columns   []SourceColumn
	// Recursive says that it is in the common table expression that it reads.
	Recursive bool
	// Known says whether Columns are all the columns that there are.
	Known   bool
	dialect *engine.Dialect
	// Select is the arm in whose FROM the source is, At its place there.
	Select *Select
	At     int
}

// SourceColumn is a column of a source.
type SourceColumn struct {
	Name      string
	Info      *engine.Column // of a table's column
	Affinity  value.Affinity
	Collation string
	// Hidden columns answer to their names, but not to *.
	Hidden bool
	// Merged columns are joined to an earlier source's by USING or NATURAL: they
	// answer to a qualified name only, and * leaves them out.
	Merged bool

	// merges are the columns that the unqualified name stands for, if they are
	// others than this one alone.
	merges []*Column
}

// CTE is one common table expression.
type CTE struct {
	Name      string
	Columns   []string // explicit column names, or none
	Query     *Query
	Recursive bool // reads itself

	scope   *scope
	binding bool
	bound   bool
}

// Order is one term of an ORDER BY.
type Order struct {
	Expr       Expr
	Desc       bool
	NullsFirst bool // explicit, or SQLite's default: first when ascending
	// Item is the place of the result column that the term means, by its number,
	// its alias or its very expression (lang_select.html, section 4), or -1.
	Item int
}

// Expr is an expression.
type Expr interface {
	// Span is the expression's place in the source, Outer that with the
	// parentheses around it.
	Span() Span
	Outer() Span
	setOuter(Span)
	place(node)
}

// Place gives an expression its place in the source, without and with the
// parentheses around it, and returns it.
func Place(e Expr, span, outer Span) Expr {
	e.place(node{span, outer})
	return e
}

type node struct{ span, outer Span }

func (n *node) Span() Span      { return n.span }
func (n *node) Outer() Span     { return n.outer }
func (n *node) setOuter(s Span) { n.outer = s }
func (n *node) place(at node)   { *n = at }

func at(s Span) node { return node{s, s} }

// Op is an operator.
type Op string

// The operators of Unary and Binary.
const (
	Or         Op = "OR"
	And        Op = "AND"
	Not        Op = "NOT"
	Equal      Op = "="
	NotEqual   Op = "<>"
	Less       Op = "<"
	LessEq     Op = "<="
	Greater    Op = ">"
	GreaterEq  Op = ">="
	Is         Op = "IS"
	IsNot      Op = "IS NOT"
	Add        Op = "+"
	Subtract   Op = "-"
	Multiply   Op = "*"
	Divide     Op = "/"
	Modulo     Op = "%"
	BitAnd     Op = "&"
	BitOr      Op = "|"
	ShiftLeft  Op = "<<"
	ShiftRight Op = ">>"
	Concat     Op = "||"
	Negate     Op = "negate"
	Plus       Op = "plus"
	BitNot     Op = "~"
	Arrow      Op = "->"
	LongArrow  Op = "->>"
	Like       Op = "LIKE"
	Glob       Op = "GLOB"
	Match      Op = "MATCH"
	Regexp     Op = "REGEXP"

	// Of Postgres: LIKE without regard to case, the regular expressions of SQL,
	// and those of POSIX with and without regard to case.
	ILike       Op = "ILIKE"
	SimilarTo   Op = "SIMILAR TO"
	Matches     Op = "~"
	MatchesFold Op = "~*"
)

// The set operations of Postgres that SQLite does not have.
const (
	IntersectAll SetOp = "INTERSECT ALL"
	ExceptAll    SetOp = "EXCEPT ALL"
)

// State says how far a column reference is resolved.
type State uint8

// The states of a Column.
const (
	Unknown   State = iota
	Bound           // Source and Index are set
	Ambiguous       // several sources have the column
)

// The expressions.
type (
	// Literal is a number, a text, a BLOB or NULL; also TRUE and FALSE, and a
	// name in double quotes that names nothing, which is a text
	// (https://www.sqlite.org/quirks.html, section 8).
	Literal struct {
		node
		Value  value.Value
		Word   bool // TRUE or FALSE
		Quoted bool // a name in double quotes
	}
	// Column is a column reference.
	Column struct {
		node
		Schema, Table string // "" when unqualified
		Name          string
		Quoted        bool

		State  State
		Source *Source // of a table's or subquery's column
		Index  int     // in Source.Columns, or RowID
		Alias  *Item   // of a result column that is meant by its alias, in place of Source
		// Coalesced are the columns whose first value that is not NULL an
		// unqualified name stands for, after a FULL join with USING or NATURAL;
		// nil for any other.
		Coalesced []*Column
	}
	// Unary is -x, +x, ~x or NOT x.
	Unary struct {
		node
		Op Op
		X  Expr
	}
	// Binary is an operator between two operands.
	Binary struct {
		node
		Op   Op
		X, Y Expr
	}
	// Pattern is LIKE, GLOB, MATCH or REGEXP.
	Pattern struct {
		node
		Op     Op
		X, Y   Expr
		Escape Expr // nil without ESCAPE
		Not    bool
	}
	// Between is X [NOT] BETWEEN Low AND High.
	Between struct {
		node
		X, Low, High Expr
		Not          bool
	}
	// In is X [NOT] IN (List), or with a subquery, a table or a table-valued
	// function.
	In struct {
		node
		X     Expr
		List  []Expr
		Query *Query // nil for a list; SELECT * FROM the table, for a name
		Table bool   // a table's or function's name
		Not   bool
	}
	// Case is CASE [Operand] WHEN ... END.
	Case struct {
		node
		Operand Expr // or nil
		Whens   []When
		Else    Expr // or nil
	}
	// Call is a call of a function.
	Call struct {
		node
		Name           string // in lower case
		Written        string
		Star, Distinct bool
		Args           []Expr
		OrderBy        []*Order
		Filter         Expr    // nil without FILTER
		Over           *Window // nil without OVER
		Aggregate      bool
		WithinGroup    bool // OrderBy is in WITHIN GROUP

		arm *Select // of an aggregate
	}
	// Cast is CAST(X AS Type), and Postgres' X::Type and Type 'x'.
	Cast struct {
		node
		X    Expr
		Type string
		// Gives is the affinity of a type that is not SQLite's.
		Gives value.Affinity
	}
	// Collate is X COLLATE Name.
	Collate struct {
		node
		X    Expr
		Name string
	}
	// Subquery is a query as a value.
	Subquery struct {
		node
		Query *Query
	}
	// Exists is EXISTS (Query).
	Exists struct {
		node
		Query *Query
	}
	// Row is a row value: (a, b, ...).
	Row struct {
		node
		Items []Expr
	}
	// Clock is current_date, current_time or current_timestamp; in Postgres also
	// localtime, localtimestamp, and now(), which is a current_timestamp. Type is
	// the type that Postgres gives it.
	Clock struct {
		node
		Name string
		Type string
	}
	// Other is what this tree has no node for. Text is as it was written; what
	// it is made of is known only so far that its names are resolved.
	Other struct {
		node
		Text  string
		Args  []Expr
		Query *Query // a subquery in it, or nil
	}
)

// RowID is the Index of a Column that is a table's rowid, where no declared
// column stands for it.
const RowID = -1

// When is one branch of a Case.
type When struct{ Cond, Then Expr }

// Window is what is in OVER.
type Window struct {
	Partition []Expr
	OrderBy   []*Order
	Frame     *Frame // nil for the default
}

// Frame is a window frame (windowfunctions.html, section 2.2). Unit is ROWS,
// RANGE or GROUPS; Exclude is NO OTHERS, CURRENT ROW, GROUP or TIES, or "".
type Frame struct {
	Unit       string
	Start, End FrameEnd
	Exclude    string
}

// FrameEnd is one end of a frame; the zero value is CURRENT ROW.
type FrameEnd struct {
	Unbounded, Following bool
	Offset               Expr // or nil
}

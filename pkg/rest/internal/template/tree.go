package template

import (
	"github.com/birdcall/birdcall/internal/sqlite"
	"github.com/birdcall/birdcall/pkg/value"
)

// Query is a SELECT statement with its WITH clause.
type Query struct {
	Selects   []*Select // the parts of a compound, or one; nil for VALUES
	Operators []string  // between the parts: UNION, INTERSECT or EXCEPT
	with      []*Query
	values    []*Expr // of VALUES clauses
}

// Last returns the part that ORDER BY and LIMIT are written after, or nil for
// VALUES.
func (q *Query) Last() *Select { return q.Selects[len(q.Selects)-1] }

// Select is one SELECT without its compound.
type Select struct {
	Columns []ResultColumn // as written
	From    []*FromItem    // in order, those in parentheses too
	Where   *Expr          // or nil
	GroupBy []*Expr
	OrderBy []OrderTerm
	Limit   *Limit // or nil

	on      []*Expr // ON conditions and the arguments of table functions
	having  *Expr
	windows []*Expr // all expressions of the WINDOW clause
	depth   int     // 1 for the whole statement; subqueries in FROM have the depth of what they stand in
}

// ResultColumn is one column, or *, as it is written after SELECT.
type ResultColumn struct {
	Expr  *Expr
	Alias string // or ""
}

// OrderTerm is one term of ORDER BY.
type OrderTerm struct {
	Expr       *Expr
	Descending bool
}

// Limit is LIMIT with OFFSET, which is nil where there is none.
type Limit struct{ Count, Offset *Expr }

// FromItem is a table, view, subquery or common table expression in FROM.
type FromItem struct {
	Table *sqlite.Table // nil unless it is one of the database's

	name    string    // by which columns refer to it, in lower case
	label   string    // the same for the same table in another statement, whatever its alias
	columns []*Column // of a subquery
	known   bool      // whether its columns are known
	query   *Query    // of a subquery in FROM
	depth   int       // of its SELECT
}

// MainTable returns the table that a SELECT reads first, through subqueries,
// or nil.
func (s *Select) MainTable() *sqlite.Table {
	for s != nil && len(s.From) > 0 {
		first := s.From[0]
		if first.Table != nil {
			return first.Table
		}
		s = nil
		for _, c := range first.columns {
			if c.of != nil {
				s = c.of
				break
			}
			if t := c.Table(); t != nil {
				return t
			}
		}
	}
	return nil
}

// Column is what a name stands for: a column of a table, or a column of the
// result of a SELECT.
type Column struct {
	Name    string         // as the table or the SELECT calls it
	Info    *sqlite.Column // of a table's column; nil for the rowid
	Expr    *Expr          // of a result column
	IsAlias bool           // whether Name is an alias

	item  *FromItem // which it is read from
	of    *Select   // whose result column it is
	plain string    // the name of a result column without its alias
	inner *Column   // the subquery's own column, of one that is read from a subquery
}

// Table returns the table that the column is read from, or nil.
func (c *Column) Table() *sqlite.Table {
	if c.item == nil {
		return nil
	}
	return c.item.Table
}

// Base returns the table's column that c stands for through any number of
// subqueries, or else the last column on the way there.
func (c *Column) Base() *Column {
	for {
		switch {
		case c.inner != nil:
			c = c.inner
		case c.Expr != nil && c.Expr.Column != nil:
			c = c.Expr.Column
		default:
			return c
		}
	}
}

// readFrom returns the column as the query has it that reads it from item.
func (c *Column) readFrom(item *FromItem) *Column {
	return &Column{Name: c.Name, Info: c.Info, Expr: c.Expr, item: item, of: c.of, plain: c.plain, inner: c}
}

// Kind tells what an expression is.
type Kind int

// The kinds, with what stands in Expr.Args and Expr.Op.
const (
	Other    Kind = iota // operands
	Name                 // Op is the name
	Quoted               // a name in double quotes that names nothing, and so is a string; Op is the name
	Null                 //
	Number               // Op is the text
	String               //
	Blob                 //
	Clock                // CURRENT_DATE, CURRENT_TIME or CURRENT_TIMESTAMP, which is in Op
	Unary                // one operand; Op is +, -, ~ or NOT
	Binary               // two operands
	Is                   // two operands; Op is = or <>; also ISNULL and NOTNULL
	Like                 // the text, the pattern, and the ESCAPE if there is one; Op is like, glob, regexp or match
	Between              // the value and its bounds
	In                   // the value and the items of a list; or Query
	Case                 // WHEN and THEN in turn; Operand, Else
	Cast                 // one operand; Op is the type
	Collate              // one operand
	Call                 // the arguments; Op is the function's name in lower case
	Subquery             // none; Query
	Exists               // none; Query
	Star                 // none
)

// Expr is an expression. Parentheses are left out.
type Expr struct {
	Kind     Kind
	Op       string
	Args     []*Expr
	Not      bool        // NOT IN
	Distinct bool        // of a Call
	Window   bool        // whether a Call has OVER
	Column   *Column     // what a Name stands for, or nil if that is not known
	Query    *Query      // of a subquery, or nil
	Operand  *Expr       // of a Case, or nil
	Else     *Expr       // of a Case, or nil
	Value    value.Value // of a Number, String or Quoted; NULL for a number that cannot be read

	rest  []*Expr // of a Call: what stands in ORDER BY, FILTER and OVER; of an In: the arguments of a table function
	reads bool    // whether it depends on the data: it names a column, counts rows or has a subquery
	at    span
	outer span // with the parentheses around it
}

// span is a part of the statement's text, in bytes.
type span struct{ start, end int }

func (s span) contains(other span) bool { return s.start <= other.start && other.end <= s.end }

// IsLiteral reports whether the expression is a constant without a sign.
func (e *Expr) IsLiteral() bool {
	switch e.Kind {
	case Null, Number, String, Blob, Clock:
		return true
	}
	return false
}

// IsCall reports whether the expression is a call of a function of that name,
// in lower case.
func (e *Expr) IsCall(name string) bool { return e.Kind == Call && e.Op == name }

// IsAggregate reports whether the expression is a call of an aggregate function
// (https://www.sqlite.org/lang_aggfunc.html), be it over a window.
func (e *Expr) IsAggregate() bool {
	if e.Kind != Call {
		return false
	}
	switch e.Op {
	case "count", "sum", "avg", "total", "group_concat", "string_agg":
		return true
	case "min", "max":
		return len(e.Args) == 1
	}
	return false
}

// IsComparison reports whether the expression is =, <>, <, <=, > or >=.
func (e *Expr) IsComparison() bool {
	if e.Kind != Binary {
		return false
	}
	switch e.Op {
	case "=", "<>", "<", "<=", ">", ">=":
		return true
	}
	return false
}

// below returns what stands in an expression but for its subquery, in the order
// of the text.
func (e *Expr) below() []*Expr {
	if e.Operand == nil && e.Else == nil && e.rest == nil {
		return e.Args
	}
	var all []*Expr
	if e.Operand != nil {
		all = append(all, e.Operand)
	}
	all = append(append(all, e.Args...), e.rest...)
	if e.Else != nil {
		all = append(all, e.Else)
	}
	return all
}

// Walk calls visit for an expression and, where that returns true, for those in
// it, subqueries included, in the order of the text.
func (e *Expr) Walk(visit func(*Expr) bool) { visitor{visit, nil}.expr(e) }

// visitor is told of everything in a statement.
type visitor struct {
	onExpr   func(*Expr) bool // whether to go on below
	onSelect func(*Select)    // or nil
}

func (v visitor) expr(e *Expr) {
	if e == nil || !v.onExpr(e) {
		return
	}
	v.list(e.below())
	if e.Query != nil {
		v.query(e.Query)
	}
}

func (v visitor) list(all []*Expr) {
	for _, e := range all {
		v.expr(e)
	}
}

func (v visitor) query(q *Query) {
	for _, c := range q.with {
		v.query(c)
	}
	v.list(q.values)
	for _, s := range q.Selects {
		if s != nil {
			v.one(s)
		}
	}
}

func (v visitor) one(s *Select) {
	if v.onSelect != nil {
		v.onSelect(s)
	}
	for _, c := range s.Columns {
		v.expr(c.Expr)
	}
	for _, item := range s.From {
		if item.query != nil {
			v.query(item.query)
		}
	}
	v.list(s.on)
	v.expr(s.Where)
	v.list(s.GroupBy)
	v.expr(s.having)
	v.list(s.windows)
	for _, term := range s.OrderBy {
		v.expr(term.Expr)
	}
	if s.Limit != nil {
		v.expr(s.Limit.Count)
		v.expr(s.Limit.Offset)
	}
}

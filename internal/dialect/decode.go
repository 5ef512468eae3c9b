package dialect

import (
	"strings"

	"github.com/xwb1989/sqlparser"
)

// The names under which SQLite's own constructs travel through the grammar.
const (
	fnCast       = "?cast"
	fnFilter     = "?filter"
	fnOver       = "?over"
	fnPartition  = "?partition"
	fnOrder      = "?order"
	fnFrame      = "?frame"
	fnDesc       = "?desc"
	fnNullsFirst = "?nulls_first"
	fnNullsLast  = "?nulls_last"
	doubleQuoted = "?quoted"
)

// Args returns the argument expressions of a call; count(*) has none and
// reports star.
func Args(f *sqlparser.FuncExpr) (args []sqlparser.Expr, star bool) {
	for _, e := range f.Exprs {
		switch e := e.(type) {
		case *sqlparser.StarExpr:
			star = true
		case *sqlparser.AliasedExpr:
			args = append(args, e.Expr)
		}
	}
	return args, star
}

func marked(e sqlparser.Expr, name string) ([]sqlparser.Expr, bool) {
	f, ok := e.(*sqlparser.FuncExpr)
	if !ok || f.Name.String() != name {
		return nil, false
	}
	args, _ := Args(f)
	return args, true
}

// AsCast reads CAST(x AS type).
func AsCast(e sqlparser.Expr) (x sqlparser.Expr, typ string, ok bool) {
	args, ok := marked(e, fnCast)
	if !ok {
		return nil, "", false
	}
	return args[0], text(args[1]), true
}

// AsFilter reads aggregate(...) FILTER (WHERE condition).
func AsFilter(e sqlparser.Expr) (aggregate *sqlparser.FuncExpr, condition sqlparser.Expr, ok bool) {
	args, ok := marked(e, fnFilter)
	if !ok {
		return nil, nil, false
	}
	return args[0].(*sqlparser.FuncExpr), args[1], true
}

// Clock reads CURRENT_DATE, CURRENT_TIME and CURRENT_TIMESTAMP, by their
// lower-case names.
func Clock(e sqlparser.Expr) (name string, ok bool) {
	f, isFunc := e.(*sqlparser.FuncExpr)
	if !isFunc || !strings.HasPrefix(f.Name.String(), "?current_") {
		return "", false
	}
	return f.Name.String()[1:], true
}

// Order is one decoded term of an ORDER BY.
type Order struct {
	Expr       sqlparser.Expr
	Desc       bool
	NullsFirst bool // explicit, or SQLite's default: first when ascending
}

func order(e sqlparser.Expr, desc bool) Order {
	if args, ok := marked(e, fnNullsFirst); ok {
		return Order{args[0], desc, true}
	}
	if args, ok := marked(e, fnNullsLast); ok {
		return Order{args[0], desc, false}
	}
	return Order{e, desc, !desc}
}

// Orders decodes an ORDER BY clause.
func Orders(by sqlparser.OrderBy) []Order {
	out := make([]Order, len(by))
	for i, o := range by {
		out[i] = order(o.Expr, o.Direction == sqlparser.DescScr)
	}
	return out
}

// Window is a decoded window function call. Frame holds unit, start, end and
// exclusion in upper case; the unit is "" where the default frame stands.
type Window struct {
	Func      *sqlparser.FuncExpr
	Filter    sqlparser.Expr // nil without FILTER
	Partition []sqlparser.Expr
	Order     []Order
	Frame     [4]string
}

// AsWindow reads function(...) [FILTER ...] OVER (...).
func AsWindow(e sqlparser.Expr) (*Window, bool) {
	args, ok := marked(e, fnOver)
	if !ok {
		return nil, false
	}
	w := &Window{}
	if f, cond, ok := AsFilter(args[0]); ok {
		w.Func, w.Filter = f, cond
	} else {
		w.Func = args[0].(*sqlparser.FuncExpr)
	}
	w.Partition, _ = marked(args[1], fnPartition)
	terms, _ := marked(args[2], fnOrder)
	for _, t := range terms {
		if inner, ok := marked(t, fnDesc); ok {
			// NULLS FIRST/LAST was written around the expression, DESC around both.
			w.Order = append(w.Order, order(inner[0], true))
		} else {
			w.Order = append(w.Order, order(t, false))
		}
	}
	frame, _ := marked(args[3], fnFrame)
	for i, f := range frame {
		w.Frame[i] = text(f)
	}
	return w, true
}

// Name is a column reference as it was written.
type Name struct {
	Table  string // "" when unqualified
	Column string
	Quoted bool // in double quotes: a text where no such column is in scope
}

// NameOf decodes a column reference.
func NameOf(c *sqlparser.ColName) Name {
	n := Name{Table: c.Qualifier.Name.String(), Column: c.Name.String()}
	if n.Table == doubleQuoted {
		n.Table, n.Quoted = "", true
	}
	return n
}

// SubqueryOf returns the statement that a subquery expression stands for; a
// plain table's name (x IN table) gives nil and the name.
func (s *Statement) SubqueryOf(q *sqlparser.Subquery) (*Statement, string) {
	from := q.Select.(*sqlparser.Select).From[0].(*sqlparser.AliasedTableExpr)
	name := from.Expr.(sqlparser.TableName).Name.String()
	if sub := s.subs[name]; sub != nil {
		return sub, ""
	}
	return nil, name
}

// Bare takes the parentheses off an expression.
func Bare(e sqlparser.Expr) sqlparser.Expr {
	for {
		p, ok := e.(*sqlparser.ParenExpr)
		if !ok {
			return e
		}
		e = p.Expr
	}
}

func text(e sqlparser.Expr) string { return string(e.(*sqlparser.SQLVal).Val) }

// Walk visits every node of the statement and of the subqueries within it.
func (s *Statement) Walk(visit func(sqlparser.SQLNode)) {
	for _, c := range s.With {
		c.Query.Walk(visit)
	}
	walk := func(n sqlparser.SQLNode) (bool, error) {
		visit(n)
		if t, ok := n.(sqlparser.TableName); ok {
			if sub := s.subs[t.Name.String()]; sub != nil {
				sub.Walk(visit)
			}
		}
		return true, nil
	}
	for _, c := range s.Cores {
		_ = sqlparser.Walk(walk, c.Select)
	}
	_ = sqlparser.Walk(walk, s.OrderBy)
}

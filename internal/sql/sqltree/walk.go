package sqltree

import (
	"slices"

	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/pkg/value"
)

// Children returns the expressions that an expression is made of, in the order
// in which they are. The expressions of subqueries are not among them: see
// Queries.
func Children(e Expr) []Expr {
	var out []Expr
	add := func(list ...Expr) {
		for _, x := range list {
			if x != nil {
				out = append(out, x)
			}
		}
	}
	orders := func(list []*Order) {
		for _, o := range list {
			add(o.Expr)
		}
	}
	switch e := e.(type) {
	case *Unary:
		add(e.X)
	case *Binary:
		add(e.X, e.Y)
	case *Pattern:
		add(e.X, e.Y, e.Escape)
	case *Between:
		add(e.X, e.Low, e.High)
	case *In:
		add(e.X)
		add(e.List...)
	case *Case:
		add(e.Operand)
		for _, w := range e.Whens {
			add(w.Cond, w.Then)
		}
		add(e.Else)
	case *Call:
		add(e.Args...)
		orders(e.OrderBy)
		add(e.Filter)
		if w := e.Over; w != nil {
			add(w.Partition...)
			orders(w.OrderBy)
			if w.Frame != nil {
				add(w.Frame.Start.Offset, w.Frame.End.Offset)
			}
		}
	case *Cast:
		add(e.X)
	case *Collate:
		add(e.X)
	case *Row:
		add(e.Items...)
	case *Other:
		add(e.Args...)
	}
	return out
}

// SubqueryOf returns the subquery that an expression itself is made of, or nil.
func SubqueryOf(e Expr) *Query {
	switch e := e.(type) {
	case *Subquery:
		return e.Query
	case *Exists:
		return e.Query
	case *In:
		return e.Query
	case *Other:
		return e.Query
	}
	return nil
}

// Walk visits an expression and what it is made of, without its subqueries,
// from the outside in. Where visit returns false it goes no deeper.
func Walk(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	for _, c := range Children(e) {
		Walk(c, visit)
	}
}

// Exprs returns the expressions of an arm, as they are written: DISTINCT ON, result
// columns that were written, FROM, WHERE, GROUP BY, HAVING.
func (s *Select) Exprs() []Expr {
	out := slices.Clone(s.DistinctOn)
	for _, it := range s.Items {
		if it != nil && !it.Star {
			out = append(out, it.Expr)
		}
	}
	s.From.walk(func(j *Join) {
		if j.Source != nil {
			out = append(out, j.Source.Args...)
		}
		if j.On != nil {
			out = append(out, j.On)
		}
	})
	if s.Where != nil {
		out = append(out, s.Where)
	}
	out = append(out, s.GroupBy...)
	if s.Having != nil {
		out = append(out, s.Having)
	}
	return out
}

// walk visits the joins of a FROM clause from left to right.
func (j *Join) walk(visit func(*Join)) {
	if j == nil {
		return
	}
	j.Left.walk(visit)
	j.Nested.walk(visit)
	visit(j)
}

// Each visits the joins of a FROM clause from left to right.
func (j *Join) Each(visit func(*Join)) { j.walk(visit) }

// OnlyInner reports whether there is no outer join in a FROM clause.
func (j *Join) OnlyInner() bool {
	return j == nil || j.Kind == dialect.Inner && j.Left.OnlyInner() && j.Nested.OnlyInner()
}

// Tail returns the expressions of a query's ORDER BY and LIMIT.
func (q *Query) Tail() []Expr {
	var out []Expr
	for _, o := range q.OrderBy {
		out = append(out, o.Expr)
	}
	for _, e := range []Expr{q.Limit, q.Offset} {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

// WalkAll visits a query and every query within it, from the outside in, with
// the expressions of each. visitExpr may be nil.
func (q *Query) WalkAll(visit func(*Query), visitExpr func(Expr)) {
	visit(q)
	for _, c := range q.With {
		c.Query.WalkAll(visit, visitExpr)
	}
	each := func(list []Expr) {
		for _, e := range list {
			Walk(e, func(e Expr) bool {
				if visitExpr != nil {
					visitExpr(e)
				}
				if sub := SubqueryOf(e); sub != nil {
					sub.WalkAll(visit, visitExpr)
				}
				return true
			})
		}
	}
	for _, s := range q.Arms {
		s.From.walk(func(j *Join) {
			if j.Source != nil && j.Source.Query != nil && j.Source.CTE == nil {
				j.Source.Query.WalkAll(visit, visitExpr)
			}
		})
		each(s.Exprs())
	}
	each(q.Tail())
}

// Conjuncts splits an expression at its outermost ANDs.
func Conjuncts(e Expr) []Expr {
	if e == nil {
		return nil
	}
	b, ok := e.(*Binary)
	switch {
	case !ok || b.Op != And:
		return []Expr{e}
	case IsFalse(b):
		return []Expr{&Literal{node: at(b.span), Value: value.Int(0)}}
	}
	return append(Conjuncts(b.X), Conjuncts(b.Y)...)
}

// IsFalse reports whether SQLite takes an expression for the number 0 before it
// looks at the names in it: 0 itself, a number or text IS NULL, and an AND with
// such an operand and without a function (sqlite3ExprAnd and sqlite3PExprIsNull
// in expr.c).
func IsFalse(e Expr) bool {
	switch e := e.(type) {
	case *Literal:
		return e.Value == value.Int(0) && !e.Word
	case *Binary:
		switch e.Op {
		case And:
			return (IsFalse(e.X) || IsFalse(e.Y)) && !callsFunction(e)
		case Is:
			null, ok := e.Y.(*Literal)
			return ok && null.Value.IsNull() && isConstant(e.X)
		}
	}
	return false
}

// isConstant reports whether an expression is a literal other than NULL, with
// any signs.
func isConstant(e Expr) bool {
	switch e := e.(type) {
	case *Literal:
		return !e.Value.IsNull() && !e.Word && !e.Quoted
	case *Unary:
		return (e.Op == Negate || e.Op == Plus) && isConstant(e.X)
	}
	return false
}

func callsFunction(e Expr) bool {
	calls := false
	Walk(e, func(e Expr) bool {
		switch e := e.(type) {
		case *Call, *Pattern, *Clock:
			calls = true
		case *Binary:
			calls = calls || e.Op == Arrow || e.Op == LongArrow
		}
		return !calls
	})
	return calls
}

package sqltree

import (
	"math"

	"github.com/birdcall/birdcall/pkg/value"
)

// orderBy binds the terms of an ORDER BY.
func (b *binder) orderBy(q *Query) {
	if len(q.Arms) == 0 || b.err != nil {
		return
	}
	var keys map[string]int
	for _, o := range q.OrderBy {
		if len(q.Arms) > 1 {
			o.Item = q.compoundItem(o)
			if o.Item < 0 {
				o.Expr = b.expr(o.Expr, q.own)
			}
			continue
		}
		s := q.Arms[0]
		if o.Item = s.aliased(uncollated(o.Expr)); o.Item >= 0 {
			continue
		}
		o.Expr = b.expr(o.Expr, s.scope)
		if keys == nil {
			keys = s.keys()
		}
		if item, ok := keys[Key(uncollated(o.Expr))]; ok {
			o.Item = item
		}
	}
}

// uncollated takes a COLLATE off a term.
func uncollated(e Expr) Expr {
	if c, ok := e.(*Collate); ok {
		return c.X
	}
	return e
}

// Ordinal returns the number of a result column, from 0, that a term of ORDER BY
// or GROUP BY means by its number, or -1.
func (s *Select) Ordinal(e Expr) int {
	if IsNumber(e) {
		if n := e.(*Literal).Value.Int64(); n >= 1 && n <= int64(len(s.Items)) {
			return int(n - 1)
		}
	}
	return -1
}

// IsNumber reports whether a term of ORDER BY or GROUP BY is the number of a
// result column, be there one or not. An integer of more than 32 bits is a
// constant, as in sqlite3ExprIsInteger of SQLite's expr.c.
func IsNumber(e Expr) bool {
	l, ok := e.(*Literal)
	return ok && l.Value.Kind() == value.Integer && l.Value.Int64() <= math.MaxInt32
}

// aliased returns the number of the result column that a term of ORDER BY means
// by its number or alias, or -1.
func (s *Select) aliased(e Expr) int {
	if n := s.Ordinal(e); n >= 0 {
		return n
	}
	if c, ok := e.(*Column); ok && c.Table == "" {
		if i := s.named(c.Name); i >= 0 {
			c.State, c.Alias = Bound, s.Items[i]
			return i
		}
	}
	return -1
}

// keys returns the numbers of the result columns that are written, by the keys
// of their expressions.
func (s *Select) keys() map[string]int {
	keys := map[string]int{}
	for i := len(s.Items) - 1; i >= 0; i-- {
		if it := s.Items[i]; !it.Star {
			keys[Key(it.Expr)] = i
		}
	}
	return keys
}

// compoundItem returns the result column that a term of a compound's ORDER BY
// means, or -1.
func (q *Query) compoundItem(o *Order) int {
	e := uncollated(o.Expr)
	for _, s := range q.Arms {
		if n := s.aliased(e); n >= 0 {
			return n
		}
	}
	if c, ok := e.(*Column); ok && c.Table == "" {
		for i := range q.Columns {
			if q.Dialect.Same(q.Columns[i].Name, c.Name) {
				return i
			}
		}
	}
	return -1
}

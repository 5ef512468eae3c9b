package naming

import (
	"slices"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/internal/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
)

// fixed puts the conditions of a statement into words that no parameter
// changes: they tell endpoints apart that give the same.
func (n *Namer) fixed(s *sqltree.Select) []string {
	var out []string
	for _, e := range conjuncts(s.Where) {
		if e == nil || n.t.HasParam(e) {
			continue
		}
		list := n.words.condition(e)
		if len(list) == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, "and")
		}
		out = append(out, list...)
	}
	if arms := n.t.Query.Arms; len(arms) == 2 && arms[1].Op == dialect.Except && !arms[1].Values {
		out = append(append(out, "without"), n.words.last(arms[1])...)
	}
	return out
}

// conjuncts splits a condition at its ANDs, as it is written: an AND with 0 too,
// which sqltree.Conjuncts takes for 0.
func conjuncts(e sqltree.Expr) []sqltree.Expr {
	if b, ok := e.(*sqltree.Binary); ok && b.Op == sqltree.And {
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	return []sqltree.Expr{e}
}

// condition puts one condition into words, or returns nil where they would
// not help.
func (p phrases) condition(e sqltree.Expr) []string {
	switch e := e.(type) {
	case *sqltree.Unary:
		if x, ok := e.X.(*sqltree.Exists); ok && e.Op == sqltree.Not {
			return append([]string{"without"}, p.last(x.Query.Arms[0])...)
		}
	case *sqltree.Exists:
		return append([]string{"with"}, p.last(e.Query.Arms[0])...)
	case *sqltree.In:
		if e.Query != nil && !e.Table {
			return append([]string{pick(e.Not, "without", "with")}, p.last(e.Query.Arms[0])...)
		}
	case *sqltree.Binary:
		switch e.Op {
		case sqltree.Is:
			if l, ok := e.Y.(*sqltree.Literal); ok && l.Value.IsNull() {
				return append([]string{"without"}, p.expr(e.X)...)
			}
		case sqltree.Less, sqltree.LessEq:
			return slices.Concat([]string{"with"}, p.expr(e.X), []string{"below"}, p.expr(e.Y))
		case sqltree.Greater, sqltree.GreaterEq:
			return slices.Concat([]string{"with"}, p.expr(e.X), []string{"above"}, p.expr(e.Y))
		}
	}
	return nil
}

// last returns the noun of the last table of a SELECT: the one it is about,
// where the others lead there.
func (p phrases) last(s *sqltree.Select) []string {
	switch {
	case s.Values:
		return []string{"values"}
	case len(s.Sources) == 0:
		return []string{"others"}
	}
	return pluralize(p.table(s.Sources[len(s.Sources)-1].Table))
}

// order names the extreme that ORDER BY with a LIMIT asks for.
func (n *Namer) order() []string {
	q := n.t.Query
	if q.Limit == nil || len(q.OrderBy) == 0 {
		return nil
	}
	term := q.OrderBy[0]
	e := term.Expr
	if c, ok := e.(*sqltree.Column); ok && c.State != sqltree.Bound && term.Item >= 0 {
		e = q.Columns[term.Item].Item.Expr // of a compound
	}
	if info := template.OriginOf(e).Info; info != nil && info.PrimaryKey > 0 {
		return nil // only to fix an order
	}
	list := n.words.expr(e)
	word := pick(term.Desc, "highest", "lowest")
	if isDateName(list) {
		word = pick(term.Desc, "latest", "earliest")
	}
	if isCall(e, "count") && len(list) > 1 {
		word = pick(term.Desc, "most", "fewest")
		list = pluralize(list[:len(list)-1])
	}
	return append([]string{"with", word}, list...)
}

// extreme names a condition such as price = (SELECT MAX(price) ...).
func (p phrases) extreme(where sqltree.Expr) (list []string) {
	look := func(e sqltree.Expr) {
		if list == nil {
			list = p.extremeOf(e)
		}
	}
	sqltree.Walk(where, func(e sqltree.Expr) bool {
		look(e)
		if q := sqltree.SubqueryOf(e); q != nil {
			q.WalkAll(func(*sqltree.Query) {}, look)
		}
		return list == nil
	})
	return list
}

func (p phrases) extremeOf(e sqltree.Expr) []string {
	equal, ok := e.(*sqltree.Binary)
	if !ok || equal.Op != sqltree.Equal {
		return nil
	}
	sub, ok := equal.Y.(*sqltree.Subquery)
	if !ok || len(sub.Query.Arms[0].Items) != 1 {
		return nil
	}
	call, ok := sub.Query.Arms[0].Items[0].Expr.(*sqltree.Call)
	if !ok || !call.Aggregate || call.Name == "count" {
		return nil
	}
	return append([]string{"with"}, p.query(sub.Query)...)
}

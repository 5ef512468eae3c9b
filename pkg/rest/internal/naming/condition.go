package naming

import (
	"slices"

	"github.com/birdcall/birdcall/pkg/rest/internal/template"
)

// fixed puts the conditions of a statement into words that no parameter
// changes: they tell endpoints apart that give the same.
func (n *Namer) fixed(s *template.Select) []string {
	var out []string
	for _, e := range conjuncts(s.Where) {
		if n.t.HasParam(e) {
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
	q := n.t.Query
	if len(q.Operators) == 1 && q.Operators[0] == "EXCEPT" && q.Selects[1] != nil {
		out = append(append(out, "without"), n.words.last(q.Selects[1])...)
	}
	return out
}

// conjuncts splits a condition at its ANDs.
func conjuncts(e *template.Expr) []*template.Expr {
	if e == nil {
		return nil
	}
	if e.Kind == template.Binary && e.Op == "AND" {
		return append(conjuncts(e.Args[0]), conjuncts(e.Args[1])...)
	}
	return []*template.Expr{e}
}

// condition puts one condition into words, or returns nil where they would
// not help.
func (p phrases) condition(e *template.Expr) []string {
	switch e.Kind {
	case template.Is:
		if e.Args[1].Kind == template.Null && e.Op == "=" {
			return append([]string{"without"}, p.expr(e.Args[0])...)
		}
	case template.Unary:
		if x := e.Args[0]; x.Kind == template.Exists && e.Op == "NOT" {
			return append([]string{"without"}, p.last(x.Query.Selects[0])...)
		}
	case template.Exists:
		return append([]string{"with"}, p.last(e.Query.Selects[0])...)
	case template.In:
		if e.Query != nil {
			return append([]string{pick(e.Not, "without", "with")}, p.last(e.Query.Selects[0])...)
		}
	case template.Binary:
		if word := map[string]string{"<": "below", "<=": "below", ">": "above", ">=": "above"}[e.Op]; word != "" {
			return slices.Concat([]string{"with"}, p.expr(e.Args[0]), []string{word}, p.expr(e.Args[1]))
		}
	}
	return nil
}

// last returns the noun of the last table of a SELECT: the one it is about,
// where the others lead there.
func (p phrases) last(s *template.Select) []string {
	switch {
	case s == nil:
		return []string{"values"}
	case len(s.From) == 0:
		return []string{"others"}
	}
	return pluralize(p.table(s.From[len(s.From)-1].Table))
}

// order names the extreme that ORDER BY with a LIMIT asks for.
func (n *Namer) order() []string {
	last := n.t.Query.Last()
	if last == nil || last.Limit == nil || len(last.OrderBy) == 0 {
		return nil
	}
	term := last.OrderBy[0]
	if c := term.Expr.Column; c != nil && c.Base().Info != nil && c.Base().Info.PrimaryKey > 0 {
		return nil // only to fix an order
	}
	list := n.words.expr(term.Expr)
	word := pick(term.Descending, "highest", "lowest")
	if isDateName(list) {
		word = pick(term.Descending, "latest", "earliest")
	}
	if term.Expr.IsCall("count") && len(list) > 1 {
		word = pick(term.Descending, "most", "fewest")
		list = pluralize(list[:len(list)-1])
	}
	return append([]string{"with", word}, list...)
}

// extreme names a condition such as price = (SELECT MAX(price) ...).
func (p phrases) extreme(where *template.Expr) (list []string) {
	where.Walk(func(e *template.Expr) bool {
		if list != nil || e.Kind != template.Binary || e.Op != "=" || e.Args[1].Kind != template.Subquery {
			return list == nil
		}
		q := e.Args[1].Query
		s := q.Selects[0]
		if s == nil || len(s.Columns) != 1 {
			return true
		}
		if f := s.Columns[0].Expr; f.IsAggregate() && f.Op != "count" {
			list = append([]string{"with"}, p.query(q)...)
		}
		return list == nil
	})
	return list
}

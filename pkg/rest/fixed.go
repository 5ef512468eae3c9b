package rest

import (
	"slices"

	"github.com/sqlc-dev/meyer/ast"
)

// fixed puts the conditions into words that no parameter changes: they tell
// endpoints apart that give the same.
func fixed(t *template, core *ast.SelectQuery, s *scope, p phrases) []string {
	var out []string
	for _, e := range conjuncts(core.Where) {
		if t.hasParameter(e) {
			continue
		}
		list := p.condition(e, s)
		if len(list) == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, "and")
		}
		out = append(out, list...)
	}
	if len(t.query.Ops) == 1 && t.query.Ops[0].Op == "EXCEPT" {
		if second, ok := t.query.Cores[1].(*ast.SelectQuery); ok {
			out = append(append(out, "without"), p.last(t.walker.scopes[second])...)
		}
	}
	return out
}

// last returns the noun of the last table of a SELECT: the one it is about,
// where the others lead there.
func (p phrases) last(s *scope) []string {
	if s == nil || len(s.sources) == 0 {
		return []string{"others"}
	}
	return pluralize(p.table(s.sources[len(s.sources)-1].table))
}

// conjuncts splits a condition at its ANDs.
func conjuncts(e ast.Expr) []ast.Expr {
	if e == nil {
		return nil
	}
	if b, ok := unwrap(e).(*ast.BinaryExpr); ok && b.Op == ast.OpAnd {
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	return []ast.Expr{unwrap(e)}
}

func (t *template) hasParameter(e ast.Expr) bool {
	return slices.ContainsFunc(t.walker.found, func(f *found) bool { return f.start >= e.Pos() && f.end <= e.End() })
}

// condition puts one condition into words, or returns nil where they would
// not help.
func (p phrases) condition(e ast.Expr, s *scope) []string {
	switch e := e.(type) {
	case *ast.IsExpr:
		if l, ok := unwrap(e.Y).(*ast.Literal); ok && l.Kind == ast.LitNull && !e.Not {
			return append([]string{"without"}, p.expr(e.X, s)...)
		}
	case *ast.NullCheckExpr:
		if e.Test == ast.TestIsNull {
			return append([]string{"without"}, p.expr(e.X, s)...)
		}
	case *ast.UnaryExpr:
		if x, ok := unwrap(e.X).(*ast.ExistsExpr); ok && e.Op == ast.OpNot {
			return append([]string{"without"}, p.subject(x.Select, s)...)
		}
	case *ast.ExistsExpr:
		return append([]string{"with"}, p.subject(e.Select, s)...)
	case *ast.InExpr:
		if e.Select != nil {
			return append([]string{pick(e.Not, "without", "with")}, p.subject(e.Select, s)...)
		}
	case *ast.BinaryExpr:
		word := map[ast.Operator]string{ast.OpLt: "below", ast.OpLe: "below", ast.OpGt: "above", ast.OpGe: "above"}[e.Op]
		if word != "" {
			return slices.Concat([]string{"with"}, p.expr(e.X, s), []string{word}, p.expr(e.Y, s))
		}
	}
	return nil
}

// subject returns the noun for what a subquery is about.
func (p phrases) subject(q *ast.SelectStmt, s *scope) []string {
	core, ok := q.Cores[0].(*ast.SelectQuery)
	if !ok {
		return []string{"values"}
	}
	return p.last(s.inner[core])
}

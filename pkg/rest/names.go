package rest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sqlc-dev/meyer/ast"
)

// maxName is how long the name of an endpoint may be in bytes; longer ones
// are refused by what calls functions by name.
const maxName = 64

// naming is what an endpoint is called by, in words.
type naming struct {
	fixed   []string   // conditions without parameters
	subject []string   // what comes out
	order   []string   // the extreme that is asked for
	groups  []string   // per what
	by      [][]string // what the parameters are compared with
	exact   [][]string // names of the parameters
	about   []string   // tables, to tell equal names apart
}

// newNaming puts a template into words.
func newNaming(t *template, params []*Param, p phrases) naming {
	var n naming
	core, ok := t.query.Cores[0].(*ast.SelectQuery)
	if !ok {
		return naming{subject: []string{"values"}}
	}
	s := t.walker.scopes[core]
	p.from = s.mainTable()
	n.subject = subject(t, core, s, p)
	n.fixed = fixed(t, core, s, p)
	if n.order = order(t, s, p); n.order == nil {
		n.order = extreme(core.Where, s, p)
	}
	for _, g := range core.GroupBy {
		if list := p.expr(g, s); len(n.groups) == 0 && !contains(n.subject, list) {
			n.groups = append([]string{"per"}, list...)
		}
	}
	for _, q := range params {
		if q.role != condition {
			continue
		}
		n.exact = append(n.exact, strings.Split(q.Name, "_"))
		if !slices.ContainsFunc(n.by, func(other []string) bool { return slices.Equal(other, q.about) }) {
			n.by = append(n.by, q.about)
		}
	}
	n.about = nouns(t, s, p)
	return n
}

// subject puts the result columns into words.
func subject(t *template, core *ast.SelectQuery, s *scope, p phrases) []string {
	if len(core.Columns) == 1 {
		if _, ok := core.Columns[0].Expr.(*ast.Star); ok {
			return pluralize(p.table(p.from))
		}
	}
	var parts [][]string
	for _, r := range core.Columns {
		list := p.resultColumn(r, s)
		if !slices.ContainsFunc(parts, func(other []string) bool { return slices.Equal(other, list) }) {
			parts = append(parts, list)
		}
	}
	noun := p.table(p.from)
	if len(parts) > 3 {
		return append(noun, "details")
	}
	if len(parts) == 1 && !t.isSingle() {
		parts[0] = pluralize(parts[0])
	}
	var list []string
	for i, part := range parts {
		if i > 0 {
			list = append(list, "and")
		}
		list = append(list, part...)
	}
	if len(list) < 3 && !slices.Contains(list, noun[len(noun)-1]) && !slices.Contains(list, plural(noun[len(noun)-1])) {
		list = append(slices.Clone(noun), list...)
	}
	return list
}

// resultColumn puts one result column into words: what its author called it, or
// what it is.
func (p phrases) resultColumn(r *ast.ResultColumn, s *scope) []string {
	if _, ok := r.Expr.(*ast.Star); ok {
		return pluralize(p.table(p.from))
	}
	if r.Alias != nil {
		if list := words(r.Alias.Name); isTelling(list) && !isGeneric(list) {
			return list
		}
	}
	return p.expr(r.Expr, s)
}

// order names the extreme that ORDER BY with a LIMIT asks for.
func order(t *template, s *scope, p phrases) []string {
	last, ok := t.query.Cores[len(t.query.Cores)-1].(*ast.SelectQuery)
	if !ok || last.Limit == nil || len(last.OrderBy) == 0 {
		return nil
	}
	term := last.OrderBy[0]
	if c := s.reference(term.Expr); c != nil && c.base().info != nil && c.base().info.PrimaryKey > 0 {
		return nil // only to fix an order
	}
	list := p.expr(term.Expr, s)
	word := "lowest"
	if term.Order == ast.SortDesc {
		word = "highest"
	}
	if isDateName(list) {
		word = pick(term.Order == ast.SortDesc, "latest", "earliest")
	}
	if f, ok := unwrap(term.Expr).(*ast.FuncCall); ok && fold(f.Name.Name) == "count" && len(list) > 1 {
		word = pick(term.Order == ast.SortDesc, "most", "fewest")
		list = pluralize(list[:len(list)-1])
	}
	return append([]string{"with", word}, list...)
}

// extreme names a condition such as price = (SELECT MAX(price) ...).
func extreme(where ast.Expr, s *scope, p phrases) (list []string) {
	if where == nil {
		return nil
	}
	ast.Walk(where, func(n ast.Node) bool {
		e, ok := n.(*ast.BinaryExpr)
		if !ok || e.Op != ast.OpEq || list != nil {
			return list == nil
		}
		q, ok := unwrap(e.Y).(*ast.SubqueryExpr)
		if !ok {
			return true
		}
		core, ok := q.Select.Cores[0].(*ast.SelectQuery)
		if !ok || len(core.Columns) != 1 {
			return true
		}
		if f, ok := unwrap(core.Columns[0].Expr).(*ast.FuncCall); ok && isAggregate(f) && fold(f.Name.Name) != "count" {
			list = append([]string{"with"}, p.query(q.Select, s)...)
		}
		return list == nil
	})
	return list
}

// nouns returns the tables of the statement that neither come first nor are
// only passed through, as words.
func nouns(t *template, s *scope, p phrases) []string {
	var list []string
	for _, f := range s.sources {
		if f.table != nil {
			list = append(list, p.table(f.table)...)
		}
	}
	if len(t.query.Cores) > 1 && len(t.query.Ops) > 0 {
		list = append(list, fold(t.query.Ops[0].Op))
	}
	return list
}

func contains(list, part []string) bool {
	for i := range list {
		if i+len(part) <= len(list) && slices.Equal(list[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// candidates returns names for an endpoint, better ones first. All are valid;
// the last ones only differ in a number.
func (n naming) candidates(yield func(string) bool) {
	by := func(list [][]string, count int) []string {
		var out []string
		for i, name := range list[:min(count, len(list))] {
			out = append(append(out, pick(i == 0, "by", "and")), name...)
		}
		return out
	}
	for _, list := range [][]string{
		slices.Concat(n.subject, n.fixed, n.order, n.groups, by(n.by, 2)),
		slices.Concat(n.subject, n.fixed, n.order, n.groups, by(n.by, 3)),
		slices.Concat(n.subject, n.order, n.groups, by(n.exact, 3)),
		slices.Concat(n.subject, n.groups, n.order, by(n.by, 1)),
		slices.Concat(n.subject, by(n.by, 2), n.fixed, n.order, n.groups),
		slices.Concat(n.subject, by(n.exact, 3), n.order, n.groups, n.fixed),
		slices.Concat(n.subject, []string{"of"}, n.about, n.order, by(n.by, 2)),
		slices.Concat(n.subject, []string{"of"}, n.about, by(n.exact, 3), n.order, n.groups),
	} {
		if !yield(endpointName(list, maxName)) {
			return
		}
	}
	for i := 2; ; i++ {
		suffix := fmt.Sprintf("_%d", i)
		if !yield(endpointName(slices.Concat(n.subject, n.order, n.groups, by(n.by, 2)), maxName-len(suffix)) + suffix) {
			return
		}
	}
}

func endpointName(list []string, size int) string {
	name := snake(dedupe(list), size)
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = snake(append([]string{"values"}, list...), size)
	}
	return name
}

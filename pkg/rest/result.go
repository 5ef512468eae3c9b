package rest

import (
	"fmt"
	"strings"

	"github.com/sqlc-dev/meyer/ast"

	"github.com/birdcall/birdcall/pkg/value"
)

// newColumns names the columns of an answer and finds the types of their
// values. given are SQLite's own names.
func newColumns(t *template, given []string, p phrases) []ResultColumn {
	out := make([]ResultColumn, len(given))
	names, labels := make([]string, len(given)), make([]string, len(given))
	for i := range given {
		list := words(given[i])
		own := t.ownName(i, given)
		if len(given) == len(t.columns) {
			c := t.columns[i]
			list = p.output(c)
			out[i].Types = types(t, c)
			out[i].NotNull = len(out[i].Types) > 0 && isCount(c)
			if base := c.base(); base.info != nil && len(t.query.Cores) == 1 {
				out[i].Column = &Column{base.from.table.Name, base.info.Name}
			}
		}
		labels[i] = paramName(list)
		if names[i] = strings.ToValidUTF8(own, "\uFFFD"); own == "" {
			names[i] = labels[i]
		}
	}
	names, labels = distinct(names), distinct(labels)
	for i := range out {
		out[i].Name, out[i].label = names[i], strings.ReplaceAll(labels[i], "_", " ")
	}
	return out
}

// ownName returns the name that the query gives a column of its answer: an
// alias, or the name of the column that is given as it is. An expression has
// none, as SQLite only calls it by its text.
func (t *template) ownName(i int, given []string) string {
	name := given[i]
	if len(given) != len(t.columns) {
		// What * stands for is not known here. A text of SQL is told from a
		// name by its operators.
		if strings.ContainsAny(name, "()'\"?*/+-<>=|,%&~") {
			return ""
		}
		return name
	}
	c := t.columns[i]
	// SQLite numbers a subquery's columns of one name: id, id:1, id:2.
	if number, ok := strings.CutPrefix(name, c.name+":"); ok && c.inner != nil && strings.Trim(number, "0123456789") == "" {
		name = c.name
	}
	for range 100 { // subqueries
		if c.expr == nil || c.isAlias() || c.name != t.unnamed(c.expr) {
			break
		}
		if !isReference(c.expr) {
			return ""
		}
		next := c.scope.reference(c.expr)
		if next == nil {
			if name != c.name {
				return "" // a text in the quotation marks of a name
			}
			break
		}
		c = next
	}
	return name
}

// unnamed returns what a result column without alias is called.
func (t *template) unnamed(e ast.Expr) string {
	switch x := unwrap(e).(type) {
	case *ast.Ident:
		return x.Name
	case *ast.QualifiedRef:
		return x.Parts[len(x.Parts)-1].Name
	}
	return strings.TrimSpace(t.walker.sql[e.Pos():e.End()])
}

func isReference(e ast.Expr) bool {
	switch unwrap(e).(type) {
	case *ast.Ident, *ast.QualifiedRef:
		return true
	}
	return false
}

// distinct returns the names with _2, _3 and so on after those that were there
// before. A name that is there once stays as it is.
func distinct(names []string) []string {
	all, seen := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		all[name] = true
	}
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = name
		for n := 2; seen[name] && all[out[i]]; n++ {
			out[i] = fmt.Sprintf("%s_%d", name, n)
		}
		all[out[i]], seen[name] = true, true
	}
	return out
}

// output puts a result column into words: what the query calls it, or what it
// is.
func (p phrases) output(c *column) []string {
	if c.expr == nil {
		return p.column(c)
	}
	if list := words(c.name); isTelling(list) && c.isAlias() {
		return list
	}
	return p.expr(c.expr, c.scope)
}

// isAlias reports whether the column's name was chosen by the query.
func (c *column) isAlias() bool {
	for _, a := range c.scope.aliases {
		if a == c {
			return true
		}
	}
	return false
}

// types returns the types of a result column by its form, or nil if anything
// may come out. A table's column may hold what it is not declared to hold:
// that is for the data to tell.
func types(t *template, c *column) []Type {
	if len(t.query.Cores) > 1 {
		return nil
	}
	if c = c.base(); c.expr == nil {
		return nil
	}
	return typesOf(c.expr, c.scope)
}

// isCount reports whether the column is a COUNT, which is never NULL.
func isCount(c *column) bool {
	f, ok := unwrap(c.base().expr).(*ast.FuncCall)
	return ok && fold(f.Name.Name) == "count"
}

// typesOf returns the types of an expression's values, NULL aside.
func typesOf(e ast.Expr, s *scope) []Type {
	switch e := unwrap(e).(type) {
	case *ast.FuncCall:
		switch fold(e.Name.Name) {
		case "count", "length", "instr", "row_number", "rank", "dense_rank", "ntile", "unicode":
			return []Type{Integer}
		case "avg", "sum", "total", "round", "julianday":
			return []Type{Number}
		case "strftime", "date", "time", "datetime", "group_concat", "upper", "lower", "trim", "replace", "typeof":
			return []Type{String}
		}
	case *ast.CastExpr:
		switch value.AffinityOf(e.Type.Name) {
		case value.AffinityInteger:
			return []Type{Integer}
		case value.AffinityReal, value.AffinityNumeric:
			return []Type{Number}
		case value.AffinityText:
			return []Type{String}
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case ast.OpConcat:
			return []Type{String}
		case ast.OpAdd, ast.OpSub, ast.OpMul, ast.OpDiv, ast.OpMod:
			return []Type{Number}
		}
		return []Type{Integer} // a comparison, AND, OR or bits
	case *ast.Literal:
		switch e.Kind {
		case ast.LitString:
			return []Type{String}
		case ast.LitInteger, ast.LitFloat:
			return []Type{Number}
		}
	case *ast.LikeExpr, *ast.IsExpr, *ast.BetweenExpr, *ast.NullCheckExpr, *ast.InExpr, *ast.ExistsExpr:
		return []Type{Integer}
	case *ast.CaseExpr:
		return typesOfChoice(e, s)
	}
	return nil
}

// typesOfChoice returns the types of what a CASE gives.
func typesOfChoice(e *ast.CaseExpr, s *scope) []Type {
	var all []Type
	results := []ast.Expr{}
	for _, when := range e.Whens {
		results = append(results, when.Then)
	}
	if e.Else != nil {
		results = append(results, e.Else)
	}
	for _, r := range results {
		if l, ok := unwrap(r).(*ast.Literal); ok && l.Kind == ast.LitNull {
			continue
		}
		one := typesOf(r, s)
		if one == nil {
			return nil
		}
		for _, t := range one {
			if !has(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}

// isOwnLimit reports whether a parameter is the LIMIT of the whole statement and
// not that of a subquery in FROM.
func (t *template) isOwnLimit(param int) bool {
	last, ok := t.query.Cores[len(t.query.Cores)-1].(*ast.SelectQuery)
	if !ok || last.Limit == nil || param < 0 {
		return false
	}
	return t.params[param].start >= last.Limit.Pos() && t.params[param].end <= last.Limit.End()
}

func has(list []Type, t Type) bool {
	for _, other := range list {
		if other == t {
			return true
		}
	}
	return false
}

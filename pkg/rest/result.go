package rest

import (
	"fmt"

	"github.com/sqlc-dev/meyer/ast"

	"github.com/birdcall/birdcall/pkg/value"
)

// newColumns names the columns of an answer and finds the types of their
// values. given are SQLite's own names.
func newColumns(t *template, given []string, p phrases) []ResultColumn {
	out := make([]ResultColumn, len(given))
	taken := map[string]bool{}
	for i := range given {
		list := words(given[i])
		if len(given) == len(t.columns) {
			c := t.columns[i]
			list = p.output(c)
			out[i].Types = types(t, c)
			out[i].NotNull = len(out[i].Types) > 0 && isCount(c)
			if base := c.base(); base.info != nil && len(t.query.Cores) == 1 {
				out[i].Column = &Column{base.from.table.Name, base.info.Name}
			}
		}
		name := paramName(list)
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s_%d", paramName(list), n)
		}
		taken[name] = true
		out[i].Name = name
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

func has(list []Type, t Type) bool {
	for _, other := range list {
		if other == t {
			return true
		}
	}
	return false
}

package template

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/value"
)

// Type is the type of a parameter or of the values of a result column, as
// OpenAPI names it.
type Type string

// The types.
const (
	Integer Type = "integer"
	Real    Type = "number"
	Text    Type = "string"
)

// typeOf returns the type of a parameter: that of its literal, but a whole
// number compared with something that may have a fraction is a number.
func typeOf(p *Param) Type {
	if p.Role == Instant {
		return Text
	}
	t := Integer
	for _, v := range p.Values {
		switch v.Kind() {
		case value.Text:
			return Text
		case value.Real:
			t = Real
		}
	}
	if t == Integer && p.Role == Condition && !isWhole(p.Operand) {
		t = Real
	}
	return t
}

// isWhole reports whether an expression gives integers by its form. A text
// column counts as one: its codes have no fraction.
func isWhole(e sqltree.Expr) bool {
	switch e := e.(type) {
	case *sqltree.Column:
		o := OriginOf(e)
		switch {
		case o.Item != nil:
			return isWhole(o.Item.Expr)
		case o.Info == nil:
			return o.Table != nil // the rowid
		}
		switch o.Info.Affinity {
		case value.AffinityInteger, value.AffinityText:
			return true
		case value.AffinityNumeric:
			return strings.Contains(strings.ToLower(o.Info.Type), "bool")
		}
	case *sqltree.Call:
		switch sqlfunc.SQLite(e.Name).Result {
		case sqlfunc.Integer:
			return true
		case sqlfunc.Sum, sqlfunc.FirstArgument:
			return len(e.Args) > 0 && isWhole(e.Args[0]) && !isText(e.Args[0])
		}
	case *sqltree.Cast:
		return e.Affinity() == value.AffinityInteger
	}
	return false
}

func isText(e sqltree.Expr) bool {
	info := OriginOf(e).Info
	return info != nil && info.Affinity == value.AffinityText
}

// Types returns the types of a result column by its form, NULL aside, or nil if
// anything may come out. A table's column may hold what it is not declared to
// hold: that is for the data to show. Other engines report the types.
func (t *Template) Types(it *sqltree.Item) []Type {
	if len(t.Query.Arms) > 1 || !t.Query.Dialect.DynamicTypes {
		return nil
	}
	return typesOf(expression(it.Expr))
}

// NeverNull reports whether a result column is a COUNT that no outer join and no
// set operation can have made NULL.
func (t *Template) NeverNull(it *sqltree.Item) bool {
	if len(t.Query.Arms) > 1 {
		return false
	}
	for {
		switch e := it.Expr.(type) {
		case *sqltree.Call:
			return e.Name == "count"
		case *sqltree.Column:
			o := beneath(e)
			if o.Item == nil || e.Alias == nil && (len(e.Source.Query.Arms) > 1 || !e.Source.Select.From.OnlyInner()) {
				return false
			}
			it = o.Item
		default:
			return false
		}
	}
}

// typesOf returns the types of an expression's values, NULL aside, or nil if
// that is not known.
func typesOf(e sqltree.Expr) []Type {
	switch e := e.(type) {
	case *sqltree.Call:
		switch sqlfunc.SQLite(e.Name).Result {
		case sqlfunc.Integer:
			return []Type{Integer}
		case sqlfunc.Real, sqlfunc.Sum:
			return []Type{Real}
		case sqlfunc.Text:
			return []Type{Text}
		}
	case *sqltree.Cast:
		switch e.Affinity() {
		case value.AffinityInteger:
			return []Type{Integer}
		case value.AffinityReal, value.AffinityNumeric:
			return []Type{Real}
		case value.AffinityText:
			return []Type{Text}
		}
	case *sqltree.Binary:
		switch e.Op {
		case sqltree.Concat:
			return []Type{Text}
		case sqltree.Add, sqltree.Subtract, sqltree.Multiply, sqltree.Divide, sqltree.Modulo:
			return []Type{Real}
		case sqltree.Arrow, sqltree.LongArrow:
			return nil
		}
		return []Type{Integer} // a comparison, AND, OR or bits
	case *sqltree.Literal:
		switch {
		case IsText(e):
			return []Type{Text}
		case IsNumber(e):
			return []Type{Real}
		}
	case *sqltree.Pattern, *sqltree.Between, *sqltree.In, *sqltree.Exists:
		return []Type{Integer}
	case *sqltree.Case:
		return typesOfCase(e)
	}
	return nil
}

// typesOfCase returns the types of what a CASE gives, by those of its results.
func typesOfCase(e *sqltree.Case) []Type {
	results := []sqltree.Expr{}
	for _, w := range e.Whens {
		results = append(results, w.Then)
	}
	if e.Else != nil {
		results = append(results, e.Else)
	}
	var all []Type
	for _, r := range results {
		if l, ok := r.(*sqltree.Literal); ok && l.Value.IsNull() {
			continue
		}
		one := typesOf(r)
		if one == nil {
			return nil
		}
		for _, t := range one {
			if !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}

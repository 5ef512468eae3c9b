package template

import (
	"slices"
	"strings"

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
func isWhole(e *Expr) bool {
	switch e.Kind {
	case Name:
		if e.Column == nil {
			return false
		}
		c := e.Column.Base()
		if c.Expr != nil {
			return isWhole(c.Expr)
		}
		if c.Info == nil {
			return c.Table() != nil // the rowid
		}
		switch c.Info.Affinity {
		case value.AffinityInteger, value.AffinityText:
			return true
		case value.AffinityNumeric:
			return strings.Contains(strings.ToLower(c.Info.Type), "bool")
		}
	case Call:
		switch e.Op {
		case "count", "length", "instr", "unicode", "sign", "rank", "dense_rank", "row_number", "ntile":
			return true
		case "sum", "min", "max", "abs", "lag", "lead", "first_value", "last_value":
			return len(e.Args) > 0 && isWhole(e.Args[0]) && !isText(e.Args[0])
		}
	case Cast:
		return value.AffinityOf(e.Op) == value.AffinityInteger
	}
	return false
}

func isText(e *Expr) bool {
	if e.Column == nil {
		return false
	}
	info := e.Column.Base().Info
	return info != nil && info.Affinity == value.AffinityText
}

// Types returns the types of a result column by its form, NULL aside, or nil if
// anything may come out. A table's column may hold what it is not declared to
// hold: that is for the data to tell.
func (t *Template) Types(c *Column) []Type {
	if c = c.Base(); len(t.Query.Selects) > 1 || c.Expr == nil {
		return nil
	}
	return typesOf(c.Expr)
}

// NeverNull reports whether a result column is a COUNT, which is never NULL.
func (t *Template) NeverNull(c *Column) bool {
	c = c.Base()
	return len(t.Query.Selects) == 1 && c.Expr != nil && c.Expr.IsCall("count")
}

// typesOf returns the types of an expression's values, NULL aside, or nil if
// that is not known.
func typesOf(e *Expr) []Type {
	switch e.Kind {
	case Call:
		switch e.Op {
		case "count", "length", "instr", "row_number", "rank", "dense_rank", "ntile", "unicode":
			return []Type{Integer}
		case "avg", "sum", "total", "round", "julianday":
			return []Type{Real}
		case "strftime", "date", "time", "datetime", "group_concat", "upper", "lower", "trim", "replace", "typeof":
			return []Type{Text}
		}
	case Cast:
		switch value.AffinityOf(e.Op) {
		case value.AffinityInteger:
			return []Type{Integer}
		case value.AffinityReal, value.AffinityNumeric:
			return []Type{Real}
		case value.AffinityText:
			return []Type{Text}
		}
	case Binary:
		switch e.Op {
		case "||":
			return []Type{Text}
		case "+", "-", "*", "/", "%":
			return []Type{Real}
		}
		return []Type{Integer} // a comparison, AND, OR or bits
	case String:
		return []Type{Text}
	case Number:
		return []Type{Real}
	case Like, Is, Between, In, Exists:
		return []Type{Integer}
	case Case:
		return typesOfCase(e)
	}
	return nil
}

// typesOfCase returns the types of what a CASE gives.
func typesOfCase(e *Expr) []Type {
	var all []Type
	results := []*Expr{}
	for i := 1; i < len(e.Args); i += 2 {
		results = append(results, e.Args[i])
	}
	if e.Else != nil {
		results = append(results, e.Else)
	}
	for _, r := range results {
		if r.Kind == Null {
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

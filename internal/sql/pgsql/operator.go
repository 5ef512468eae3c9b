package pgsql

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/pgsql/parse"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// operators are those that the tree has a node for.
var operators = map[string]sqltree.Op{
	"=": sqltree.Equal, "<>": sqltree.NotEqual, "<": sqltree.Less, "<=": sqltree.LessEq, ">": sqltree.Greater, ">=": sqltree.GreaterEq,
	"+": sqltree.Add, "-": sqltree.Subtract, "*": sqltree.Multiply, "/": sqltree.Divide, "%": sqltree.Modulo,
	"&": sqltree.BitAnd, "|": sqltree.BitOr, "<<": sqltree.ShiftLeft, ">>": sqltree.ShiftRight,
	"||": sqltree.Concat, "->": sqltree.Arrow, "->>": sqltree.LongArrow,
}

var signs = map[string]sqltree.Op{"-": sqltree.Negate, "+": sqltree.Plus, "~": sqltree.BitNot}

// patterns are the operators that match a text, by their names in Postgres; an
// exclamation mark before one negates it.
var patterns = map[string]sqltree.Op{
	"~~": sqltree.Like, "~~*": sqltree.ILike, "~": sqltree.Matches, "~*": sqltree.MatchesFold,
}

// operator reads an A_Expr.
func (r *reader) operator(n parse.Node, in region) sqltree.Expr {
	names := n.Strings("name")
	name := names[len(names)-1]
	if len(names) > 1 {
		name = "" // OPERATOR(schema.+)
	}
	switch n.Str("kind") {
	case "AEXPR_OP":
		return r.plainOperator(n, name, in)
	case "AEXPR_LIKE", "AEXPR_ILIKE", "AEXPR_SIMILAR":
		return r.pattern(n, name, in)
	case "AEXPR_IN":
		return r.in(n, name, in)
	case "AEXPR_BETWEEN", "AEXPR_NOT_BETWEEN":
		list := n.List("rexpr")
		b := &sqltree.Between{X: r.expr(n.Node("lexpr"), in), Low: r.expr(list[0], in), High: r.expr(list[1], in)}
		b.Not = n.Str("kind") == "AEXPR_NOT_BETWEEN"
		return r.over(b, b.X, b.High, in)
	case "AEXPR_BETWEEN_SYM", "AEXPR_NOT_BETWEEN_SYM":
		args := append([]sqltree.Expr{r.expr(n.Node("lexpr"), in)}, r.exprs(n.List("rexpr"), in)...)
		return r.other(r.index(args[0].Outer().Start), r.after(args[2].Outer()), in, args...)
	case "AEXPR_DISTINCT", "AEXPR_NOT_DISTINCT":
		b := &sqltree.Binary{Op: sqltree.IsNot, X: r.expr(n.Node("lexpr"), in), Y: r.expr(n.Node("rexpr"), in)}
		if n.Str("kind") == "AEXPR_NOT_DISTINCT" {
			b.Op = sqltree.Is
		}
		return r.over(b, b.X, b.Y, in)
	case "AEXPR_NULLIF":
		at := r.index(n.At())
		open, after := r.closing(at)
		inside := region{open + 1, after - 1}
		c := &sqltree.Call{Name: "nullif", Written: "nullif", Args: []sqltree.Expr{r.expr(n.Node("lexpr"), inside), r.expr(n.Node("rexpr"), inside)}}
		return r.place(c, at, after, in)
	case "AEXPR_OP_ANY", "AEXPR_OP_ALL":
		x := r.expr(n.Node("lexpr"), in)
		if list, ok := r.members(n, name); ok {
			return r.memberOf(n, x, list, in)
		}
		// The operator, ANY or ALL, and the array in parentheses.
		at := r.index(n.At())
		for at < len(r.tokens) && !isQuantifier(r.word(at)) {
			at++
		}
		open, after := r.closing(at)
		return r.other(r.index(x.Outer().Start), after, in, x, r.expr(n.Node("rexpr"), region{open + 1, after - 1}))
	}
	r.refuse(n.At(), n.Str("kind"), "it is not read; write it in another way")
	return &sqltree.Other{}
}

// members returns the items of the array in x = ANY (ARRAY[...]) and in x <> ALL
// (ARRAY[...]), which are IN and NOT IN.
func (r *reader) members(n parse.Node, name string) ([]parse.Node, bool) {
	array := n.Node("rexpr")
	list := array.List("elements")
	isIn := n.Str("kind") == "AEXPR_OP_ANY" && name == "=" || n.Str("kind") == "AEXPR_OP_ALL" && name == "<>"
	if !isIn || array.Kind != "A_ArrayExpr" || len(list) == 0 {
		return nil, false
	}
	return list, !slices.ContainsFunc(list, func(item parse.Node) bool { return item.Kind == "A_ArrayExpr" })
}

func (r *reader) memberOf(n parse.Node, x sqltree.Expr, list []parse.Node, in region) sqltree.Expr {
	open, _ := r.closing(r.index(n.Node("rexpr").At()))
	e := &sqltree.In{X: x, List: r.exprs(list, region{open + 1, r.pair[open]}), Not: n.Str("kind") == "AEXPR_OP_ALL"}
	at := r.index(n.At())
	for at < len(r.tokens) && !isQuantifier(r.word(at)) {
		at++
	}
	_, after := r.closing(at)
	return r.place(e, r.index(x.Outer().Start), after, in)
}

func isQuantifier(word string) bool { return word == "any" || word == "some" || word == "all" }

func (r *reader) plainOperator(n parse.Node, name string, in region) sqltree.Expr {
	if n.Node("lexpr").IsNone() {
		x := r.expr(n.Node("rexpr"), in)
		at, end := r.index(n.At()), r.after(x.Outer())
		if op, ok := signs[name]; ok {
			return r.place(&sqltree.Unary{Op: op, X: x}, at, end, in)
		}
		return r.other(at, end, in, x)
	}
	x, y := r.expr(n.Node("lexpr"), in), r.expr(n.Node("rexpr"), in)
	if op, ok := operators[name]; ok {
		return r.over(&sqltree.Binary{Op: op, X: x, Y: y}, x, y, in)
	}
	not := strings.HasPrefix(name, "!")
	if op, ok := patterns[strings.TrimPrefix(name, "!")]; ok {
		return r.over(&sqltree.Pattern{Op: op, X: x, Y: y, Not: not}, x, y, in)
	}
	return r.other(r.index(x.Outer().Start), r.after(y.Outer()), in, x, y)
}

// pattern reads LIKE, ILIKE and SIMILAR TO. With ESCAPE the right side is a call
// of a function that takes both texts; SIMILAR TO always is.
func (r *reader) pattern(n parse.Node, name string, in region) sqltree.Expr {
	p := &sqltree.Pattern{Op: patterns[strings.TrimPrefix(name, "!")], X: r.expr(n.Node("lexpr"), in), Not: strings.HasPrefix(name, "!")}
	right := n.Node("rexpr")
	if n.Str("kind") == "AEXPR_SIMILAR" {
		p.Op = sqltree.SimilarTo
	}
	escaped := right.Kind == "FuncCall" && right.At() == n.At()
	if !escaped {
		p.Y = r.expr(right, in)
		return r.over(p, p.X, p.Y, in)
	}
	args := right.List("args")
	p.Y = r.expr(args[0], in)
	last := p.Y
	if len(args) > 1 {
		p.Escape = r.expr(args[1], in)
		last = p.Escape
	}
	return r.over(p, p.X, last, in)
}

// in reads x IN (a, b).
func (r *reader) in(n parse.Node, name string, in region) sqltree.Expr {
	x := &sqltree.In{X: r.expr(n.Node("lexpr"), in), Not: name == "<>"}
	open, after := r.closing(r.after(x.X.Outer()))
	x.List = r.exprs(n.List("rexpr"), region{open + 1, after - 1})
	return r.place(x, r.index(x.X.Outer().Start), after, in)
}

// subLink reads a subquery in an expression.
func (r *reader) subLink(n parse.Node, in region) sqltree.Expr {
	at := r.index(n.At())
	open, after := r.closing(at)
	q := r.query(n.Node("subselect"))
	switch n.Str("subLinkType") {
	case "EXISTS_SUBLINK":
		return r.place(&sqltree.Exists{Query: q}, at, after, in)
	case "EXPR_SUBLINK":
		// The parentheses are its own, and none of them is around it.
		return sqltree.Place(&sqltree.Subquery{Query: q}, r.span(open, after), r.place(&sqltree.Subquery{}, open, after, in).Outer())
	case "ANY_SUBLINK", "ALL_SUBLINK":
		x := r.expr(n.Node("testexpr"), in)
		from := r.index(x.Outer().Start)
		ops := n.Strings("operName")
		isAny := n.Str("subLinkType") == "ANY_SUBLINK"
		switch {
		case isAny && (len(ops) == 0 || len(ops) == 1 && ops[0] == "="):
			return r.place(&sqltree.In{X: x, Query: q}, from, after, in)
		case !isAny && len(ops) == 1 && ops[0] == "<>":
			return r.place(&sqltree.In{X: x, Query: q, Not: true}, from, after, in)
		}
		o := r.other(from, after, in, x)
		o.Query = q
		return o
	}
	o := r.other(at, after, in)
	o.Query = q
	return o
}

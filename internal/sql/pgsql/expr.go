package pgsql

import (
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/pgsql/parse"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/value"
)

// expr reads an expression that lies in a region.
func (r *reader) expr(n parse.Node, in region) sqltree.Expr {
	switch n.Kind {
	case "A_Const":
		return r.constant(n, in)
	case "ColumnRef":
		return r.column(n, in)
	case "A_Expr":
		return r.operator(n, in)
	case "BoolExpr":
		return r.logic(n, in)
	case "NullTest", "BooleanTest":
		return r.test(n, in)
	case "SubLink":
		return r.subLink(n, in)
	case "FuncCall":
		return r.call(n, in)
	case "CoalesceExpr", "MinMaxExpr":
		return r.builtIn(n, in)
	case "SQLValueFunction":
		return r.valueFunction(n, in)
	case "TypeCast":
		e := r.cast(n, in)
		return r.orClock(n, e)
	case "CaseExpr":
		return r.caseExpr(n, in)
	case "CollateClause":
		return r.collate(n, in)
	case "RowExpr":
		return r.row(n, in)
	case "A_ArrayExpr", "GroupingFunc", "GroupingSet":
		return r.listed(n, in)
	case "A_Indirection":
		return r.indirection(n, in)
	case "ParamRef":
		r.refuse(n.At(), "$"+strconv.Itoa(n.Int("number")), "a statement may not have parameters of its own; write the value")
	default:
		r.refuse(n.At(), n.Kind, "it is not read; write it in another way")
	}
	return &sqltree.Other{}
}

// exprs reads expressions that lie in one region.
func (r *reader) exprs(list []parse.Node, in region) []sqltree.Expr {
	var out []sqltree.Expr
	for _, n := range list {
		out = append(out, r.expr(n, in))
	}
	return out
}

// constant reads a literal.
func (r *reader) constant(n parse.Node, in region) sqltree.Expr {
	if n.At() < 0 { // the number that FETCH FIRST ROW ONLY does not write
		return &sqltree.Literal{Value: value.Int(1)}
	}
	at := r.index(n.At())
	if n.Has("ival") || n.Has("fval") {
		e, end := r.number(at)
		return r.place(e, at, end, in)
	}
	l := &sqltree.Literal{}
	end := at + 1
	switch {
	case n.Has("boolval"):
		l.Value, l.Word = value.Bool(n.Node("boolval").Bool("boolval")), true
	case n.Has("sval"):
		l.Value = value.Str(n.Node("sval").Str("sval"))
		if r.word(end) == "uescape" {
			end += 2
		}
	case n.Has("bsval"):
		return r.other(at, end, in)
	}
	return r.place(l, at, end, in)
}

// number reads a number with its signs, which the grammar has folded into it,
// parentheses too, and returns the token after it.
func (r *reader) number(at int) (sqltree.Expr, int) {
	switch r.text(at) {
	case "-":
		x, end := r.number(at + 1)
		return r.place(&sqltree.Unary{Op: sqltree.Negate, X: x}, at, end, region{at, end}), end
	case "(":
		x, end := r.number(at + 1)
		return sqltree.Place(x, x.Span(), r.span(at, end+1)), end + 1
	}
	if v, ok := numeric(r.text(at)); ok {
		return r.place(&sqltree.Literal{Value: v}, at, at+1, region{at, at + 1}), at + 1
	}
	return r.other(at, at+1, region{at, at + 1}), at + 1
}

// numeric returns the value of a number, if an int64 or a float64 is exactly
// that: what it is written as is then the same number for Postgres.
func numeric(text string) (value.Value, bool) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value.Int(i), true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.ContainsAny(text, "_xXoObB") || !strings.ContainsAny(text, ".eE") {
		return value.Value{}, false
	}
	return value.Float(f), digits(text) == digits(strconv.FormatFloat(f, 'e', -1, 64))
}

// digits returns the digits of a number without zeros around them. Two numbers
// that are nearly equal and have the same digits are one.
func digits(text string) string {
	text, _, _ = strings.Cut(strings.ToLower(text), "e")
	return strings.Trim(strings.ReplaceAll(text, ".", ""), "0")
}

// column reads a name. A whole row, as in count(t.*), is known by its text.
func (r *reader) column(n parse.Node, in region) sqltree.Expr {
	at := r.index(n.At())
	fields := n.List("fields")
	end := at + 2*len(fields) - 1
	names := n.Strings("fields")
	if fields[len(fields)-1].Kind == "A_Star" || len(fields) > 3 {
		return r.other(at, end, in)
	}
	c := &sqltree.Column{Name: names[len(names)-1]}
	if len(names) > 1 {
		c.Table = names[len(names)-2]
	}
	if len(names) > 2 {
		c.Schema = names[0]
	}
	return r.place(c, at, end, in)
}

// logic reads AND, OR and NOT.
func (r *reader) logic(n parse.Node, in region) sqltree.Expr {
	args := n.List("args")
	if n.Str("boolop") == "NOT_EXPR" {
		return r.not(n, in)
	}
	op := sqltree.And
	if n.Str("boolop") == "OR_EXPR" {
		op = sqltree.Or
	}
	out := r.expr(args[0], in)
	for _, arg := range args[1:] {
		b := &sqltree.Binary{Op: op, X: out, Y: r.expr(arg, in)}
		out = r.over(b, b.X, b.Y, in)
	}
	return out
}

// not reads NOT; x NOT IN (SELECT ...) is one with its place at the operator.
func (r *reader) not(n parse.Node, in region) sqltree.Expr {
	x := r.expr(n.List("args")[0], in)
	at := r.index(n.At())
	if member, ok := x.(*sqltree.In); ok && member.Span().Start < r.tokens[at].Start {
		member.Not = !member.Not
		return x
	}
	return r.place(&sqltree.Unary{Op: sqltree.Not, X: x}, at, r.after(x.Outer()), in)
}

// test reads IS NULL, IS TRUE and the like.
func (r *reader) test(n parse.Node, in region) sqltree.Expr {
	kind := n.Str("nulltesttype") + n.Str("booltesttype")
	b := &sqltree.Binary{Op: sqltree.Is, X: r.expr(n.Node("arg"), in)}
	if strings.HasPrefix(kind, "IS_NOT_") {
		b.Op = sqltree.IsNot
	}
	word := &sqltree.Literal{}
	if strings.HasSuffix(kind, "TRUE") || strings.HasSuffix(kind, "FALSE") {
		word.Value, word.Word = value.Bool(strings.HasSuffix(kind, "TRUE")), true
	}
	at := r.after(b.X.Outer())
	if r.word(at) == "is" {
		at++
		if r.word(at) == "not" {
			at++
		}
	}
	b.Y = r.place(word, at, at+1, region{at, at + 1})
	return r.over(b, b.X, b.Y, in)
}

// cast reads a conversion: CAST(x AS type), x::type or type 'x'.
func (r *reader) cast(n parse.Node, in region) sqltree.Expr {
	kind := n.Node("typeName")
	names := kind.Strings("names")
	at := r.index(kind.At())
	end := r.typeEnd(at)
	c := &sqltree.Cast{Gives: Affinity(names[len(names)-1])}
	if len(kind.List("arrayBounds")) > 0 {
		c.Gives = value.AffinityBlob
	}
	text := r.span(at, end)
	c.Type = r.sql[text.Start:text.End]
	switch {
	case n.At() < 0: // DATE 'x', INTERVAL '1' DAY
		c.X = r.expr(n.Node("arg"), region{r.index(n.Node("arg").At()), r.index(n.Node("arg").At()) + 1})
		arg := r.after(c.X.Span())
		end = r.fieldsEnd(arg)
		if end > arg {
			fields := r.span(arg, end)
			c.Type += " " + r.sql[fields.Start:fields.End]
		}
		return r.place(c, at, end, in)
	case r.text(r.index(n.At())) == "::":
		c.X = r.expr(n.Node("arg"), in)
		return r.place(c, r.index(c.X.Outer().Start), end, in)
	}
	open, after := r.closing(r.index(n.At()))
	c.X = r.expr(n.Node("arg"), region{open + 1, at - 1})
	return r.place(c, r.index(n.At()), after, in)
}

// orClock returns the Clock that a conversion of a text stands for, or the
// conversion.
func (r *reader) orClock(n parse.Node, e sqltree.Expr) sqltree.Expr {
	text := n.Node("arg").Node("sval").Str("sval")
	names := n.Node("typeName").Strings("names")
	if isDayName(text) {
		r.refuse(n.Node("arg").At(), "'"+text+"'", "it depends on the current day; write CURRENT_DATE and a number of days")
	}
	if clock, ok := instantOf(text, names[len(names)-1]); ok {
		return sqltree.Place(&clock, e.Span(), e.Outer())
	}
	return e
}

func (r *reader) caseExpr(n parse.Node, in region) sqltree.Expr {
	c := &sqltree.Case{}
	if x := n.Node("arg"); !x.IsNone() {
		c.Operand = r.expr(x, in)
	}
	var last sqltree.Expr
	for _, w := range n.List("args") {
		when := sqltree.When{Cond: r.expr(w.Node("expr"), in), Then: r.expr(w.Node("result"), in)}
		c.Whens = append(c.Whens, when)
		last = when.Then
	}
	if x := n.Node("defresult"); !x.IsNone() {
		c.Else = r.expr(x, in)
		last = c.Else
	}
	return r.place(c, r.index(n.At()), r.after(last.Outer())+1, in)
}

func (r *reader) collate(n parse.Node, in region) sqltree.Expr {
	names := n.Strings("collname")
	c := &sqltree.Collate{X: r.expr(n.Node("arg"), in), Name: strings.Join(names, ".")}
	at := r.after(c.X.Outer()) + 1
	return r.place(c, r.index(c.X.Outer().Start), at+2*len(names)-1, in)
}

// row reads (a, b) and ROW(a, b).
func (r *reader) row(n parse.Node, in region) sqltree.Expr {
	at := r.index(n.At())
	open, after := r.closing(at)
	row := &sqltree.Row{Items: r.exprs(n.List("args"), region{open + 1, after - 1})}
	if len(row.Items) == 0 {
		return r.other(at, after, in)
	}
	return r.place(row, at, after, in)
}

// listed reads what is a word and a list in brackets: ARRAY, GROUPING, and what
// GROUP BY has of these.
func (r *reader) listed(n parse.Node, in region) sqltree.Expr {
	at := r.index(n.At())
	open, after := r.closing(at)
	inside := region{open + 1, after - 1}
	var args []sqltree.Expr
	for _, field := range []string{"elements", "args", "content"} {
		args = append(args, r.exprs(n.List(field), inside)...)
	}
	return r.other(at, after, in, args...)
}

// indirection reads a subscript of an array and a field of a row.
func (r *reader) indirection(n parse.Node, in region) sqltree.Expr {
	x := r.expr(n.Node("arg"), in)
	args := []sqltree.Expr{x}
	end := r.after(x.Outer())
	for _, step := range n.List("indirection") {
		if step.Kind != "A_Indices" {
			end += 2 // .name
			continue
		}
		_, after := r.closing(end)
		for _, bound := range []string{"lidx", "uidx"} {
			if b := step.Node(bound); !b.IsNone() {
				args = append(args, r.expr(b, region{end + 1, after - 1}))
			}
		}
		end = after
	}
	return r.other(r.index(x.Outer().Start), end, in, args...)
}

package pgsql

import (
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/pgsql/parse"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// call reads a call of a function.
func (r *reader) call(n parse.Node, in region) sqltree.Expr {
	names := n.Strings("funcname")
	c := &sqltree.Call{Written: strings.Join(names, "."), Star: n.Bool("agg_star"), Distinct: n.Bool("agg_distinct"), WithinGroup: n.Bool("agg_within_group")}
	c.Written = strings.TrimPrefix(c.Written, "pg_catalog.")
	c.Name = strings.ToLower(c.Written)
	at := r.index(n.At())
	if n.Str("funcformat") == "COERCE_SQL_SYNTAX" {
		if e, ok := r.infix(n, c, at, in); ok {
			return e
		}
	}
	open, end := r.closing(at)
	inside := region{open + 1, end - 1}
	if sqlfunc.Postgres(c.Name).Clock == sqlfunc.AlwaysClock && len(n.List("args")) == 0 {
		return r.place(&sqltree.Clock{Name: "current_timestamp", Type: "timestamptz"}, at, end, in)
	}
	args, isNamed := n.List("args"), false
	for i, arg := range args {
		if arg.Kind == "NamedArgExpr" { // days => 3
			args[i], isNamed = arg.Node("arg"), true
		}
	}
	c.Args = r.exprs(args, inside)
	if isNamed || n.Bool("func_variadic") {
		return r.other(at, end, in, c.Args...)
	}
	end = r.clauses(n, c, inside, end)
	c.Aggregate = c.Over == nil && sqlfunc.Postgres(c.Name).Is(sqlfunc.Aggregate)
	return r.place(c, at, end, in)
}

// clauses reads what follows the arguments of a call, and returns the token
// after it.
func (r *reader) clauses(n parse.Node, c *sqltree.Call, inside region, end int) int {
	order := inside
	if c.WithinGroup {
		open, after := r.closing(end)
		order, end = region{open + 1, after - 1}, after
	}
	for _, o := range n.List("agg_order") {
		c.OrderBy = append(c.OrderBy, r.order(o, order))
	}
	if x := n.Node("agg_filter"); !x.IsNone() {
		open, after := r.closing(end)
		c.Filter = r.expr(x, region{open + 1, after - 1})
		end = after
	}
	if x := n.Node("over"); !x.IsNone() {
		c.Over = r.window(x, 0)
		if end += 2; r.text(end-1) == "(" {
			end = r.pair[end-1] + 1
		}
	}
	return end
}

// infix reads the functions that the grammar has without a list in parentheses:
// x AT TIME ZONE z, x IS NORMALIZED, (a, b) OVERLAPS (c, d).
func (r *reader) infix(n parse.Node, c *sqltree.Call, at int, in region) (sqltree.Expr, bool) {
	if r.text(at+1) == "(" && r.word(at) != "overlaps" {
		return nil, false
	}
	c.Args = r.exprs(n.List("args"), in)
	if len(c.Args) == 2 && r.word(at) == "at" {
		return r.over(c, c.Args[1], c.Args[0], in), true
	}
	r.refuse(n.At(), strings.ToUpper(r.text(at)), "it is not read; write it in another way")
	return c, true
}

// builtIn reads COALESCE, GREATEST and LEAST, which are no functions to the
// grammar.
func (r *reader) builtIn(n parse.Node, in region) sqltree.Expr {
	at := r.index(n.At())
	open, after := r.closing(at)
	name := "coalesce"
	switch n.Str("op") {
	case "IS_GREATEST":
		name = "greatest"
	case "IS_LEAST":
		name = "least"
	}
	return r.place(&sqltree.Call{Name: name, Written: name, Args: r.exprs(n.List("args"), region{open + 1, after - 1})}, at, after, in)
}

// clocks are the types of what gives the current time.
var clocks = map[string]string{
	"current_date": "date", "current_time": "timetz", "current_timestamp": "timestamptz", "localtime": "time", "localtimestamp": "timestamp",
}

// valueFunction reads CURRENT_DATE and its like, and CURRENT_USER and its like.
func (r *reader) valueFunction(n parse.Node, in region) sqltree.Expr {
	at := r.index(n.At())
	end := at + 1
	precision := ""
	if strings.HasSuffix(n.Str("op"), "_N") {
		_, end = r.closing(end)
		precision = r.text(at+1) + r.text(at+2) + r.text(at+3)
	}
	name := r.word(at)
	if kind := clocks[name]; kind != "" {
		return r.place(&sqltree.Clock{Name: name, Type: kind + precision}, at, end, in)
	}
	return r.other(at, end, in)
}

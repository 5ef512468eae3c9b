package pgsql

import (
	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/pgsql/parse"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// from reads a FROM clause. A comma is an inner join of everything.
func (r *reader) from(list []parse.Node) *sqltree.Join {
	var out *sqltree.Join
	for _, n := range list {
		out = r.joined(out, n)
	}
	return out
}

// joined reads an item of FROM after those in left.
func (r *reader) joined(left *sqltree.Join, n parse.Node) *sqltree.Join {
	switch {
	case n.Kind != "JoinExpr":
		return &sqltree.Join{Left: left, Kind: dialect.Inner, Source: r.source(n)}
	case n.Has("alias"):
		return &sqltree.Join{Left: left, Kind: dialect.Inner, Source: r.namedJoin(n)}
	case left != nil:
		return &sqltree.Join{Left: left, Kind: dialect.Inner, Nested: r.join(n)}
	}
	return r.join(n)
}

var joinKinds = map[string]dialect.JoinKind{
	"JOIN_INNER": dialect.Inner, "JOIN_LEFT": dialect.Left, "JOIN_RIGHT": dialect.Right, "JOIN_FULL": dialect.Full,
}

func (r *reader) join(n parse.Node) *sqltree.Join {
	j := &sqltree.Join{Left: r.joined(nil, n.Node("larg")), Kind: joinKinds[n.Str("jointype")], Natural: n.Bool("isNatural"), Using: n.Strings("usingClause")}
	switch right := n.Node("rarg"); {
	case right.Kind == "JoinExpr" && right.Has("alias"):
		j.Source = r.namedJoin(right)
	case right.Kind == "JoinExpr":
		j.Nested = r.join(right)
	default:
		j.Source = r.source(right)
	}
	if on := n.Node("quals"); !on.IsNone() {
		j.On = r.expr(on, r.all())
	}
	return j
}

// namedJoin reads a join in parentheses with an alias, which hides the names
// within: it is a subquery of all its columns.
func (r *reader) namedJoin(n parse.Node) *sqltree.Source {
	q := &sqltree.Query{Dialect: postgres.Dialect}
	q.Arms = []*sqltree.Select{{Query: q, Items: []*sqltree.Item{nil}, Stars: []sqltree.Star{{}}, From: r.join(n)}}
	alias := n.Node("alias")
	return &sqltree.Source{Name: alias.Str("aliasname"), Names: alias.Strings("colnames"), Query: q}
}

// source reads a table, a subquery or a function.
func (r *reader) source(n parse.Node) *sqltree.Source {
	alias := n.Node("alias")
	s := &sqltree.Source{Name: alias.Str("aliasname"), Names: alias.Strings("colnames"), Lateral: n.Bool("lateral")}
	switch n.Kind {
	case "RangeVar":
		s.Schema, s.TableName = n.Str("schemaname"), n.Str("relname")
		end := r.index(n.At()) + 1
		for r.text(end) == "." {
			end += 2
		}
		if r.text(end) == "*" {
			end++
		}
		s.Span = r.span(r.index(n.At()), end)
		r.alias(s, end)
		if s.Name == "" {
			s.Name = s.TableName
		}
	case "RangeSubselect":
		s.Query = r.query(n.Node("subquery"))
		r.alias(s, r.queryEnd(n.Node("subquery")))
	case "RangeFunction":
		r.function(s, n)
	default:
		r.refuse(n.At(), n.Kind, "it is not read in FROM; use a table, a subquery or a function")
	}
	return s
}

// alias finds the alias of a source that ends at a token.
func (r *reader) alias(s *sqltree.Source, end int) {
	if s.Name == "" || end <= 0 {
		return
	}
	if r.word(end) == "as" {
		end++
	}
	s.AliasSpan = r.span(end, end+1)
}

// queryEnd returns the token after the parentheses around a subquery in FROM,
// which has no place, or -1.
func (r *reader) queryEnd(n parse.Node) int {
	first, last := extent(n, len(r.sql), -1)
	for at := r.index(first) - 1; at >= 0; at-- {
		if r.text(at) == "(" && r.pair[at] >= 0 && r.tokens[r.pair[at]].Start > last && r.opensQuery(at) {
			for at > 0 && r.text(at-1) == "(" && r.pair[at-1] == r.pair[at]+1 {
				at--
			}
			return r.pair[at] + 1
		}
	}
	return -1
}

// opensQuery reports whether a parenthesis holds a query, which may be in
// further ones.
func (r *reader) opensQuery(at int) bool {
	for r.text(at) == "(" {
		at++
	}
	switch r.word(at) {
	case "select", "values", "with", "table":
		return true
	}
	return false
}

// extent returns the first and the last place in a tree.
func extent(n parse.Node, first, last int) (int, int) {
	if n.Has("location") && n.At() >= 0 {
		first, last = min(first, n.At()), max(last, n.At())
	}
	for _, c := range n.Children() {
		first, last = extent(c, first, last)
	}
	return first, last
}

// function reads a function in FROM, or several in ROWS FROM.
func (r *reader) function(s *sqltree.Source, n parse.Node) {
	s.Function, s.TableName = true, "rows"
	var end int
	for _, item := range n.List("functions") {
		f := item.List("items")[0]
		e := r.expr(f, r.all())
		end = r.after(e.Outer())
		if call, ok := e.(*sqltree.Call); ok {
			s.TableName = call.Name
		}
		s.Args = append(s.Args, e)
	}
	if n.Bool("ordinality") && r.word(end) == "with" {
		end += 2
	}
	if !n.Bool("is_rowsfrom") {
		r.alias(s, end)
	}
	if s.Name == "" {
		s.Name = s.TableName
	}
}

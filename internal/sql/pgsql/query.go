package pgsql

import (
	"fmt"
	"slices"

	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/pgsql/parse"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// query reads a SelectStmt.
func (r *reader) query(n parse.Node) *sqltree.Query {
	q := &sqltree.Query{Dialect: postgres.Dialect}
	if n.Kind != "SelectStmt" {
		r.refuse(n.At(), construct(n.Kind), "only a SELECT is taken")
		return q
	}
	with := n.Node("withClause")
	q.RecursiveWith = with.Bool("recursive")
	for _, c := range with.List("ctes") {
		if c.Has("search_clause") || c.Has("cycle_clause") {
			r.refuse(c.At(), "SEARCH and CYCLE", "they are not read; write the columns that they stand for")
		}
		q.With = append(q.With, &sqltree.CTE{Name: c.Str("ctename"), Columns: c.Strings("aliascolnames"), Query: r.query(c.Node("ctequery"))})
	}
	r.arms(q, n, "")
	for _, o := range n.List("sortClause") {
		q.OrderBy = append(q.OrderBy, r.order(o, r.all()))
	}
	r.limit(q, n)
	return q
}

// limit reads LIMIT, OFFSET and FETCH FIRST.
func (r *reader) limit(q *sqltree.Query, n parse.Node) {
	if count := n.Node("limitCount"); !count.IsNone() && !count.Bool("isnull") {
		q.Limit = r.expr(count, r.all())
		if n.Str("limitOption") == "LIMIT_OPTION_WITH_TIES" {
			at := r.index(q.Limit.Outer().Start)
			q.Limit = r.other(at, r.after(q.Limit.Outer()), r.all(), q.Limit)
		}
	}
	if offset := n.Node("limitOffset"); !offset.IsNone() {
		q.Offset = r.expr(offset, r.all())
	}
}

func (r *reader) order(n parse.Node, in region) *sqltree.Order {
	o := &sqltree.Order{Expr: r.expr(n.Node("node"), in), Item: -1}
	switch n.Str("sortby_dir") {
	case "SORTBY_DESC":
		o.Desc = true
	case "SORTBY_USING":
		r.refuse(n.At(), "ORDER BY ... USING", "it is not read; write ASC or DESC")
	}
	// NULL is the greatest value.
	o.NullsFirst = o.Desc
	switch n.Str("sortby_nulls") {
	case "SORTBY_NULLS_FIRST":
		o.NullsFirst = true
	case "SORTBY_NULLS_LAST":
		o.NullsFirst = false
	}
	return o
}

var setOps = map[string]sqltree.SetOp{
	"SETOP_UNION": dialect.Union, "SETOP_INTERSECT": dialect.Intersect, "SETOP_EXCEPT": dialect.Except,
}

var setOpsAll = map[sqltree.SetOp]sqltree.SetOp{
	dialect.Union: dialect.UnionAll, dialect.Intersect: sqltree.IntersectAll, dialect.Except: sqltree.ExceptAll,
}

// arms reads the SELECTs that set operations combine, from the left. op is how
// they combine with those before.
func (r *reader) arms(q *sqltree.Query, n parse.Node, op sqltree.SetOp) {
	if n.Has("lockingClause") {
		r.refuse(-1, "FOR UPDATE", "rows are read and not locked; leave it out")
	}
	setOp, ok := setOps[n.Str("op")]
	switch {
	case ok:
		if n.Bool("all") {
			setOp = setOpsAll[setOp]
		}
		r.operand(q, n.Node("larg"), op)
		r.operand(q, n.Node("rarg"), setOp)
	case n.Has("valuesLists"):
		r.values(q, n, op)
	default:
		q.Arms = append(q.Arms, r.arm(q, n, op))
	}
}

// operand reads an operand of a set operation. One that is not plain becomes an
// arm that selects all of it.
func (r *reader) operand(q *sqltree.Query, n parse.Node, op sqltree.SetOp) {
	n = stmt(n)
	isPlain := !n.Has("sortClause") && !n.Has("limitCount") && !n.Has("limitOffset") && !n.Has("withClause")
	if isPlain && (n.Str("op") == "SETOP_NONE" || op == "") {
		r.arms(q, n, op)
		return
	}
	s := &sqltree.Select{Op: op, Query: q, Items: []*sqltree.Item{nil}, Stars: []sqltree.Star{{}}}
	s.From = &sqltree.Join{Kind: dialect.Inner, Source: &sqltree.Source{Query: r.query(n)}}
	q.Arms = append(q.Arms, s)
}

// stmt returns a SelectStmt from a field that can hold nothing else.
func stmt(n parse.Node) parse.Node {
	if n.Kind == "" && !n.IsNone() {
		n.Kind = "SelectStmt"
	}
	return n
}

// values reads VALUES: an arm for each row.
func (r *reader) values(q *sqltree.Query, n parse.Node, op sqltree.SetOp) {
	for _, row := range n.List("valuesLists") {
		s := &sqltree.Select{Op: op, Values: true, Query: q}
		op = dialect.UnionAll
		for i, x := range row.List("items") {
			e := r.expr(x, r.all())
			e = sqltree.Place(e, e.Span(), e.Span()) // the parentheses are those of the row
			s.Items = append(s.Items, &sqltree.Item{Expr: e, Name: fmt.Sprintf("column%d", i+1), Span: e.Span()})
		}
		q.Arms = append(q.Arms, s)
	}
}

// arm reads one SELECT.
func (r *reader) arm(q *sqltree.Query, n parse.Node, op sqltree.SetOp) *sqltree.Select {
	back := r.windows
	r.windows = n.List("windowClause")
	defer func() { r.windows = back }()
	s := &sqltree.Select{Op: op, Query: q}
	if n.Has("intoClause") {
		r.refuse(n.Node("intoClause").Node("rel").At(), "INTO", "a SELECT may not make a table; leave it out")
	}
	r.distinct(s, n)
	r.items(s, n)
	s.From = r.from(n.List("fromClause"))
	if x := n.Node("whereClause"); !x.IsNone() {
		s.Where = r.expr(x, r.all())
	}
	for _, g := range n.List("groupClause") {
		s.GroupBy = append(s.GroupBy, r.expr(g, r.all()))
	}
	if x := n.Node("havingClause"); !x.IsNone() {
		s.Having = r.expr(x, r.all())
	}
	return s
}

func (r *reader) distinct(s *sqltree.Select, n parse.Node) {
	list := n.List("distinctClause")
	if len(list) == 0 {
		return
	}
	// SELECT DISTINCT has one empty node.
	if s.Distinct = len(list) == 1 && list[0].Kind == ""; s.Distinct {
		return
	}
	// DISTINCT ON: the parentheses around one expression are the clause's.
	in := r.all()
	if open := r.index(list[0].At()); open > 0 {
		for in.from = open; in.from > 0 && r.word(in.from) != "on"; in.from-- {
		}
		in = region{in.from + 2, max(in.from+2, r.pair[min(in.from+1, len(r.pair)-1)])}
	}
	for _, x := range list {
		s.DistinctOn = append(s.DistinctOn, r.expr(x, in))
	}
}

// items reads the result columns.
func (r *reader) items(s *sqltree.Select, n parse.Node) {
	list := n.List("targetList")
	if len(list) == 0 {
		r.refuse(-1, "SELECT", "it has no result column; name one")
	}
	for i, target := range list {
		x := target.Node("val")
		if fields := x.List("fields"); x.Kind == "ColumnRef" && fields[len(fields)-1].Kind == "A_Star" {
			star := sqltree.Star{At: i}
			if len(fields) > 1 {
				star.Table = fields[len(fields)-2].Str("sval")
			}
			if x.At() >= 0 {
				at := r.index(x.At())
				star.Span = r.span(at, at+2*len(fields)-1)
			}
			s.Stars = append(s.Stars, star)
			s.Items = append(s.Items, nil) // until the columns are known
			continue
		}
		it := &sqltree.Item{Expr: r.expr(x, r.all()), Alias: target.Str("name")}
		from, to := r.index(it.Expr.Outer().Start), r.after(it.Expr.Outer())
		if it.Name = it.Alias; it.Alias != "" {
			if r.word(to) == "as" {
				to++
			}
			it.AliasSpan = r.span(to, to+1)
			to++
		} else {
			it.Name = columnName(x)
		}
		it.Span = r.span(from, to)
		s.Items = append(s.Items, it)
	}
}

// window reads what is in OVER. A window's name stands for its definition.
func (r *reader) window(n parse.Node, depth int) *sqltree.Window {
	named := func(name string) *sqltree.Window {
		i := slices.IndexFunc(r.windows, func(w parse.Node) bool { return w.Str("name") == name })
		if i < 0 || depth > len(r.windows) {
			r.refuse(n.At(), "OVER "+name, "there is no such window; define it in WINDOW")
			return &sqltree.Window{}
		}
		return r.window(r.windows[i], depth+1)
	}
	// In OVER, the name alone means a window; in WINDOW, it is the one's own.
	if name := n.Str("name"); name != "" && depth == 0 {
		return named(name)
	}
	w := &sqltree.Window{}
	if base := n.Str("refname"); base != "" {
		w = named(base)
	}
	for _, x := range n.List("partitionClause") {
		w.Partition = append(w.Partition, r.expr(x, r.all()))
	}
	for _, o := range n.List("orderClause") {
		w.OrderBy = append(w.OrderBy, r.order(o, r.all()))
	}
	if options := n.Int("frameOptions"); options&frameNonDefault != 0 {
		w.Frame = r.frame(n, options)
	}
	return w
}

// The bits of a window's frameOptions, as in Postgres' parsenodes.h.
const (
	frameNonDefault     = 1 << 0
	frameRows           = 1 << 2
	frameGroups         = 1 << 3
	frameStartUnbounded = 1<<5 | 1<<7
	frameEndUnbounded   = 1<<6 | 1<<8
	frameStartFollowing = 1<<7 | 1<<13
	frameEndFollowing   = 1<<8 | 1<<14
	frameExcludeCurrent = 1 << 15
	frameExcludeGroup   = 1 << 16
	frameExcludeTies    = 1 << 17
)

func (r *reader) frame(n parse.Node, options int) *sqltree.Frame {
	f := &sqltree.Frame{Unit: "RANGE"}
	switch {
	case options&frameRows != 0:
		f.Unit = "ROWS"
	case options&frameGroups != 0:
		f.Unit = "GROUPS"
	}
	switch {
	case options&frameExcludeCurrent != 0:
		f.Exclude = "CURRENT ROW"
	case options&frameExcludeGroup != 0:
		f.Exclude = "GROUP"
	case options&frameExcludeTies != 0:
		f.Exclude = "TIES"
	}
	f.Start = sqltree.FrameEnd{Unbounded: options&frameStartUnbounded != 0, Following: options&frameStartFollowing != 0}
	f.End = sqltree.FrameEnd{Unbounded: options&frameEndUnbounded != 0, Following: options&frameEndFollowing != 0}
	if x := n.Node("startOffset"); !x.IsNone() {
		f.Start.Offset = r.expr(x, r.all())
	}
	if x := n.Node("endOffset"); !x.IsNone() {
		f.End.Offset = r.expr(x, r.all())
	}
	return f
}

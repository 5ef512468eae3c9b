package sqltree

import (
	"fmt"

	"github.com/xwb1989/sqlparser"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/sql/dialect"
)

// Parse reads one SELECT statement of SQLite's. The error is a *dialect.Error.
// The names of the tree are not resolved yet: see Bind.
func Parse(sql string) (*Query, error) {
	stmt, err := dialect.Parse(sql)
	if err != nil {
		return nil, err
	}
	b := &treeBuilder{source: sql}
	return b.query(stmt), nil
}

// treeBuilder turns sqlparser's trees into this package's. It is the one place
// that knows markers.
type treeBuilder struct {
	source string
	stmt   *dialect.Statement
}

func (b *treeBuilder) query(stmt *dialect.Statement) *Query {
	back := b.stmt
	b.stmt = stmt
	defer func() { b.stmt = back }()
	q := &Query{Dialect: engine.SQLite, LimitSpan: stmt.LimitSpan}
	for _, c := range stmt.With {
		q.With = append(q.With, &CTE{Name: c.Name, Columns: c.Columns, Query: b.query(c.Query)})
	}
	for _, c := range stmt.Cores {
		q.Arms = append(q.Arms, b.arm(c, q))
	}
	for i, o := range stmt.OrderBy {
		q.OrderBy = append(q.OrderBy, b.order(o.Expr, stmt.Terms[i]))
	}
	if stmt.Limit != nil {
		q.Limit = b.expr(stmt.Limit)
	}
	if stmt.Offset != nil {
		q.Offset = b.expr(stmt.Offset)
	}
	return q
}

func (b *treeBuilder) order(e sqlparser.Expr, t dialect.Term) *Order {
	return &Order{Expr: b.expr(e), Desc: t.Desc, NullsFirst: t.NullsFirst, Item: -1}
}

func (b *treeBuilder) arm(c dialect.Core, q *Query) *Select {
	s := &Select{Op: c.Op, Values: c.Values, Distinct: c.Select.Distinct != "", Query: q}
	for i, column := range c.Columns {
		if column.Star {
			s.Stars = append(s.Stars, Star{Span: column.Span, Table: column.Table, At: i})
			s.Items = append(s.Items, nil) // until the columns are known
			continue
		}
		x := c.Select.SelectExprs[i].(*sqlparser.AliasedExpr).Expr
		s.Items = append(s.Items, b.item(b.expr(x), column))
	}
	if c.From {
		s.From = b.join(c.Select.From[0])
	}
	if c.Select.Where != nil {
		s.Where = b.expr(c.Select.Where.Expr)
	}
	for _, x := range c.Select.GroupBy {
		s.GroupBy = append(s.GroupBy, b.expr(x))
	}
	if c.Select.Having != nil {
		s.Having = b.expr(c.Select.Having.Expr)
	}
	return s
}

// item names a result column: by its alias, the column that it is, or its own
// text, as SQLite does.
func (b *treeBuilder) item(x Expr, c dialect.ResultColumn) *Item {
	it := &Item{Expr: x, Alias: c.Alias, AliasSpan: c.AliasSpan, Name: c.Alias, Span: c.Span}
	if it.Name != "" {
		return it
	}
	if column, ok := x.(*Column); ok {
		it.Name = column.Name
	} else {
		it.Name = b.source[c.Span.Start:c.Span.End]
	}
	return it
}

// join reads a FROM clause, or one in parentheses.
func (b *treeBuilder) join(t sqlparser.TableExpr) *Join {
	x, ok := t.(*sqlparser.JoinTableExpr)
	if !ok {
		return nil // the table that stands for nothing
	}
	mark, args := b.marker(x.Condition.On)
	m := mark.(*dialect.Join)
	j := &Join{Left: b.join(x.LeftExpr), Kind: m.Kind, Natural: m.Natural, Using: m.Using}
	if m.On {
		j.On = b.expr(args[len(args)-1])
	}
	switch item := x.RightExpr.(type) {
	case *sqlparser.ParenTableExpr:
		j.Nested = b.join(item.Exprs[0])
	case *sqlparser.AliasedTableExpr:
		table := b.stmt.Mark(item.Expr.(sqlparser.TableName).Name.String()).(*dialect.Table)
		j.Source = b.fromItem(table)
		for _, a := range args[:table.Args] {
			j.Source.Args = append(j.Source.Args, b.expr(a))
		}
	}
	return j
}

func (b *treeBuilder) fromItem(t *dialect.Table) *Source {
	s := &Source{Name: t.Alias, Span: t.Span, AliasSpan: t.AliasSpan, Schema: t.Schema, TableName: t.Name, Function: t.Function}
	if t.Query != nil {
		s.Query = b.query(t.Query)
	} else if s.Name == "" {
		s.Name = t.Name
	}
	return s
}

// marker returns what a call stands for, and its arguments.
func (b *treeBuilder) marker(e sqlparser.Expr) (any, []sqlparser.Expr) {
	f, ok := e.(*sqlparser.FuncExpr)
	if !ok {
		return nil, nil
	}
	args := make([]sqlparser.Expr, len(f.Exprs))
	for i, x := range f.Exprs {
		args[i] = x.(*sqlparser.AliasedExpr).Expr
	}
	return b.stmt.Mark(f.Name.String()), args
}

// comparisons, and the other operators that travel under another name.
var binaryOps = map[string]Op{
	sqlparser.EqualStr: Equal, sqlparser.NotEqualStr: NotEqual, sqlparser.LessThanStr: Less, sqlparser.LessEqualStr: LessEq,
	sqlparser.GreaterThanStr: Greater, sqlparser.GreaterEqualStr: GreaterEq, sqlparser.NullSafeEqualStr: Is,
	sqlparser.PlusStr: Add, sqlparser.MinusStr: Subtract, sqlparser.MultStr: Multiply, sqlparser.DivStr: Divide, sqlparser.ModStr: Modulo,
	sqlparser.BitAndStr: BitAnd, sqlparser.BitOrStr: BitOr, sqlparser.ShiftLeftStr: ShiftLeft, sqlparser.ShiftRightStr: ShiftRight,
	sqlparser.BitXorStr: Concat,
}

var unaryOps = map[string]Op{sqlparser.UMinusStr: Negate, sqlparser.UPlusStr: Plus, sqlparser.TildaStr: BitNot}

// expr reads an expression. The grammar is held to what lowering writes: any
// other tree is a defect of this module, not of the statement.
func (b *treeBuilder) expr(e sqlparser.Expr) Expr {
	switch e := e.(type) {
	case *sqlparser.ParenExpr:
		return b.expr(e.Expr)
	case *sqlparser.SQLVal:
		l := b.stmt.Mark(string(e.Val[1:])).(*dialect.Literal)
		return &Literal{node: at(l.Span), Value: l.Value}
	case *sqlparser.ColName:
		n := b.stmt.Mark(e.Name.String()).(*dialect.Name)
		return &Column{node: at(n.Span), Schema: n.Schema, Table: n.Table, Name: n.Column, Quoted: n.Quoted}
	case *sqlparser.AndExpr:
		return b.binary(And, e.Left, e.Right)
	case *sqlparser.OrExpr:
		return b.binary(Or, e.Left, e.Right)
	case *sqlparser.BinaryExpr:
		return b.binary(binaryOps[e.Operator], e.Left, e.Right)
	case *sqlparser.ComparisonExpr:
		return b.comparison(e)
	case *sqlparser.RangeCond:
		x := &Between{X: b.expr(e.Left), Low: b.expr(e.From), High: b.expr(e.To), Not: e.Operator == sqlparser.NotBetweenStr}
		x.node = at(between(x.X, x.High))
		return x
	case *sqlparser.NotExpr:
		return &Unary{Op: Not, X: b.expr(e.Expr)}
	case *sqlparser.UnaryExpr:
		return &Unary{Op: unaryOps[e.Operator], X: b.expr(e.Expr)}
	case *sqlparser.CaseExpr:
		return b.caseExpr(e)
	case *sqlparser.FuncExpr:
		return b.call(e)
	}
	panic(fmt.Sprintf("sqltree: lowering does not write a %T", e))
}

func (b *treeBuilder) exprs(list []sqlparser.Expr) []Expr {
	out := make([]Expr, len(list))
	for i, e := range list {
		out[i] = b.expr(e)
	}
	return out
}

func (b *treeBuilder) binary(op Op, x, y sqlparser.Expr) Expr {
	out := &Binary{Op: op, X: b.expr(x), Y: b.expr(y)}
	out.node = at(between(out.X, out.Y))
	return out
}

func (b *treeBuilder) comparison(e *sqlparser.ComparisonExpr) Expr {
	switch e.Operator {
	case sqlparser.InStr, sqlparser.NotInStr:
		return b.in(e)
	case sqlparser.LikeStr, sqlparser.NotLikeStr, sqlparser.RegexpStr, sqlparser.NotRegexpStr:
		p := &Pattern{Op: Like, X: b.expr(e.Left), Y: b.expr(e.Right)}
		p.Not = e.Operator == sqlparser.NotLikeStr || e.Operator == sqlparser.NotRegexpStr
		if e.Operator == sqlparser.RegexpStr || e.Operator == sqlparser.NotRegexpStr {
			p.Op = Glob
		}
		p.node = at(between(p.X, p.Y))
		if e.Escape != nil {
			p.Escape = b.expr(e.Escape)
			p.node = at(between(p.X, p.Escape))
		}
		return p
	}
	return b.binary(binaryOps[e.Operator], e.Left, e.Right)
}

func (b *treeBuilder) in(e *sqlparser.ComparisonExpr) Expr {
	x := &In{X: b.expr(e.Left), Not: e.Operator == sqlparser.NotInStr}
	list := e.Right.(sqlparser.ValTuple)
	switch mark, args := b.marker(list[0]); m := mark.(type) {
	case *dialect.Query:
		if !m.Exists {
			x.Query = b.query(m.Statement)
			return x
		}
	case *dialect.InTable:
		x.Table = true
		x.Query = &Query{Dialect: engine.SQLite}
		star, source := Star{Span: m.Span}, b.fromItem(m.Table)
		source.Args = b.exprs(args)
		x.Query.Arms = []*Select{{Items: []*Item{nil}, Stars: []Star{star}, From: &Join{Kind: dialect.Inner, Source: source}, Query: x.Query}}
		return x
	}
	x.List = b.exprs(list)
	return x
}

func (b *treeBuilder) caseExpr(e *sqlparser.CaseExpr) Expr {
	x := &Case{}
	if e.Expr != nil {
		x.Operand = b.expr(e.Expr)
	}
	for _, w := range e.Whens {
		x.Whens = append(x.Whens, When{b.expr(w.Cond), b.expr(w.Val)})
	}
	if e.Else != nil {
		x.Else = b.expr(e.Else)
	}
	return x
}

// call reads a call of a marker.
func (b *treeBuilder) call(e *sqlparser.FuncExpr) Expr {
	mark, args := b.marker(e)
	switch m := mark.(type) {
	case *dialect.Whole:
		return placed(b.expr(args[0]), m.Span)
	case *dialect.IsNot:
		x := b.expr(args[0]).(*Binary)
		x.Op = IsNot
		return placed(x, m.Span)
	case *dialect.Parens:
		if len(args) > 1 {
			return &Row{node: at(m.Span), Items: b.exprs(args)}
		}
		x := b.expr(args[0])
		x.setOuter(m.Span)
		return x
	case *dialect.Operator:
		x, y := b.expr(args[0]), b.expr(args[1])
		if m.Op == string(Arrow) || m.Op == string(LongArrow) {
			return &Binary{node: at(m.Span), Op: Op(m.Op), X: x, Y: y}
		}
		return &Pattern{node: at(m.Span), Op: Op(m.Op), X: x, Y: y, Not: m.Not}
	case *dialect.Collate:
		return &Collate{node: at(m.Span), X: b.expr(args[0]), Name: m.Name}
	case *dialect.Cast:
		return &Cast{node: at(m.Span), X: b.expr(args[0]), Type: m.Type}
	case *dialect.Clock:
		return &Clock{node: at(m.Span), Name: m.Name}
	case *dialect.Query:
		if m.Exists {
			return &Exists{node: at(m.Span), Query: b.query(m.Statement)}
		}
		return &Subquery{node: at(m.Span), Query: b.query(m.Statement)}
	case *dialect.InNothing:
		return &In{node: at(m.Span), X: b.expr(args[0]), Not: m.Not}
	case *dialect.Call:
		return b.function(m, b.exprs(args))
	}
	panic(fmt.Sprintf("sqltree: lowering does not call a %T", mark))
}

// placed gives an expression its span.
func placed(e Expr, s Span) Expr {
	n := at(s)
	switch e := e.(type) {
	case *Unary:
		e.node = n
	case *Binary:
		e.node = n
	case *In:
		e.node = n
	case *Case:
		e.node = n
	default:
		panic(fmt.Sprintf("sqltree: lowering does not place a %T", e))
	}
	return e
}

// between is the span from one operand to another.
func between(first, last Expr) Span {
	return Span{Start: first.Outer().Start, End: last.Outer().End}
}

package plan

import (
	"strings"

	"github.com/xwb1989/sqlparser"

	"github.com/birdcall/birdcall/internal/dialect"
)

// fromItem is one table or subquery of a FROM clause and how it joins what
// stands before it.
type fromItem struct {
	kind    JoinKind
	on      []sqlparser.Expr // conjuncts
	using   []string
	natural bool

	alias string
	table *Table             // a base table, or
	sub   *dialect.Statement // a subquery or common table expression
	names []string           // column names that a CTE gives, if any
	scope query              // what sub may refer to
}

// joinKinds maps the joins of the lowered text; see dialect's from.go.
var joinKinds = map[string]JoinKind{
	sqlparser.JoinStr: Inner, sqlparser.LeftJoinStr: Left, sqlparser.RightJoinStr: Right,
	sqlparser.StraightJoinStr: Full, sqlparser.NaturalJoinStr: Inner,
	sqlparser.NaturalLeftJoinStr: Left, sqlparser.NaturalRightJoinStr: Right,
}

// flatten lists the items of a FROM clause from left to right.
func (b *builder) flatten(t sqlparser.TableExpr, q query) ([]*fromItem, error) {
	switch t := t.(type) {
	case *sqlparser.ParenTableExpr:
		return b.flatten(t.Exprs[0], q)
	case *sqlparser.JoinTableExpr:
		left, err := b.flatten(t.LeftExpr, q)
		if err != nil {
			return nil, err
		}
		right, err := b.flatten(t.RightExpr, q)
		if err != nil {
			return nil, err
		}
		kind, ok := joinKinds[t.Join]
		if !ok {
			return nil, unsupported(t.Join, "this kind of join is not planned")
		}
		if len(right) > 1 && kind != Inner {
			return nil, unsupported("nested outer join", "an outer join whose right side is a join in parentheses is not planned")
		}
		first := right[0]
		first.kind = kind
		first.natural = strings.HasPrefix(t.Join, "natural")
		for _, c := range t.Condition.Using {
			first.using = append(first.using, c.String())
		}
		on := conjuncts(t.Condition.On, nil)
		if kind == Inner {
			// An inner condition may name any table of the right side.
			right[len(right)-1].on = append(right[len(right)-1].on, on...)
		} else {
			first.on = append(first.on, on...)
		}
		return append(left, right...), nil
	case *sqlparser.AliasedTableExpr:
		item, err := b.item(t, q)
		if err != nil {
			return nil, err
		}
		return []*fromItem{item}, nil
	}
	return nil, unsupported("FROM", "a %T is not planned", t)
}

// item resolves one name of a FROM clause: a subquery, a common table
// expression in scope, or a base table, in this order.
func (b *builder) item(t *sqlparser.AliasedTableExpr, q query) (*fromItem, error) {
	name, ok := t.Expr.(sqlparser.TableName)
	if !ok {
		return nil, unsupported("FROM", "a %T is not planned", t.Expr)
	}
	word := name.Name.String()
	it := &fromItem{kind: Inner, alias: t.As.String()}
	if sub := q.stmt.Subquery(word); sub != nil {
		it.sub, it.scope = sub, q.inner()
		return it, nil
	}
	if it.alias == "" {
		it.alias = word
	}
	if c := q.ctes.find(word); c != nil && name.Qualifier.IsEmpty() {
		if c.cte.Recursive {
			return nil, unsupported("recursive CTE", "%s refers to itself", word)
		}
		it.sub, it.names = c.cte.Query, c.cte.Columns
		it.scope = query{ctes: c.outer}
		return it, nil
	}
	if it.table = b.cat.Table(word); it.table == nil {
		return nil, unsupported("unknown table", "the database has no table %q", word)
	}
	return it, nil
}

// conjuncts splits an expression at its top-level ANDs.
func conjuncts(e sqlparser.Expr, into []sqlparser.Expr) []sqlparser.Expr {
	if e == nil {
		return into
	}
	switch x := dialect.Bare(e).(type) {
	case *sqlparser.AndExpr:
		return conjuncts(x.Right, conjuncts(x.Left, into))
	default:
		return append(into, x)
	}
}

// from plans a FROM clause and the WHERE under it. Equalities of the WHERE
// that connect tables of an inner join are join conditions, as in SQLite.
func (b *builder) from(tables sqlparser.TableExprs, where []sqlparser.Expr, q query) (*relation, []sqlparser.Expr, error) {
	var items []*fromItem
	for _, t := range tables {
		more, err := b.flatten(t, q)
		if err != nil {
			return nil, nil, err
		}
		items = append(items, more...)
	}
	if len(items) > dialect.MaxTables {
		return nil, nil, unsupported("join", "more than %d tables in one FROM clause", dialect.MaxTables)
	}
	items[0].kind = Inner
	j := &joiner{b: b, q: q}
	inner := true
	for _, it := range items {
		if err := j.describe(it); err != nil {
			return nil, nil, err
		}
		inner = inner && it.kind == Inner
	}
	if inner {
		var on []sqlparser.Expr
		for _, it := range items {
			on = append(on, it.on...)
			it.on = nil
		}
		rest, err := j.inner(on, where)
		return j.rel, rest, err
	}
	return j.rel, where, j.inOrder()
}

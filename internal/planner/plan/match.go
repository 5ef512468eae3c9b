package plan

import (
	"slices"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// whereMatch keeps the rows for which EXISTS or IN holds, where the subquery
// reads the row around it or gives rows of several columns. It does nothing for
// other conditions.
func (e *env) whereMatch(x sqltree.Expr, not bool) (done bool, err error) {
	switch x := x.(type) {
	case *sqltree.Unary:
		if x.Op == sqltree.Not {
			return e.whereMatch(x.X, !not)
		}
	case *sqltree.Exists:
		if !e.isCorrelated(x.Query) {
			return false, nil
		}
		c, err := e.correlate(x.Query, nil, true)
		if err != nil {
			return false, err
		}
		c.filter(not)
		return true, nil
	case *sqltree.In:
		if err := checkCollations(x); err != nil {
			return false, err
		}
		switch {
		case x.Query == nil || not != x.Not:
			return false, nil
		case isRow(x.X) && !e.isCorrelated(x.Query):
			return e.whereRowMatches(x)
		case isRow(x.X) || !e.isCorrelated(x.Query) || !e.canMatch(x.Query):
			return false, nil
		}
		c, err := e.correlatedIn(x)
		if err != nil {
			return false, err
		}
		c.filter(false)
		return true, nil
	}
	return false, nil
}

// whereRowMatches keeps the rows that have a row value among the rows of a
// subquery, where a join step compares the columns as IN does.
func (e *env) whereRowMatches(x *sqltree.In) (done bool, err error) {
	ops, err := e.row(x.X)
	if err != nil {
		return false, err
	}
	out, err := e.list(x.Query)
	if err != nil || len(out.cols) != len(ops) {
		return false, err
	}
	s := &Join{B: out.step, BKeys: out.cols, Kind: Semi}
	for i, op := range ops {
		col := e.columnOf(op)
		if !e.b.joins(col, out.cols[i], &sqltree.Binary{X: rowItem(x.X, i), Y: lastItem(x.Query, i)}) {
			return false, nil
		}
		s.AKeys = append(s.AKeys, col)
	}
	s.A = e.rel.step // with what was derived for the row
	e.rel.step = e.b.add(s)
	return true, nil
}

// canMatch reports whether rows of a correlated subquery can be matched one by
// one.
func (e *env) canMatch(q *sqltree.Query) bool {
	return len(q.Columns) == 1 && (&correlation{e: e, query: q}).isSimple(true, true)
}

// correlatedIn plans x IN (subquery) where the subquery reads the row around
// it. It holds where the IN is TRUE.
func (e *env) correlatedIn(x *sqltree.In) (*correlation, error) {
	left, err := e.scalar(x.X)
	if err != nil {
		return nil, err
	}
	return e.correlate(x.Query, &wanted{e.columnOf(left), x.X}, true)
}

// in plans IN; not asks for where it is FALSE.
func (e *env) in(x *sqltree.In, not bool) (*predicate, error) {
	not = not != x.Not
	if err := checkCollations(x); err != nil {
		return nil, err
	}
	switch {
	case x.Query == nil && isRow(x.X):
		return e.rowInList(x, not)
	case x.Query == nil:
		return e.inList(x, not)
	case e.rel != nil && isRow(x.X),
		e.isCorrelated(x.Query) && (not || !e.canMatch(x.Query)):
		op, err := e.inRows(&sqltree.In{X: x.X, Query: x.Query})
		if err != nil {
			return nil, err
		}
		return negated(e.leaf(tools.IsTrue, op), not), nil
	case e.isCorrelated(x.Query):
		c, err := e.correlatedIn(x)
		if err != nil {
			return nil, err
		}
		return c.test(false), nil
	}
	left, err := e.scalar(x.X)
	if err != nil {
		return nil, err
	}
	o, err := e.list(x.Query)
	if err != nil {
		return nil, err
	}
	if len(o.cols) != 1 {
		return nil, unsupported("row value", "IN with a subquery of %d columns", len(o.cols))
	}
	p := e.leaf(tools.In, left, Operand{Kind: Result, Step: o.step, Col: o.cols[0]})
	return negated(e.collate(p, x.X, lastItem(x.Query, 0)), not), nil
}

// checkCollations refuses an IN whose left side is a column and whose subquery
// has a COLLATE that is not the column's: SQLite compares by it, but not where it
// looks the column up in an index.
func checkCollations(x *sqltree.In) error {
	if x.Query == nil {
		return nil
	}
	for i := range x.Query.Columns {
		left, isColumn := rowItem(x.X, i).(*sqltree.Column)
		if !isColumn {
			continue
		}
		own, _ := sqltree.Collation(left)
		if other, explicit := sqltree.Collation(lastItem(x.Query, i)); explicit && other != own {
			return unsupported("COLLATE in IN", "SQLite's answer depends on its indexes where the subquery has COLLATE %s and the column %s has not", other, left.Name)
		}
	}
	return nil
}

// lastItem is a result column of the last arm of a subquery, which IN compares
// with.
func lastItem(q *sqltree.Query, n int) sqltree.Expr {
	s := q.Arms[len(q.Arms)-1]
	if n >= len(s.Items) {
		return nil
	}
	return s.Items[n].Expr
}

func (e *env) inList(x *sqltree.In, not bool) (*predicate, error) {
	if len(x.List) == 0 { // FALSE, also for NULL
		return e.leaf(tools.IsTrue, constant(value.Bool(not))), nil
	}
	left, err := e.scalar(x.X)
	if err != nil {
		return nil, err
	}
	var args []Operand
	for _, item := range x.List {
		op, err := e.scalar(item)
		if err != nil {
			return nil, err
		}
		args = append(args, op)
	}
	condition := tools.In
	if len(args) == 1 && args[0].Kind == Constant {
		condition = tools.Equal
	}
	return negated(e.collate(e.leaf(condition, left, args...), x.X), not), nil
}

// inRows plans IN as a value, by comparing with each row of the subquery that a
// row around sees: TRUE if one of them is equal, else NULL if the comparison
// with one of them is NULL, else FALSE (lang_expr.html, section 7).
func (e *env) inRows(x *sqltree.In) (Operand, error) {
	ops, err := e.row(x.X)
	if err != nil {
		return Operand{}, err
	}
	lefts := make([]Col, len(ops))
	for i, op := range ops {
		lefts[i] = e.columnOf(op)
	}
	if len(x.Query.Columns) != len(ops) {
		return Operand{}, unsupported("row value", "IN of %d values with a subquery of %d columns", len(ops), len(x.Query.Columns))
	}
	d, err := e.combinations(x.Query, lefts...)
	if err != nil {
		return Operand{}, err
	}
	out, err := e.b.statement(x.Query, around{outer: e, given: d})
	if err != nil {
		return Operand{}, err
	}
	out = e.b.projected(out)
	rows := newRelation(out.step, &sourceCols{cols: out.cols}, &sourceCols{cols: out.given})
	var keys []colPair
	for i, col := range out.given {
		keys = append(keys, colPair{d.cols[i], col})
	}
	in := &env{b: e.b, rel: e.b.joinNullEqual(d.relation(), rows, keys, Inner)}
	found := in.rel.sources[len(in.rel.sources)-2].cols
	var equal []*predicate
	for i, left := range lefts {
		p := in.leaf(tools.Equal, Operand{Kind: ColumnOf, Col: left}, Operand{Kind: ColumnOf, Col: found[i]})
		equal = append(equal, in.collate(p, rowItem(x.X, i), lastItem(x.Query, i)))
	}
	match, err := in.truthOfPredicate(combined(false, equal))
	if err != nil {
		return Operand{}, err
	}
	c := &correlation{e: e, in: in, keys: d.cols, outer: d.cols, nulls: true}
	op, err := c.threeValued(in.columnOf(match))
	if err != nil || !x.Not {
		return op, err
	}
	return e.derive(tools.OpNot, op)
}

// threeValued brings back 1 where a match is 1 in one of the rows, NULL where it
// is NULL in one of them and 1 in none, and 0 otherwise.
func (c *correlation) threeValued(match Col) (Operand, error) {
	b := c.e.b
	at := b.add(&Group{In: c.in.rel.step, Keys: c.keys})
	var cols []Col
	for _, s := range []*Aggregate{{Func: tools.Max, From: match}, {Func: tools.Count, From: None}, {Func: tools.Count, From: match}} {
		at = b.grouped(at, s)
		cols = append(cols, b.steps[at].(*Aggregate).Out)
	}
	groups := b.add(&Project{In: at, Cols: distinctCols(append(slices.Clone(c.keys), cols...)), Limit: -1})
	back := c.joinBack(groups, cols)
	best, all, known := Operand{Kind: ColumnOf, Col: back[0]}, Operand{Kind: ColumnOf, Col: back[1]}, Operand{Kind: ColumnOf, Col: back[2]}
	// Without rows the counts are NULL, and one is not greater than the other.
	rest, err := c.e.branch(c.e.leaf(tools.Greater, all, known), constant(value.NullValue()), constant(value.Int(0)))
	if err != nil {
		return Operand{}, err
	}
	one := constant(value.Int(1))
	return c.e.branch(c.e.leaf(tools.Equal, best, one), one, rest)
}

package plan

import (
	"fmt"

	"github.com/xwb1989/sqlparser"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/pkg/value"
)

// A correlated subquery reads columns of the row around it. It is planned once
// for all rows: as a relation that has, for each combination of those columns,
// the rows that the subquery would see, and that is joined back to the rows
// around it.
//
// Where the outer columns are only compared for equality with inner ones, the
// inner columns are the combination, and the relation is the subquery's own.
// Otherwise the distinct combinations of the outer columns are joined into the
// subquery's FROM, where its conditions can read them.
type correlation struct {
	e     *env  // around the subquery
	in    *env  // the subquery's rows
	keys  []Col // columns of in that tell which outer rows a row belongs to
	outer []Col // the outer rows' columns that they equal
	nulls bool  // NULL equals NULL
	stmt  *dialect.Statement
	item  sqlparser.Expr // the first result column, nil for *
}

const correlated = "correlated subquery"

// isCorrelated reports whether planning stopped because a subquery reads the
// query around it.
func isCorrelated(err error) bool { return construct(err) == correlated }

func refuse(format string, args ...any) error { return unsupported(correlated, format, args...) }

// correlate plans the rows of a correlated subquery. left, if not nil, is what
// the subquery's one column must equal, as in left IN (subquery); exists says
// that only the presence of rows matters.
func (e *env) correlate(stmt *dialect.Statement, left *Col, exists bool) (*correlation, error) {
	sel, err := correlatable(stmt, exists)
	if err != nil {
		return nil, err
	}
	q := query{stmt: stmt, ctes: e.q.ctes, outer: e}
	for _, c := range stmt.With {
		q.ctes = &cteScope{cte: c, outer: q.ctes}
	}
	var where []sqlparser.Expr
	if sel.Where != nil {
		where = conjuncts(sel.Where.Expr, nil)
	}
	rel, rest, err := e.b.from(sel.From, where, q)
	if err != nil {
		return nil, err
	}
	c := &correlation{e: e, in: &env{b: e.b, q: q, rel: rel}, stmt: stmt}
	if x, ok := sel.SelectExprs[0].(*sqlparser.AliasedExpr); ok {
		c.item = dialect.Bare(x.Expr)
	}
	pairs, hard, err := c.split(rest)
	if err != nil {
		return nil, err
	}
	for _, x := range append(c.orderExprs(), c.item) {
		if x != nil && (c.readsOuter(x) || hasSubquery(x)) && !(exists && left == nil) {
			return c.general(append(pairExprs(pairs), hard...), left)
		}
	}
	if len(hard) > 0 {
		return c.general(append(pairExprs(pairs), hard...), left)
	}
	return c.byKeys(pairs, left)
}

// correlatable returns the one core of a subquery that can be decorrelated.
func correlatable(stmt *dialect.Statement, exists bool) (*sqlparser.Select, error) {
	if len(stmt.Cores) != 1 {
		return nil, refuse("a compound subquery reads the query around it")
	}
	sel := stmt.Cores[0].Select
	if len(sel.GroupBy) > 0 || sel.Having != nil {
		return nil, refuse("a subquery with GROUP BY reads the query around it")
	}
	if fromNothing(sel.From) {
		return nil, refuse("a subquery without FROM reads the query around it")
	}
	limit, offset, err := limits(stmt)
	if err != nil {
		return nil, err
	}
	aggregated := false
	if x, ok := sel.SelectExprs[0].(*sqlparser.AliasedExpr); ok {
		aggregatesIn(x.Expr, func(sqlparser.Expr) { aggregated = true })
	}
	if exists && aggregated {
		return nil, refuse("an aggregate as EXISTS or IN reads the query around it")
	}
	if limit == 0 || offset > 0 {
		return nil, refuse("a subquery with OFFSET or LIMIT 0 reads the query around it")
	}
	return sel, nil
}

// keyPair is an equality of an inner and an outer expression.
type keyPair struct {
	inner, outer sqlparser.Expr
	whole        sqlparser.Expr
	innerFirst   bool // the inner side is the left one, which has the collation
}

func pairExprs(pairs []keyPair) []sqlparser.Expr {
	out := make([]sqlparser.Expr, len(pairs))
	for i, p := range pairs {
		out[i] = p.whole
	}
	return out
}

// split filters the rows by the conditions that read inner columns alone, and
// returns the others: equalities between inside and outside, and the rest.
func (c *correlation) split(conj []sqlparser.Expr) (pairs []keyPair, hard []sqlparser.Expr, err error) {
	for _, x := range conj {
		if !c.readsOuter(x) {
			err := c.in.where([]sqlparser.Expr{x})
			if isCorrelated(err) { // a subquery in it reads the outer row
				hard = append(hard, x)
			} else if err != nil {
				return nil, nil, err
			}
			continue
		}
		if p, ok := c.pair(x); ok {
			pairs = append(pairs, p)
		} else {
			hard = append(hard, x)
		}
	}
	return pairs, hard, nil
}

func (c *correlation) pair(x sqlparser.Expr) (keyPair, bool) {
	cmp, ok := x.(*sqlparser.ComparisonExpr)
	if !ok || cmp.Operator != sqlparser.EqualStr || hasSubquery(x) {
		return keyPair{}, false
	}
	l, r := cmp.Left, cmp.Right
	switch {
	case !c.readsOuter(l) && c.readsOuter(r) && !c.readsInner(r):
		return keyPair{inner: l, outer: r, whole: x, innerFirst: true}, true
	case !c.readsOuter(r) && c.readsOuter(l) && !c.readsInner(l):
		return keyPair{inner: r, outer: l, whole: x}, true
	}
	return keyPair{}, false
}

func hasSubquery(x sqlparser.Expr) bool {
	found := false
	_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
		if _, ok := n.(*sqlparser.Subquery); ok {
			found = true
		}
		return !found, nil
	}, x)
	return found
}

// columnNames calls visit for every column reference of an expression, without
// those of its subqueries.
func columnNames(x sqlparser.SQLNode, visit func(dialect.Name)) {
	_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
		if col, ok := n.(*sqlparser.ColName); ok {
			visit(dialect.NameOf(col))
			return false, nil
		}
		return true, nil
	}, x)
}

func (c *correlation) readsInner(x sqlparser.Expr) bool {
	reads := false
	columnNames(x, func(n dialect.Name) {
		_, found := c.in.rel.find(n)
		reads = reads || found > 0
	})
	return reads
}

func (c *correlation) readsOuter(x sqlparser.Expr) bool {
	reads := false
	columnNames(x, func(n dialect.Name) {
		if _, found := c.in.rel.find(n); found > 0 || c.e.rel == nil {
			return
		}
		_, found := c.e.rel.find(n)
		reads = reads || found > 0
	})
	return reads
}

func (c *correlation) orderExprs() []sqlparser.Expr {
	var out []sqlparser.Expr
	for _, o := range dialect.Orders(c.stmt.OrderBy) {
		out = append(out, o.Expr)
	}
	return out
}

// byKeys matches by the inner sides of equalities.
func (c *correlation) byKeys(pairs []keyPair, left *Col) (*correlation, error) {
	for _, p := range pairs {
		in, err := c.in.scalar(p.inner)
		if err != nil {
			return nil, err
		}
		out, err := c.e.scalar(p.outer)
		if err != nil {
			return nil, err
		}
		if in.Collation != "" || out.Collation != "" {
			return nil, refuse("COLLATE in the condition that reads the query around it")
		}
		key, outer := c.in.columnOf(in), c.e.columnOf(out)
		if p.innerFirst && c.e.b.collation(key) != c.e.b.collation(outer) {
			return nil, errCollation
		}
		c.keys, c.outer = append(c.keys, key), append(c.outer, outer)
	}
	if left != nil {
		item, err := c.in.scalar(c.item)
		if err != nil {
			return nil, err
		}
		if item.Collation != "" {
			return nil, refuse("COLLATE in the column that IN compares with")
		}
		c.keys, c.outer = append(c.keys, c.in.columnOf(plain(item))), append(c.outer, *left)
	}
	if len(c.keys) == 0 {
		return nil, refuse("the way it reads the query around it is not planned")
	}
	return c, nil
}

// general joins the distinct combinations of the outer columns into the
// subquery's FROM and filters by the conditions that read them.
func (c *correlation) general(conj []sqlparser.Expr, left *Col) (*correlation, error) {
	b, rel := c.e.b, c.e.rel
	sources := c.outerSources()
	for _, s := range sources {
		c.outer = append(c.outer, s.cols...)
	}
	if left != nil {
		c.outer = append(c.outer, *left)
	}
	c.outer = distinctCols(c.outer)
	if len(c.outer) == 0 {
		return nil, refuse("the way it reads the query around it is not planned")
	}
	combinations := &relation{
		step:    b.add(&Project{In: rel.step, Cols: c.outer, Distinct: true, Limit: -1}),
		sources: sources, derived: map[string]Col{},
	}
	keys, rest := c.plainPairs(conj)
	joined := b.joinRelations(combinations, c.in.rel, keys, Inner)
	c.in.rel = joined
	c.keys, c.nulls = c.outer, true
	if err := c.in.where(rest); err != nil {
		return nil, err
	}
	if left != nil {
		item, err := c.in.scalar(c.item)
		if err != nil {
			return nil, err
		}
		p := c.in.leaf("equal_to", item, Operand{Kind: ColumnOf, Col: *left})
		joined.step = b.filter(joined.step, p)
	}
	return c, nil
}

// plainPairs takes out the equalities of a plain outer and a plain inner
// column, by which the combinations are joined.
func (c *correlation) plainPairs(conj []sqlparser.Expr) (keys []colPair, rest []sqlparser.Expr) {
	for _, x := range conj {
		p, ok := c.pair(x)
		in, isIn := dialect.Bare(p.inner).(*sqlparser.ColName)
		out, isOut := dialect.Bare(p.outer).(*sqlparser.ColName)
		if !ok || !isIn || !isOut {
			rest = append(rest, x)
			continue
		}
		inCol, n := c.in.rel.find(dialect.NameOf(in))
		outCol, m := c.e.rel.find(dialect.NameOf(out))
		if n != 1 || m != 1 || p.innerFirst && c.e.b.collation(inCol) != c.e.b.collation(outCol) {
			rest = append(rest, x)
			continue
		}
		keys = append(keys, colPair{outCol, inCol})
	}
	return keys, rest
}

// outerSources lists the outer columns that the subquery, or one within it,
// may read, by the sources they belong to.
func (c *correlation) outerSources() []*source {
	picked := map[Col]bool{}
	c.stmt.Walk(func(n sqlparser.SQLNode) {
		if col, ok := n.(*sqlparser.ColName); ok {
			name := dialect.NameOf(col)
			if _, inner := c.in.rel.find(name); inner == 0 || name.Table == "" {
				if o, found := c.e.rel.find(name); found == 1 {
					picked[o] = true
				}
			}
		}
	})
	var out []*source
	for _, s := range c.e.rel.sources {
		t := &source{alias: s.alias, merged: s.merged, around: true}
		for i, col := range s.cols {
			if picked[col] {
				t.names, t.cols = append(t.names, s.names[i]), append(t.cols, col)
			}
		}
		if len(t.cols) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// filter keeps the outer rows that have a match, or those that have none.
func (c *correlation) filter(not bool) {
	kind := Semi
	if not {
		kind = Anti
	}
	r := c.e.rel
	r.step = c.e.b.add(&Join{A: r.step, B: c.in.rel.step, AKeys: c.outer, BKeys: c.keys, Kind: kind, NullEqual: c.nulls})
}

// bring joins columns of one row per key back to the outer rows.
func (c *correlation) bring(from StepID, vals []Col) []Col {
	b, r := c.e.b, c.e.rel
	s := &Join{A: r.step, B: from, AKeys: c.outer, BKeys: c.keys, Kind: Left, NullEqual: c.nulls, BCols: vals}
	id := b.addMaking(fmt.Sprintf("Join%+v", *s), func() Step {
		for _, v := range vals {
			s.Renamed = append(s.Renamed, b.column(b.nameOf(v)))
		}
		return s
	})
	r.step = id
	return b.steps[id].(*Join).Renamed
}

// marker brings back a column that is NULL where there is no match.
func (c *correlation) marker() Col {
	b := c.e.b
	keys := distinctCols(c.keys)
	found := &relation{step: b.add(&Project{In: c.in.rel.step, Cols: keys, Distinct: true, Limit: -1}), derived: map[string]Col{}}
	mark := keys[0]
	if c.nulls {
		mark = found.add(b, "constant", None, "match", []Arg{{Name: "value", Values: []Operand{constant(value.Int(1))}}})
	}
	return c.bring(found.step, []Col{mark})[0]
}

// test is the condition that there is a match, or none.
func (c *correlation) test(err error, not bool) (*predicate, error) {
	if err != nil {
		return nil, err
	}
	return negated(&predicate{condition: "is_not_null", col: c.marker()}, not), nil
}

// value brings back the value of a scalar subquery.
func (c *correlation) value() (Operand, error) {
	if c.item == nil {
		return Operand{}, refuse("SELECT * as a value")
	}
	var calls []sqlparser.Expr
	aggregatesIn(c.item, func(x sqlparser.Expr) { calls = append(calls, x) })
	if len(calls) > 0 {
		return c.aggregateValue(calls)
	}
	op, err := c.in.scalar(c.item)
	if err != nil {
		return Operand{}, err
	}
	v := c.in.columnOf(plain(op))
	order := &core{b: c.e.b, q: c.in.q, order: dialect.Orders(c.stmt.OrderBy), limit: -1}
	order.items = []item{{expr: c.item, text: textOf(c.item), operand: Operand{Kind: ColumnOf, Col: v}}}
	if _, err := order.sort(c.in); err != nil {
		return Operand{}, err
	}
	b := c.e.b
	group := b.add(&Group{In: c.in.rel.step, Keys: distinctCols(c.keys)})
	if len(order.order) == 0 {
		b.leaveOpen(Choice{Kind: Bare, Step: group, Column: v})
	}
	first := b.add(&Project{In: group, Cols: distinctCols(append(append([]Col{}, c.keys...), v)), Limit: -1})
	return Operand{Kind: ColumnOf, Col: c.bring(first, []Col{v})[0]}, nil
}

// aggregateValue brings back the aggregates of the item and computes it from
// them. A row without a match counts 0 and totals 0.0.
func (c *correlation) aggregateValue(calls []sqlparser.Expr) (Operand, error) {
	group := &core{b: c.e.b, q: c.in.q, sel: &sqlparser.Select{}, items: []item{{expr: c.item}}}
	steps, _, err := group.argumentsOf(c.in)
	if err != nil {
		return Operand{}, err
	}
	b := c.e.b
	at := b.add(&Group{In: c.in.rel.step, Keys: distinctCols(c.keys)})
	g := &grouping{results: map[string]Operand{}}
	var texts []string
	var cols []Col
	for _, call := range calls {
		key := textOf(call)
		if _, seen := g.results[key]; seen {
			continue
		}
		s := *steps[key]
		s.In, s.Grouped = at, true
		at = b.addMaking(fmt.Sprintf("Aggregate%+v", s), func() Step {
			s.Out = b.column(s.Func)
			return &s
		})
		g.results[key] = Operand{}
		texts, cols = append(texts, key), append(cols, b.steps[at].(*Aggregate).Out)
	}
	groups := b.add(&Project{In: at, Cols: distinctCols(append(append([]Col{}, c.keys...), cols...)), Limit: -1})
	over := *c.e
	for i, col := range c.bring(groups, cols) {
		op := Operand{Kind: ColumnOf, Col: col}
		none := map[string]value.Value{"count": value.Int(0), "total": value.Float(0)}
		if zero, ok := none[steps[texts[i]].Func]; ok {
			if op, err = over.derive("coalesce", op, Arg{Name: "values", List: true, Values: []Operand{constant(zero)}}); err != nil {
				return Operand{}, err
			}
		}
		g.results[texts[i]] = op
	}
	if c.readsBesides(g) {
		return Operand{}, refuse("a column beside an aggregate in a subquery that reads the query around it")
	}
	over.group = g
	return over.scalar(c.item)
}

// readsBesides reports whether the item reads inner columns outside of its
// aggregates.
func (c *correlation) readsBesides(g *grouping) bool {
	reads := false
	_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
		x, ok := n.(sqlparser.Expr)
		if !ok {
			return true, nil
		}
		if _, known := g.known(x); known {
			return false, nil
		}
		if col, ok := x.(*sqlparser.ColName); ok {
			if c, found := c.in.rel.find(dialect.NameOf(col)); found > 0 && !containsCol(g.keys, c) {
				reads = true
			}
		}
		return true, nil
	}, c.item)
	return reads
}

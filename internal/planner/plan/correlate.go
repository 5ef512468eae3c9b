package plan

import (
	"slices"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/tools"
)

// A correlated subquery reads columns of the row around it. It is planned once
// for all rows: as a relation that has, for each combination of those columns,
// the rows that the subquery would see, and that is joined back to the rows
// around it (Neumann and Kemper, Unnesting Arbitrary Queries).
//
// Where the outer columns are only compared for equality with inner ones, the
// inner columns are the combination, and the relation is the subquery's own.
// Otherwise the distinct combinations of the outer columns are joined into the
// subquery's FROM, where its conditions can read them. A subquery of one arm
// that neither groups nor cuts its rows goes no further than its rows; any
// other one is planned whole, with the combinations kept by every step: see
// dependent.go.
type correlation struct {
	e     *env  // around the subquery
	in    *env  // the subquery's rows
	keys  []Col // columns of in that say which outer rows a row belongs to
	outer []Col // the outer rows' columns that they equal
	nulls bool  // NULL equals NULL
	query *sqltree.Query
	item  sqltree.Expr // the first result column
	out   *output      // of a subquery that is planned whole
}

// wanted is what IN looks for.
type wanted struct {
	col  Col
	expr sqltree.Expr
}

func (w *wanted) cols() []Col {
	if w == nil {
		return nil
	}
	return []Col{w.col}
}

const correlated = "correlated subquery"

func refuse(format string, args ...any) error { return unsupported(correlated, format, args...) }

// isCorrelated reports whether a subquery reads the rows around it.
func (e *env) isCorrelated(q *sqltree.Query) bool { return len(q.Outer) > 0 && e.rel != nil }

// correlate plans the rows of a correlated subquery. left, if not nil, is what
// the subquery's one column must equal, as in left IN (subquery); exists says
// that only the presence of rows matters.
func (e *env) correlate(q *sqltree.Query, left *wanted, exists bool) (*correlation, error) {
	for _, s := range q.Arms {
		if err := checkAggregates(s); err != nil {
			return nil, err
		}
	}
	c := &correlation{e: e, query: q, item: q.Columns[0].Item.Expr}
	if !c.isSimple(left != nil, exists) {
		if left != nil {
			return nil, refuse("its form is not planned after IN")
		}
		return c, c.whole()
	}
	s := q.Arms[0]
	at := around{outer: e}
	rel, rest, err := e.b.from(s, sqltree.Conjuncts(s.Where), at)
	if err != nil {
		return nil, err
	}
	c.in = &env{b: e.b, at: at, rel: rel}
	pairs, hard, err := c.split(rest)
	if err != nil {
		return nil, err
	}
	if len(hard) > 0 || !(exists && left == nil) && c.computes() || left == nil && len(pairs) == 0 {
		return c, c.general(append(pairExprs(pairs), hard...), left)
	}
	if done, err := c.byKeys(pairs, left); done || err != nil {
		return c, err
	}
	return c, c.general(pairExprs(pairs), left)
}

// isSimple reports whether a subquery has one arm that neither groups nor cuts
// its rows, so that a match is a row of its FROM.
func (c *correlation) isSimple(in, exists bool) bool {
	s, q := c.query.Arms[0], c.query
	if len(q.Arms) > 1 || len(s.GroupBy) > 0 || s.Having != nil || s.From == nil {
		return false
	}
	limit, offset, err := limits(q)
	if err != nil || limit == 0 || offset > 0 || in && limit > 0 {
		return false
	}
	aggregated := len(s.Aggregates) > 0
	if exists && aggregated || aggregated && (limit > 0 || s.Distinct) {
		return false
	}
	for _, src := range s.Sources {
		if src.Query != nil && len(src.Query.Outer) > 0 || slices.ContainsFunc(src.Args, c.readsOuter) {
			return false
		}
	}
	if !s.From.OnlyInner() && slices.ContainsFunc(conditions(s.From), c.readsOuter) {
		return false
	}
	windows := false
	for _, x := range append(s.Exprs(), q.Tail()...) {
		sqltree.Walk(x, func(x sqltree.Expr) bool {
			call, ok := x.(*sqltree.Call)
			windows = windows || ok && call.Over != nil
			return !windows
		})
	}
	return !windows
}

// conditions are the ON conditions of a FROM clause.
func conditions(j *sqltree.Join) []sqltree.Expr {
	if j == nil {
		return nil
	}
	out := append(conditions(j.Left), conditions(j.Nested)...)
	if j.On != nil {
		out = append(out, j.On)
	}
	return out
}

// keyPair is an equality of an inner and an outer expression.
type keyPair struct {
	inner, outer sqltree.Expr
	whole        sqltree.Expr
	innerFirst   bool // the inner side is the left one, which has the collation
}

func pairExprs(pairs []keyPair) []sqltree.Expr {
	out := make([]sqltree.Expr, len(pairs))
	for i, p := range pairs {
		out[i] = p.whole
	}
	return out
}

// split filters the rows by the conditions that read inner columns alone, and
// returns the others: equalities between inside and outside, and the rest.
func (c *correlation) split(conj []sqltree.Expr) (pairs []keyPair, hard []sqltree.Expr, err error) {
	for _, x := range conj {
		if !c.readsOuter(x) {
			if err := c.in.where([]sqltree.Expr{x}); err != nil {
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

func (c *correlation) pair(x sqltree.Expr) (keyPair, bool) {
	cmp, ok := x.(*sqltree.Binary)
	if !ok || cmp.Op != sqltree.Equal || hasSubquery(x) {
		return keyPair{}, false
	}
	l, r := cmp.X, cmp.Y
	p := keyPair{inner: r, outer: l, whole: x}
	if !c.readsOuter(l) && c.readsOuter(r) {
		p = keyPair{inner: l, outer: r, whole: x, innerFirst: true}
	}
	if c.readsOuter(p.inner) || !c.readsOuter(p.outer) || c.in.rel.reads(p.outer) {
		return keyPair{}, false
	}
	_, explicit := sqltree.Compared(l, r)
	return p, !explicit
}

// readsOuter reports whether an expression, or a subquery in it, reads the rows
// around.
func (c *correlation) readsOuter(x sqltree.Expr) bool { return c.e.rel.reads(x) }

// computes reports whether the result column or ORDER BY reads the rows around
// or has a subquery.
func (c *correlation) computes() bool {
	exprs := []sqltree.Expr{c.item}
	for _, o := range c.query.OrderBy {
		exprs = append(exprs, o.Expr)
	}
	return slices.ContainsFunc(exprs, func(x sqltree.Expr) bool { return c.readsOuter(x) || hasSubquery(x) })
}

// byKeys matches by the inner sides of equalities. It does nothing where a join
// would compare them by another collation.
func (c *correlation) byKeys(pairs []keyPair, left *wanted) (done bool, err error) {
	var keys, outer []Col
	for _, p := range pairs {
		in, err := c.in.scalar(p.inner)
		if err != nil {
			return false, err
		}
		out, err := c.e.scalar(p.outer)
		if err != nil {
			return false, err
		}
		keys, outer = append(keys, c.in.columnOf(in)), append(outer, c.e.columnOf(out))
		if !c.e.b.joins(outer[len(outer)-1], keys[len(keys)-1], p.whole) {
			return false, nil
		}
	}
	if left != nil {
		item, err := c.in.scalar(c.item)
		if err != nil {
			return false, err
		}
		keys, outer = append(keys, c.in.columnOf(item)), append(outer, left.col)
		if !c.e.b.joins(left.col, keys[len(keys)-1], &sqltree.Binary{X: left.expr, Y: c.item}) {
			return false, nil
		}
	}
	c.keys, c.outer = keys, outer
	return true, nil
}

// general joins the distinct combinations of the outer columns into the
// subquery's FROM and filters by the conditions that read them.
func (c *correlation) general(conj []sqltree.Expr, left *wanted) error {
	d, err := c.e.combinations(c.query, left.cols()...)
	if err != nil {
		return err
	}
	c.outer, c.keys, c.nulls = d.cols, d.cols, true
	keys, rest := c.plainPairs(conj)
	c.in.rel = c.e.b.joinRelations(d.relation(), c.in.rel, keys, Inner)
	if err := c.in.where(rest); err != nil {
		return err
	}
	if left != nil {
		item, err := c.in.scalar(c.item)
		if err != nil {
			return err
		}
		p := c.in.leaf(tools.Equal, item, Operand{Kind: ColumnOf, Col: left.col})
		p = c.in.collate(p, left.expr, c.item)
		c.in.rel.step = c.e.b.filter(c.in.rel.step, p)
	}
	return nil
}

// plainPairs takes out the equalities of a plain outer and a plain inner
// column, by which the combinations are joined.
func (c *correlation) plainPairs(conj []sqltree.Expr) (keys []colPair, rest []sqltree.Expr) {
	for _, x := range conj {
		p, ok := c.pair(x)
		in, isIn := p.inner.(*sqltree.Column)
		out, isOut := p.outer.(*sqltree.Column)
		if !ok || !isIn || !isOut {
			rest = append(rest, x)
			continue
		}
		inCol, n := c.in.rel.find(in)
		outCol, m := c.e.rel.find(out)
		if !n || !m || !c.e.b.joins(outCol, inCol, x) {
			rest = append(rest, x)
			continue
		}
		keys = append(keys, colPair{outCol, inCol})
	}
	return keys, rest
}

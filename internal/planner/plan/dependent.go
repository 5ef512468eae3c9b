package plan

import (
	"slices"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// dependence is what a subquery is planned for: the distinct combinations of
// the outer columns that it reads. Every step of the subquery keeps them, so
// that its result has the rows of each combination: grouping, DISTINCT, windows
// and set operations by the combinations too, a LIMIT for each, and an
// aggregate without GROUP BY also where a combination has no rows.
type dependence struct {
	step    StepID
	sources []*sourceCols // of the queries around, with the columns that are read
	cols    []Col
}

func (d *dependence) relation() *relation { return newRelation(d.step, d.sources...) }

// combinations are those of the columns that a subquery reads of the relation,
// and of left.
func (e *env) combinations(q *sqltree.Query, left ...Col) (*dependence, error) {
	d := &dependence{}
	picked := map[Col]bool{}
	for _, o := range q.Outer {
		if col, ok := e.rel.find(o); ok {
			picked[col] = true
		}
	}
	for _, s := range e.rel.sources {
		t := &sourceCols{of: s.of, cols: slices.Clone(s.cols)}
		some := false
		for i, col := range s.cols {
			if picked[col] {
				d.cols = append(d.cols, col)
				some = true
			} else {
				t.cols[i] = None
			}
		}
		if some {
			d.sources = append(d.sources, t)
		}
	}
	if d.cols = distinctCols(append(d.cols, left...)); len(d.cols) == 0 {
		return nil, refuse("the way it reads the query around it is not planned")
	}
	d.step = e.b.add(&Project{In: e.rel.step, Cols: d.cols, Distinct: true, Limit: -1})
	return d, nil
}

// whole plans the subquery for the combinations of the outer columns.
func (c *correlation) whole() error {
	d, err := c.e.combinations(c.query)
	if err != nil {
		return err
	}
	out, err := c.e.b.statement(c.query, around{outer: c.e, given: d})
	if err != nil {
		return err
	}
	c.out = &out
	c.in = &env{b: c.e.b, rel: newRelation(out.step)}
	c.outer, c.keys, c.nulls = d.cols, out.given, true
	return nil
}

// valueOfWhole brings back the first row's value for each combination.
func (c *correlation) valueOfWhole() (Operand, error) {
	if len(c.out.cols) != 1 {
		return Operand{}, unsupported("row value", "a subquery of %d columns as a value", len(c.out.cols))
	}
	out := c.e.b.projected(*c.out)
	if out.oneRow {
		return Operand{Kind: ColumnOf, Col: c.joinBack(out.step, out.cols)[0]}, nil
	}
	return c.first(out.step, out.cols[0], c.out.order != nil), nil
}

// planGiven plans an arm for the combinations of the outer columns that the
// statement reads.
func (c *core) planGiven(e *env, where []sqltree.Expr) (output, error) {
	d := c.at.given
	switch {
	case e.rel == nil:
		e.rel = d.relation()
	case !e.rel.has(d):
		outer := &correlation{e: &env{b: c.b, rel: d.relation()}, in: e}
		pairs, hard, err := outer.split(where)
		if err != nil {
			return output{}, err
		}
		keys, rest := outer.plainPairs(append(pairExprs(pairs), hard...))
		e.rel = c.b.joinRelations(d.relation(), e.rel, keys, Inner)
		where = rest
	}
	c.given, e.given = d.cols, d.cols
	if err := c.expand(e); err != nil {
		return output{}, err
	}
	return c.planFrom(e, where)
}

// has reports whether the relation has the combinations already.
func (r *relation) has(d *dependence) bool {
	return slices.ContainsFunc(r.sources, func(s *sourceCols) bool { return slices.Contains(d.sources, s) })
}

// completeGroups adds the combinations without rows to the groups of an
// aggregate query without GROUP BY. outs are the aggregates' columns.
func (c *core) completeGroups(over *env, outs []Col, steps map[string]*Aggregate) error {
	b, g := c.b, over.group
	groups := b.add(&Project{In: over.rel.step, Cols: distinctCols(append(slices.Clone(c.given), outs...)), Limit: -1})
	pairs := make([]colPair, len(c.given))
	for i, col := range c.given {
		pairs[i] = colPair{col, col}
	}
	*over.rel = *b.joinNullEqual(c.at.given.relation(), newRelation(groups, &sourceCols{cols: outs}), pairs, Left)
	made := over.rel.sources[len(over.rel.sources)-1].cols
	for _, key := range sortedKeys(steps) {
		col := made[slices.Index(outs, g.results[key].Col)]
		op, err := over.ofNone(Operand{Kind: ColumnOf, Col: col}, steps[key].Func)
		if err != nil {
			return err
		}
		g.results[key] = op
	}
	return nil
}

// cutGiven cuts the rows of each combination by LIMIT and OFFSET.
func (c *core) cutGiven(in StepID, keys []SortKey) StepID {
	rel := newRelation(in)
	row := rel.window(c.b, &Window{Func: tools.RowNumber, From: None, Partition: distinctCols(c.given)})
	step := rel.step
	c.b.leaveOpen(Choice{Kind: CutEach, Step: step, Keys: keys, Column: None, Limit: c.limit, Offset: c.offset})
	number := func(condition tools.Condition, n int) {
		step = c.b.add(&Filter{In: step, Col: row, Condition: condition, Args: []Operand{constant(value.Int(int64(n)))}})
	}
	if c.offset > 0 {
		number(tools.Greater, c.offset)
	}
	if c.limit >= 0 {
		number(tools.LessOrEqual, c.offset+c.limit)
	}
	return step
}

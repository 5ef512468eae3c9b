package plan

import (
	"slices"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/tools"
)

// attachOuter joins a part by an outer join on equalities and any other
// conditions.
//
// A LEFT join's conditions on the part alone are filters of it. For the others
// the rows of the sides are numbered, the pairs that meet all conditions are
// found as those of an inner join, and the sides are joined to the pairs by
// their numbers.
func (j *joiner) attachOuter(p *part, eq []equality, rest []sqltree.Expr) error {
	right := j.alone(p, len(rest) == 0)
	keys, turned := j.b.splitKeys(j.rel, right, eq)
	alone := func(x sqltree.Expr) bool { return !j.rel.reads(x) }
	var err error
	switch {
	case len(keys) > 0 && len(rest)+len(turned) == 0:
		j.rel = j.b.joinRelations(j.rel, right, keys, p.kind)
	case len(keys) > 0 && len(turned) == 0 && p.kind == Left && all(rest, alone):
		if err = (&env{b: j.b, at: j.at, rel: right}).where(rest); err == nil {
			j.rel = j.b.joinRelations(j.rel, right, keys, Left)
		}
	default:
		right = j.alone(p, true)
		keys, turned = j.b.splitKeys(j.rel, right, eq)
		j.rel, err = j.outer(j.rel, right, p.kind, j.b.joinRelations, keys, append(turned, rest...))
	}
	if err == nil {
		j.place(p, len(right.sources))
	}
	return err
}

func all[T any](list []T, is func(T) bool) bool {
	return !slices.ContainsFunc(list, func(x T) bool { return !is(x) })
}

// joinFunc is joinRelations or joinNullEqual.
type joinFunc func(left, right *relation, keys []colPair, kind JoinKind) *relation

// outer joins two relations by the pairs of rows that have equal keys and meet
// the conditions.
func (j *joiner) outer(left, right *relation, kind JoinKind, join joinFunc, keys []colPair, conditions []sqltree.Expr) (*relation, error) {
	b := j.b
	leftRow, rightRow := None, None
	if kind != Right {
		leftRow = b.number(left)
	}
	if kind != Left {
		rightRow = b.number(right)
	}
	mark := &sourceCols{cols: []Col{rightRow}} // so that the pairs have it
	numbered := newRelation(right.step, append(slices.Clone(right.sources), mark)...)
	pairs := join(left, numbered, keys, Inner)
	if err := (&env{b: b, at: j.at, rel: pairs}).where(conditions); err != nil {
		return nil, err
	}
	lefts, rights := pairs.sources[:len(left.sources)], pairs.sources[len(left.sources):]
	pairRow := rights[len(rights)-1].cols[0]
	rights = rights[:len(rights)-1]
	switch kind {
	case Left:
		found := b.projectSources(pairs.step, rights, leftRow)
		return b.joinRelations(left, found, []colPair{{leftRow, leftRow}}, Left), nil
	case Right:
		found := b.projectSources(pairs.step, lefts, pairRow)
		return b.joinRelations(found, right, []colPair{{pairRow, rightRow}}, Right), nil
	}
	found := b.projectSources(pairs.step, []*sourceCols{{cols: []Col{pairRow}}}, leftRow)
	matched := b.joinRelations(left, found, []colPair{{leftRow, leftRow}}, Left)
	row := matched.sources[len(matched.sources)-1].cols[0]
	matched.sources = matched.sources[:len(matched.sources)-1]
	return b.joinRelations(matched, right, []colPair{{row, rightRow}}, Full), nil
}

// lateral joins parts from left to right where subqueries or outer joins among
// them read the outer values: it starts with the combinations of these.
func (j *joiner) lateral(where []sqltree.Expr) ([]sqltree.Expr, error) {
	d := j.at.given
	j.rel = d.relation()
	for i, p := range j.all {
		for _, e := range p.equal {
			p.on = append(p.on, e.expr())
		}
		right := j.alone(p, true)
		var keys []colPair
		for k, col := range p.out.given {
			keys = append(keys, colPair{d.cols[k], col})
		}
		if err := j.attachLateral(p, right, keys); err != nil {
			return nil, err
		}
		if p.kind == Inner {
			where = append(where, p.on...)
		}
		after := j.all[i+1:]
		if slices.ContainsFunc(after, func(p *part) bool { return p.kind == Right }) {
			continue // it keeps rows that the WHERE may drop
		}
		later := func(c *sqltree.Column) bool { return among(after, c.Source) }
		var rest []sqltree.Expr
		for _, x := range where {
			if readsColumn(x, later) {
				rest = append(rest, x)
			} else if err := (&env{b: j.b, at: j.at, rel: j.rel}).where([]sqltree.Expr{x}); err != nil {
				return nil, err
			}
		}
		where = rest
	}
	return where, nil
}

// attachLateral joins a part to a relation that has the outer values; keys are
// those values on both sides, if the part has them.
func (j *joiner) attachLateral(p *part, right *relation, keys []colPair) (err error) {
	b, d := j.b, j.at.given
	switch p.kind {
	case Inner:
		j.rel = b.joinNullEqual(j.rel, right, keys, Inner)
	case Left:
		j.rel, err = j.outer(j.rel, right, Left, b.joinNullEqual, keys, p.on)
	case Right:
		// The part's rows are kept for all outer values, so that it comes first.
		kept := b.joinNullEqual(d.relation(), right, keys, Inner)
		own := newRelation(j.rel.step, append(slices.Clone(j.rel.sources), &sourceCols{cols: d.cols})...)
		keys = nil
		for _, col := range d.cols {
			keys = append(keys, colPair{col, col})
		}
		j.rel, err = j.outer(kept, own, Left, b.joinNullEqual, keys, p.on)
	default:
		return refuse("a FULL JOIN of what reads the query around it")
	}
	return err
}

// isLateral reports whether parts must be joined to the outer values one by one.
func (j *joiner) isLateral(inner bool) bool {
	if j.at.given == nil {
		return false
	}
	d := j.at.given.relation()
	return slices.ContainsFunc(j.all, func(p *part) bool {
		return p.out.given != nil || !inner && slices.ContainsFunc(p.on, d.reads)
	})
}

// number adds the number of each row to a relation.
func (b *builder) number(r *relation) Col {
	return r.window(b, &Window{Func: tools.RowNumber, From: None})
}

// projectSources takes the columns of sources, and one more, of a step.
func (b *builder) projectSources(step StepID, sources []*sourceCols, more Col) *relation {
	cols := []Col{more}
	for _, s := range sources {
		cols = append(cols, s.cols...)
	}
	return newRelation(b.add(&Project{In: step, Cols: distinctCols(cols), Limit: -1}), sources...)
}

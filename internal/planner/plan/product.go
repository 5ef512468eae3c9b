package plan

import (
	"slices"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// components splits tables, in the order in which they are connected, where one
// has no equality with those before it.
func components(tables []*part, eq []equality) [][]*part {
	var out [][]*part
	for i, p := range connected(tables, eq) {
		if i == 0 || !linked(p, slices.Concat(out...), eq) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], p)
	}
	return out
}

// readsOnly reports whether an expression reads columns of those parts and no
// others.
func readsOnly(x sqltree.Expr, parts []*part) bool {
	inside := func(c *sqltree.Column) bool { return among(parts, c.Source) }
	outside := func(c *sqltree.Column) bool { return !inside(c) }
	return readsColumn(x, inside) && !readsColumn(x, outside)
}

// isWorthwhile reports whether components are to be filtered and joined one by
// one: of two, each has its own conditions or an equality of expressions
// connects them; of more, one has.
func isWorthwhile(groups [][]*part, conditions []sqltree.Expr) bool {
	filtered := 0
	for i, g := range groups {
		own := func(x sqltree.Expr) bool { return readsOnly(x, g) }
		connects := func(x sqltree.Expr) bool {
			return i > 0 && expressionPair(x, slices.Concat(groups[:i]...), g) != nil
		}
		if slices.ContainsFunc(conditions, connects) {
			return true
		}
		if slices.ContainsFunc(conditions, own) {
			filtered++
		}
	}
	return filtered > 0 && (len(groups) > 2 || filtered == len(groups)) && len(groups) > 1
}

// products joins components that no equality of columns connects: each is
// filtered by its own conditions first, then they are joined by equalities of
// expressions where there are any. It returns the conditions that are left.
func (j *joiner) products(groups [][]*part, eq *[]equality, own map[*part][]equality, conditions []sqltree.Expr) ([]sqltree.Expr, error) {
	rels := make([]*relation, len(groups))
	for i, group := range groups {
		j.stageAll(group, eq, own)
		j.flush()
		var err error
		if conditions, err = j.filterOwn(j.rel, group, conditions); err != nil {
			return nil, err
		}
		rels[i] = j.rel
	}
	rel, parts := rels[0], groups[0]
	rels, groups = rels[1:], groups[1:]
	for len(groups) > 0 {
		next := max(0, slices.IndexFunc(groups, func(g []*part) bool {
			return slices.ContainsFunc(conditions, func(x sqltree.Expr) bool { return expressionPair(x, parts, g) != nil })
		}))
		keys, rest, err := j.expressionKeys(rel, rels[next], parts, groups[next], conditions)
		if err != nil {
			return nil, err
		}
		rel = j.b.joinRelations(rel, rels[next], keys, Inner)
		parts = append(slices.Clone(parts), groups[next]...)
		rels, groups = slices.Delete(rels, next, next+1), slices.Delete(groups, next, next+1)
		if conditions, err = j.filterOwn(rel, parts, rest); err != nil {
			return nil, err
		}
	}
	for _, p := range parts {
		i := slices.IndexFunc(rel.sources, func(s *sourceCols) bool { return s.of == p.of })
		p.src = rel.sources[i]
	}
	j.rel = rel
	return conditions, nil
}

// filterOwn filters a relation by the conditions that read nothing else, and
// returns the others.
func (j *joiner) filterOwn(rel *relation, parts []*part, conditions []sqltree.Expr) (rest []sqltree.Expr, err error) {
	var mine []sqltree.Expr
	for _, x := range conditions {
		if readsOnly(x, parts) {
			mine = append(mine, x)
		} else {
			rest = append(rest, x)
		}
	}
	return rest, (&env{b: j.b, at: j.at, rel: rel}).where(mine)
}

// expressionPair reads an equality of an expression over some parts with one
// over others; nil where it is none that a join step can compute.
func expressionPair(x sqltree.Expr, left, right []*part) *sqltree.Binary {
	c, ok := x.(*sqltree.Binary)
	if !ok || c.Op != sqltree.Equal || hasSubquery(x) || isRow(c.X) || isRow(c.Y) {
		return nil
	}
	switch {
	case readsOnly(c.X, left) && readsOnly(c.Y, right):
		return c
	case readsOnly(c.X, right) && readsOnly(c.Y, left):
		return &sqltree.Binary{Op: sqltree.Equal, X: c.Y, Y: c.X}
	}
	return nil
}

// expressionKeys derives the keys that two relations are joined on, and returns
// the conditions that they do not stand for.
func (j *joiner) expressionKeys(left, right *relation, leftParts, rightParts []*part, conditions []sqltree.Expr) (keys []colPair, rest []sqltree.Expr, err error) {
	for _, x := range conditions {
		pair := expressionPair(x, leftParts, rightParts)
		if pair == nil {
			rest = append(rest, x)
			continue
		}
		a, err := (&env{b: j.b, at: j.at, rel: left}).scalar(pair.X)
		if err != nil {
			return nil, nil, err
		}
		b, err := (&env{b: j.b, at: j.at, rel: right}).scalar(pair.Y)
		if err != nil {
			return nil, nil, err
		}
		l, r := (&env{b: j.b, rel: left}).columnOf(a), (&env{b: j.b, rel: right}).columnOf(b)
		if j.b.joins(l, r, x) {
			keys = append(keys, colPair{l, r})
		} else {
			rest = append(rest, x)
		}
	}
	return keys, rest, nil
}

// attachProduct joins a subquery that no equality connects, after the filters of
// both sides alone.
func (j *joiner) attachProduct(p *part, conditions []sqltree.Expr) ([]sqltree.Expr, error) {
	before := j.joined()
	rest, err := j.filterOwn(j.rel, before, conditions)
	if err != nil {
		return nil, err
	}
	right := j.alone(p, true)
	if rest, err = j.filterOwn(right, []*part{p}, rest); err != nil {
		return nil, err
	}
	keys, rest, err := j.expressionKeys(j.rel, right, before, []*part{p}, rest)
	if err != nil {
		return nil, err
	}
	j.rel = j.b.joinRelations(j.rel, right, keys, Inner)
	j.place(p, len(right.sources))
	return rest, nil
}

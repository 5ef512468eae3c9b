package plan

import (
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// equality is a conjunct that equates two plain columns.
type equality struct {
	left, right *sqltree.Column
	swapped     bool // the statement has the right side first
}

// sides reads an equality of two plain columns of the FROM clause.
func (j *joiner) sides(e sqltree.Expr) (equality, bool) {
	c, ok := e.(*sqltree.Binary)
	if !ok || c.Op != sqltree.Equal {
		return equality{}, false
	}
	l, lok := c.X.(*sqltree.Column)
	r, rok := c.Y.(*sqltree.Column)
	if !lok || !rok || j.owner(l) == nil || j.owner(r) == nil {
		return equality{}, false
	}
	return equality{left: l, right: r}, true
}

// owner returns the part that a plain column belongs to, or nil.
func (j *joiner) owner(c *sqltree.Column) *part {
	if c.State != sqltree.Bound || c.Alias != nil || c.Coalesced != nil || c.Index < 0 {
		return nil
	}
	for _, p := range j.all {
		if p.has(c.Source) {
			return p
		}
	}
	return nil
}

// ownEqualities takes out the ON conditions that equate two columns of one
// base table. They belong to the starting relation: such a table is as small
// as it gets before others are joined to it.
func (j *joiner) ownEqualities(on []sqltree.Expr) (own map[*part][]equality, rest []sqltree.Expr) {
	own = map[*part][]equality{}
	for _, e := range on {
		if x, ok := j.sides(e); ok && x.left.Source == x.right.Source && x.left.Source.Table != nil {
			own[j.owner(x.left)] = append(own[j.owner(x.left)], x)
		} else {
			rest = append(rest, e)
		}
	}
	return own, rest
}

// equalities splits conjuncts into equalities of plain columns of two
// different parts and the rest.
func (j *joiner) equalities(conj []sqltree.Expr) (eq []equality, rest []sqltree.Expr) {
	for _, e := range conj {
		if x, ok := j.sides(e); ok && j.owner(x.left) != j.owner(x.right) {
			eq = append(eq, x)
		} else {
			rest = append(rest, e)
		}
	}
	return eq, rest
}

// expr is the equality as a condition.
func (e equality) expr() sqltree.Expr {
	if e.swapped {
		return &sqltree.Binary{Op: sqltree.Equal, X: e.right, Y: e.left}
	}
	return &sqltree.Binary{Op: sqltree.Equal, X: e.left, Y: e.right}
}

// turnsCollation reports whether it matters that the sides are exchanged: the
// left side of = has the collation (datatype3.html, section 7.1).
func (e equality) turnsCollation() bool {
	return e.swapped && columnOf(e.left).Collation != columnOf(e.right).Collation
}

// splitKeys splits equalities into those that a join step of two relations
// computes and those that it would compare by another collation.
func (b *builder) splitKeys(left, right *relation, eq []equality) (keys []colPair, rest []sqltree.Expr) {
	for _, e := range eq {
		l, _ := left.find(e.left)
		r, _ := right.find(e.right)
		if x := e.expr(); b.joins(l, r, x) {
			keys = append(keys, colPair{l, r})
		} else {
			rest = append(rest, x)
		}
	}
	return keys, rest
}

func columnOf(c *sqltree.Column) sqltree.SourceColumn { return c.Source.Columns[c.Index] }

// connected orders tables so that, where possible, each has an equality with
// an earlier one.
func connected(tables []*part, eq []equality) []*part {
	var out []*part
	left := append([]*part{}, tables...)
	for len(left) > 0 {
		next := 0
		for i, p := range left {
			if len(out) == 0 || linked(p, out, eq) {
				next = i
				break
			}
		}
		out = append(out, left[next])
		left = append(left[:next:next], left[next+1:]...)
	}
	return out
}

func linked(p *part, before []*part, eq []equality) bool {
	for _, e := range eq {
		for _, o := range before {
			if p.has(e.left.Source) && o.has(e.right.Source) || p.has(e.right.Source) && o.has(e.left.Source) {
				return true
			}
		}
	}
	return false
}

// takeEqualities removes and returns those between p and the parts before it,
// with p on the right.
func takeEqualities(eq *[]equality, p *part, before []*part) []equality {
	var taken, kept []equality
	for _, e := range *eq {
		if p.has(e.left.Source) {
			e = equality{left: e.right, right: e.left, swapped: !e.swapped}
		}
		if p.has(e.right.Source) && among(before, e.left.Source) {
			taken = append(taken, e)
		} else {
			kept = append(kept, e)
		}
	}
	*eq = kept
	return taken
}

func among(parts []*part, s *sqltree.Source) bool {
	for _, p := range parts {
		if p.has(s) {
			return true
		}
	}
	return false
}

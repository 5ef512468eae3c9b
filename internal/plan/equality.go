package plan

import (
	"strings"

	"github.com/xwb1989/sqlparser"

	"github.com/birdcall/birdcall/internal/dialect"
)

// ownEqualities takes out the ON conditions that equate two columns of one
// base table. They belong to the starting relation: such a table is as small
// as it gets before others are joined to it.
func (j *joiner) ownEqualities(on []sqlparser.Expr) (own map[*part][]equality, rest []sqlparser.Expr) {
	own = map[*part][]equality{}
	for _, e := range on {
		if x, ok := j.sides(e); ok && x.left == x.right && x.left.table != nil {
			own[x.left] = append(own[x.left], x)
		} else {
			rest = append(rest, e)
		}
	}
	return own, rest
}

// equality is a conjunct that equates a column of one part with one of another.
type equality struct {
	left, right         *part
	leftName, rightName string
	swapped             bool // the statement has the right side first
}

// owner finds the one part that a name belongs to; n is its number of owners.
func (j *joiner) owner(n dialect.Name) (*part, int) {
	var owner *part
	found := 0
	for _, p := range j.all {
		if n.Table != "" && !strings.EqualFold(n.Table, p.alias) {
			continue
		}
		for _, c := range p.names {
			if strings.EqualFold(c, n.Column) && !(n.Table == "" && p.isMerged(n.Column)) {
				if found == 0 {
					owner = p
				}
				found++
				break
			}
		}
	}
	return owner, found
}

func (p *part) isMerged(column string) bool {
	for _, u := range p.using {
		if strings.EqualFold(u, column) {
			return true
		}
	}
	return false
}

// equalities splits conjuncts into equalities of plain columns of two
// different parts and the rest.
func (j *joiner) equalities(conj []sqlparser.Expr) (eq []equality, rest []sqlparser.Expr) {
	for _, e := range conj {
		if x, ok := j.equality(e); ok {
			eq = append(eq, x)
		} else {
			rest = append(rest, e)
		}
	}
	return eq, rest
}

func (j *joiner) equality(e sqlparser.Expr) (equality, bool) {
	x, ok := j.sides(e)
	return x, ok && x.left != x.right
}

// sides reads an equality of two plain columns.
func (j *joiner) sides(e sqlparser.Expr) (equality, bool) {
	c, ok := dialect.Bare(e).(*sqlparser.ComparisonExpr)
	if !ok || c.Operator != sqlparser.EqualStr {
		return equality{}, false
	}
	l, lok := dialect.Bare(c.Left).(*sqlparser.ColName)
	r, rok := dialect.Bare(c.Right).(*sqlparser.ColName)
	if !lok || !rok {
		return equality{}, false
	}
	ln, rn := dialect.NameOf(l), dialect.NameOf(r)
	lp, ln1 := j.owner(ln)
	rp, rn1 := j.owner(rn)
	if ln1 != 1 || rn1 != 1 {
		return equality{}, false
	}
	return equality{left: lp, right: rp, leftName: ln.Column, rightName: rn.Column}, true
}

// usingEqualities turns the USING columns of a part into equalities.
func (j *joiner) usingEqualities(p *part, before []*part) ([]equality, error) {
	var out []equality
	for _, u := range p.using {
		var owner *part
		for _, o := range before {
			if o.has(u) && !o.isMerged(u) {
				owner = o
				break
			}
		}
		if owner == nil || !p.has(u) {
			return nil, unsupported("USING", "no column %q on both sides of the join", u)
		}
		out = append(out, equality{left: owner, right: p, leftName: u, rightName: u})
	}
	return out, nil
}

func (p *part) has(column string) bool {
	for _, n := range p.names {
		if strings.EqualFold(n, column) {
			return true
		}
	}
	return false
}

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
			if e.left == p && e.right == o || e.right == p && e.left == o {
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
		if e.left == p {
			e = equality{left: e.right, right: e.left, leftName: e.rightName, rightName: e.leftName, swapped: !e.swapped}
		}
		if e.right == p && contains(before, e.left) {
			taken = append(taken, e)
		} else {
			kept = append(kept, e)
		}
	}
	*eq = kept
	return taken
}

func contains(ps []*part, p *part) bool {
	for _, x := range ps {
		if x == p {
			return true
		}
	}
	return false
}

var errCollation = unsupported("collation of a join", "the sides have different collations and cannot be written in the statement's order")

// turnsCollation reports whether it matters that the sides are exchanged: the
// left side of = has the collation (datatype3.html, section 7.1).
func (e equality) turnsCollation() bool {
	return e.swapped && e.left.collation(e.leftName) != e.right.collation(e.rightName)
}

// collation returns the collation of a column of a base table; that of a
// subquery's column is not known here and taken for BINARY.
func (p *part) collation(column string) string {
	if p.table != nil && p.table.Collations != nil {
		for i, n := range p.table.Columns {
			if strings.EqualFold(n, column) {
				return p.table.Collations[i]
			}
		}
	}
	return "BINARY"
}

// exact returns a column's name as the schema writes it.
func (p *part) exact(column string) string {
	for _, n := range p.names {
		if strings.EqualFold(n, column) {
			return n
		}
	}
	return column
}

func (p *part) mergedNames() map[string]bool {
	m := map[string]bool{}
	for _, u := range p.using {
		m[strings.ToLower(u)] = true
	}
	return m
}

package plan

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// part is one item of a FROM clause and how it joins what is before it: a
// source, or a join in parentheses that cannot be taken apart.
type part struct {
	of     *sqltree.Source
	nested *sqltree.Join
	kind   JoinKind
	on     []sqltree.Expr // conjuncts
	equal  []equality     // of USING and NATURAL
	out    output         // of a subquery
	rel    *relation      // of a nested join
	src    *sourceCols    // once it has a step
}

func (p *part) isTable() bool { return p.of != nil && p.of.Table != nil }

// has reports whether a source belongs to the part.
func (p *part) has(s *sqltree.Source) bool {
	if p.rel == nil {
		return p.of == s
	}
	return slices.ContainsFunc(p.rel.sources, func(own *sourceCols) bool { return own.of == s })
}

// flatten lists the items of a FROM clause from left to right.
func (b *builder) flatten(j *sqltree.Join) ([]*part, error) {
	if j == nil {
		return nil, nil
	}
	before, err := b.flatten(j.Left)
	if err != nil {
		return nil, err
	}
	if j.Missing != "" {
		return nil, unsupported("USING", "no column %q on both sides of the join", j.Missing)
	}
	kind := JoinKind(j.Kind)
	var right []*part
	switch {
	case j.Nested == nil:
		if err := plannable(j.Source); err != nil {
			return nil, err
		}
		right = []*part{{of: j.Source}}
	case len(j.Using) > 0 || j.Natural:
		return nil, unsupported("USING", "USING or NATURAL with a join in parentheses is not planned")
	case kind == Inner && j.Nested.OnlyInner():
		if right, err = b.flatten(j.Nested); err != nil {
			return nil, err
		}
	default:
		right = []*part{{nested: j.Nested}}
	}
	right[0].kind = kind
	for _, pair := range j.Equal {
		right[0].use(pair[0], pair[1])
	}
	// An inner condition may name any table of the right side.
	last := right[len(right)-1]
	last.on = append(last.on, sqltree.Conjuncts(j.On)...)
	return append(before, right...), nil
}

// use enters an equality of USING or NATURAL.
func (p *part) use(left, right *sqltree.Column) {
	if left.Coalesced != nil {
		p.on = append(p.on, &sqltree.Binary{Op: sqltree.Equal, X: left, Y: right})
		return
	}
	p.equal = append(p.equal, equality{left: left, right: right})
}

// keyedTable is the construct of tables of APIs that cannot be listed.
const keyedTable = "table with required keys"

// plannable refuses the sources that no calls stand for.
func plannable(s *sqltree.Source) error {
	switch {
	case s.Function:
		return plannableFunction(s)
	case s.CTE != nil && s.CTE.Recursive:
		return unsupported("recursive CTE", "%s refers to itself", s.CTE.Name)
	case s.Query == nil && s.Table == nil:
		return unsupported("unknown table", "the database has no table %q", s.TableName)
	case s.Table != nil && len(s.Table.Required) > 0:
		return unsupported(keyedTable, "the API of %s gives rows only for values of %s, and the tools read whole tables", s.Table.Name, strings.Join(s.Table.Required, ", "))
	}
	return nil
}

// from plans the FROM clause of an arm and the WHERE under it. Equalities of
// the WHERE that connect tables of an inner join are join conditions, as in
// SQLite. What is left of the WHERE is returned.
func (b *builder) from(s *sqltree.Select, where []sqltree.Expr, at around) (*relation, []sqltree.Expr, error) {
	parts, err := b.flatten(s.From)
	if err != nil {
		return nil, nil, err
	}
	return b.join(parts, where, at)
}

// join brings the parts of a FROM clause together, with the WHERE under it.
func (b *builder) join(parts []*part, where []sqltree.Expr, at around) (*relation, []sqltree.Expr, error) {
	if len(parts) > dialect.MaxTables {
		return nil, nil, unsupported("join", "more than %d tables in one FROM clause", dialect.MaxTables)
	}
	parts[0].kind = Inner // it joins nothing
	if slices.ContainsFunc(parts, (*part).isFunction) {
		return b.expand(parts, where, at)
	}
	j := &joiner{b: b, at: at}
	inner := true
	for _, p := range parts {
		if err := j.describe(p); err != nil {
			return nil, nil, err
		}
		inner = inner && p.kind == Inner
	}
	if j.isLateral(inner) {
		rest, err := j.lateral(where)
		return j.rel, rest, err
	}
	if inner {
		var on []sqltree.Expr
		for _, p := range parts {
			on = append(on, p.on...)
			p.on = nil
		}
		rest, err := j.inner(on, where)
		return j.rel, rest, err
	}
	return j.rel, where, j.inOrder()
}

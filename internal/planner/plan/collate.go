package plan

import (
	"strings"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
)

// comparing says how the tools compare a column: by its collation, which counts
// before another column's only if it is the column's own and not that of a
// computed one. SQLite's rules for expressions are sqltree.Collation's; where
// the two differ, a condition or a sort names the collation, and elsewhere the
// statement is refused.
type comparing struct {
	collation string // in upper case
	own       bool
}

// pairs is how the tools compare two columns.
func (c comparing) with(other comparing) comparing {
	if !c.own && other.own {
		return other
	}
	return c
}

// joins reports whether a join step compares two columns as an equality of SQL
// compares its sides.
func (b *builder) joins(left, right Col, equality sqltree.Expr) bool {
	x := equality.(*sqltree.Binary)
	want, _ := sqltree.Compared(x.X, x.Y)
	return b.compares[left].with(b.compares[right]).collation == want
}

// compared is how the tools compare an operand with others.
func (b *builder) compared(ops ...Operand) comparing {
	out := comparing{collation: sqltree.BinaryCollation}
	for _, o := range ops {
		if o.Kind == ColumnOf {
			out = out.with(b.compares[o.Col])
		}
	}
	return out
}

// collate has a condition compare its operands by the collation that the
// expressions bring.
func (e *env) collate(p *predicate, operands ...sqltree.Expr) *predicate {
	want, explicit := sqltree.Compared(operands...)
	have := e.b.compared(append([]Operand{{Kind: ColumnOf, Col: p.col}}, p.args...)...)
	if explicit || want != have.collation {
		p.collation = strings.ToLower(want)
	}
	return p
}

// collated returns a column with the values of an operand that the tools compare
// by the collation that its expression brings.
func (e *env) collated(op Operand, x sqltree.Expr) Operand {
	want := sqltree.BinaryCollation
	if x != nil {
		want, _ = sqltree.Compared(x)
	} else if op.Kind == ColumnOf {
		want = e.b.compares[op.Col].collation
	}
	if op.Kind != ColumnOf || e.b.compares[op.Col].collation == want {
		return op
	}
	return e.recollated(op.Col, want)
}

// recollated returns a column of the same values that the tools compare by
// another collation.
func (e *env) recollated(c Col, collation string) Operand {
	args := []Arg{{Name: toolname.ArgCollation, Values: []Operand{text(strings.ToLower(collation))}}}
	out := e.rel.add(e.b, tools.OpCollate, c, e.b.nameOf(c), args)
	e.b.compares[out] = comparing{collation: collation, own: true}
	return Operand{Kind: ColumnOf, Col: out}
}

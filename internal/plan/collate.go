package plan

import (
	"strings"

	"github.com/xwb1989/sqlparser"

	"github.com/birdcall/birdcall/internal/dialect"
)

// recollates reports whether a COLLATE makes values compare otherwise than
// their column does. What is made from columns is not known to have a collation
// (see builder.collation).
//
// Tools compare columns by the columns' own collations. Where only conditions
// and sorting are to take another one, the operand carries it there; elsewhere
// it is refused.
func (b *builder) recollates(op Operand) bool {
	if op.Collation == "" || op.Kind == ColumnOf && b.cols[op.Col].IsBase && strings.EqualFold(op.Collation, b.collation(op.Col)) {
		return false
	}
	return true
}

// checkCollation refuses result columns that are to be compared by a COLLATE of
// their own: under DISTINCT, in a set operation, or by a query around.
func (c *core) checkCollation(ops ...Operand) error {
	for _, op := range ops {
		switch {
		case c.q.inList && op.Collation != "":
			return unsupported("COLLATE in a subquery or compound", "a COLLATE in the column that IN compares with is not planned")
		case !c.b.recollates(op):
		case c.sel != nil && c.sel.Distinct != "":
			return unsupported("DISTINCT COLLATE", "telling rows apart by another collation is not planned")
		case c.q.compared:
			return unsupported("COLLATE in a subquery or compound", "a result column with another collation than its own is not planned where it is compared")
		}
	}
	return nil
}

// checkReach refuses expressions that are compared or sorted by and have a
// COLLATE somewhere within. SQLite lets it reach out of operators and functions
// to what compares them.
func checkReach(exprs ...sqlparser.Expr) error {
	for _, x := range exprs {
		if _, ok := dialect.Bare(x).(*sqlparser.CollateExpr); !ok && collates(x) {
			return unsupported("COLLATE within an expression", "COLLATE is planned where the whole side of a comparison, or a whole sort key, has it")
		}
	}
	return nil
}

// collates reports whether an expression passes a COLLATE on that is within. It
// does not look into conditions, which give numbers, nor into subqueries, which
// pass nothing on.
func collates(x sqlparser.Expr) bool {
	within := false
	_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *sqlparser.CollateExpr:
			within = true
		case *sqlparser.ComparisonExpr, *sqlparser.RangeCond, *sqlparser.IsExpr, *sqlparser.Subquery:
			return false, nil
		case *sqlparser.CaseExpr:
			for _, when := range n.Whens {
				within = within || collates(when.Val)
			}
			within = within || n.Else != nil && collates(n.Else)
			return false, nil
		}
		return !within, nil
	}, x)
	return within
}

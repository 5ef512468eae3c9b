package plan

import "strings"

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
		case !c.b.recollates(op):
		case c.sel != nil && c.sel.Distinct != "":
			return unsupported("DISTINCT COLLATE", "telling rows apart by another collation is not planned")
		case c.q.compared:
			return unsupported("COLLATE in a subquery or compound", "a result column with another collation than its own is not planned where it is compared")
		}
	}
	return nil
}

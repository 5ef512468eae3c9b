package randsql

import (
	"fmt"
	"slices"
)

// cuts are LIMIT and OFFSET after an ORDER BY of all columns. Those of wholeCuts keep
// all rows or none, so that they need no order.
var (
	cuts      = []string{" LIMIT 1", " LIMIT 3", " LIMIT 2 OFFSET 1", " LIMIT 1, 3", " LIMIT -1 OFFSET 2", " LIMIT -1 OFFSET 1", " LIMIT 1 OFFSET 0", " LIMIT 1 OFFSET 1", " LIMIT 2 OFFSET -1"}
	wholeCuts = []string{" LIMIT -1", " LIMIT 0", " LIMIT -1 OFFSET 0", " LIMIT 0 OFFSET 1", " LIMIT -5"}
)

// amongKeys draws whether a column is among the keys of a table, some of them or all.
func (g *gen) amongKeys(e *env) (string, bool) {
	t := pick(g, g.db.tables...)
	at := slices.IndexFunc(t.cols, func(c *column) bool { return c.key })
	if at < 0 {
		return "", false
	}
	c, ok := g.of(e, t.cols[at].kind)
	if !ok {
		return "", false
	}
	cut := pick(g, "", " ORDER BY 1"+pick(g, cuts...), pick(g, wholeCuts...))
	return fmt.Sprintf("%s %sIN (SELECT %s FROM %s%s)", c.sql, pick(g, "", "", "NOT "), quote(t.cols[at].name), quote(t.name), cut), true
}

package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/xwb1989/sqlparser"

	"github.com/birdcall/birdcall/internal/dialect"
)

// query is what surrounds a statement being planned: itself, the common table
// expressions in scope, and the statement it stands in.
type query struct {
	stmt  *dialect.Statement
	ctes  *cteScope
	outer *env
	// compared says that the result columns may be compared by their
	// collations.
	compared bool
	// inList says that IN compares with them, where even a COLLATE that names
	// their own collation counts.
	inList bool
}

// inner is the surroundings of a subquery of q.
func (q query) inner() query { return query{ctes: q.ctes, outer: q.outer} }

// cteScope is a chain of common table expressions, innermost first. outer is
// what the expression itself may refer to.
type cteScope struct {
	cte   dialect.CTE
	outer *cteScope
}

func (s *cteScope) find(name string) *cteScope {
	for ; s != nil; s = s.outer {
		if strings.EqualFold(s.cte.Name, name) {
			return s
		}
	}
	return nil
}

// maxNesting bounds subqueries within subqueries, and CTEs read by CTEs.
const maxNesting = 60

// statement plans one SELECT statement.
func (b *builder) statement(stmt *dialect.Statement, q query) (output, error) {
	if b.depth++; b.depth > maxNesting {
		return output{}, unsupported("nesting", "more than %d subqueries within one another", maxNesting)
	}
	defer func() { b.depth-- }()
	if err := b.spend(); err != nil {
		return output{}, err
	}
	q.stmt = stmt
	for _, c := range stmt.With {
		q.ctes = &cteScope{cte: c, outer: q.ctes}
	}
	limit, offset, err := limits(stmt)
	if err != nil {
		return output{}, err
	}
	if len(stmt.Cores) == 1 {
		c := &core{b: b, q: q, sel: stmt.Cores[0].Select, order: dialect.Orders(stmt.OrderBy), limit: limit, offset: offset}
		return c.plan()
	}
	return b.compound(stmt, q, limit, offset)
}

// compound plans arms joined by set operators, from left to right.
func (b *builder) compound(stmt *dialect.Statement, q query, limit, offset int) (output, error) {
	var left output
	all := func(c dialect.Core) bool { return c.Op == "" || c.Op == dialect.UnionAll }
	q.compared = q.compared || len(stmt.OrderBy) > 0 || slices.ContainsFunc(stmt.Cores, func(c dialect.Core) bool { return !all(c) })
	for i, c := range stmt.Cores {
		right, err := (&core{b: b, q: q, sel: c.Select, limit: -1}).plan()
		if err != nil {
			return output{}, err
		}
		right = b.projected(right)
		if i == 0 {
			left = right
			continue
		}
		if len(left.cols) != len(right.cols) {
			return output{}, unsupported("compound", "the arms have %d and %d columns", len(left.cols), len(right.cols))
		}
		if len(distinctCols(left.cols)) != len(left.cols) {
			return output{}, unsupported("compound", "an arm names one column twice")
		}
		left.step = b.add(&SetOp{A: left.step, B: right.step, Op: strings.ToLower(strings.ReplaceAll(string(c.Op), " ", "_"))})
		if c.Op != dialect.UnionAll {
			b.leaveOpen(Choice{Kind: Equal, Step: left.step, Column: None})
		}
		left.order, left.oneRow = nil, false
	}
	rel := &relation{step: left.step, derived: map[string]Col{}, sources: []*source{{names: left.names, cols: left.cols}}}
	e := &env{b: b, q: q, rel: rel}
	c := &core{b: b, q: q, order: dialect.Orders(stmt.OrderBy), limit: limit, offset: offset, compound: true}
	for i, n := range left.names {
		c.items = append(c.items, item{operand: Operand{Kind: ColumnOf, Col: left.cols[i]}, name: n})
	}
	keys, err := c.sort(e)
	if err != nil {
		return output{}, err
	}
	if limit < 0 && offset == 0 && len(keys) == 0 {
		return left, nil
	}
	return c.finish(e, left.cols, left.names, keys, false)
}

// core is one SELECT core with the ORDER BY and LIMIT that apply to it.
type core struct {
	b             *builder
	q             query
	sel           *sqlparser.Select
	order         []dialect.Order
	limit, offset int
	compound      bool

	items []item
}

// item is one result column.
type item struct {
	expr    sqlparser.Expr // nil for a column that * stands for
	alias   string         // as written with AS
	text    string         // of expr, for recognizing the same one
	name    string
	operand Operand // once planned, or for *
}

func (c *core) plan() (output, error) {
	var where []sqlparser.Expr
	if c.sel.Where != nil {
		where = conjuncts(c.sel.Where.Expr, nil)
	}
	e := &env{b: c.b, q: c.q}
	if !fromNothing(c.sel.From) {
		rel, rest, err := c.b.from(c.sel.From, where, c.q)
		if err != nil {
			return output{}, err
		}
		e.rel, where = rel, rest
	}
	if err := c.expand(e); err != nil {
		return output{}, err
	}
	e.aliases = c.items
	if e.rel == nil {
		return c.planBare(e, where)
	}
	if err := e.where(where); err != nil {
		return output{}, err
	}
	if c.aggregated() {
		return c.planAggregate(e)
	}
	if c.sel.Having != nil {
		return output{}, unsupported("HAVING", "HAVING on a query that does not aggregate")
	}
	return c.planRows(e)
}

// fromNothing reports whether the statement has no FROM clause.
func fromNothing(t sqlparser.TableExprs) bool {
	a, ok := t[0].(*sqlparser.AliasedTableExpr)
	if !ok {
		return false
	}
	n, ok := a.Expr.(sqlparser.TableName)
	return ok && len(t) == 1 && n.Name.String() == "dual" && a.As.IsEmpty()
}

// expand lists the result columns, with those that * stands for.
func (c *core) expand(e *env) error {
	for _, s := range c.sel.SelectExprs {
		switch s := s.(type) {
		case *sqlparser.StarExpr:
			if e.rel == nil {
				return unsupported("SELECT *", "there is no table to take columns from")
			}
			cols, names := e.rel.star(s.TableName.Name.String())
			if len(cols) == 0 {
				return unsupported("unknown table", "no table %q in FROM", s.TableName.Name.String())
			}
			for i := range cols {
				c.items = append(c.items, item{name: names[i], operand: Operand{Kind: ColumnOf, Col: cols[i]}})
			}
		case *sqlparser.AliasedExpr:
			it := item{expr: dialect.Bare(s.Expr), alias: s.As.String(), name: s.As.String()}
			if col, ok := it.expr.(*sqlparser.ColName); ok && it.name == "" {
				it.name = dialect.NameOf(col).Column
			}
			it.text = textOf(it.expr)
			c.items = append(c.items, it)
		}
		if len(c.items) > dialect.MaxColumns {
			return unsupported("SELECT", "more than %d result columns", dialect.MaxColumns)
		}
	}
	return nil
}

// planBare plans a SELECT without FROM: one row of constants and subqueries.
// The first subquery's one row is the relation that the rest is derived on.
func (c *core) planBare(e *env, where []sqlparser.Expr) (output, error) {
	if len(where) > 0 || len(c.sel.GroupBy) > 0 || c.sel.Having != nil {
		return output{}, unsupported("SELECT without FROM", "WHERE, GROUP BY or HAVING without a table")
	}
	base, err := c.oneRow(e)
	if err != nil {
		return output{}, err
	}
	e.rel = &relation{step: base.Step, derived: map[string]Col{}}
	e.first = base
	if len(c.items) == 1 {
		op, err := e.scalar(c.items[0].expr)
		if err != nil {
			return output{}, err
		}
		if err := c.checkCollation(op); err != nil {
			return output{}, err
		}
		if op.Kind == Result {
			op = e.single(op)
			return c.cut(output{step: op.Step, cols: []Col{op.Col}, names: []string{c.items[0].name}, oneRow: true, complete: true})
		}
	}
	cols, names, err := c.columns(e)
	if err != nil {
		return output{}, err
	}
	return c.cut(output{step: e.rel.step, cols: cols, names: names, oneRow: true})
}

// oneRow is a result of one row to derive from: that of the first subquery,
// else the number of rows of some table.
func (c *core) oneRow(e *env) (Operand, error) {
	if first := c.firstSubquery(); first != nil {
		base, err := e.subquery(first)
		if err != nil {
			return Operand{}, err
		}
		return e.single(base), nil
	}
	t := e.b.cat.First()
	if t == nil {
		return Operand{}, unsupported("SELECT without FROM", "the database has no table to start from")
	}
	return e.countRows(e.b.add(&Start{Tables: []StartTable{{Alias: t.Name, Name: t.Name}}})), nil
}

// firstSubquery returns the first subquery that is used as a value.
func (c *core) firstSubquery() *sqlparser.Subquery {
	var first *sqlparser.Subquery
	for _, it := range c.items {
		_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
			switch n := n.(type) {
			case *sqlparser.ExistsExpr:
				return false, nil
			case *sqlparser.ComparisonExpr:
				if n.Operator == sqlparser.InStr || n.Operator == sqlparser.NotInStr {
					return false, nil
				}
			case *sqlparser.Subquery:
				if first == nil {
					first = n
				}
				return false, nil
			}
			return first == nil, nil
		}, it.expr)
	}
	return first
}

// planRows plans a query without aggregates.
func (c *core) planRows(e *env) (output, error) {
	cols, names, err := c.columns(e)
	if err != nil {
		return output{}, err
	}
	distinct, grouped := c.sel.Distinct != "", false
	if distinct && c.sortsBeyond() {
		if err := c.distinctBefore(e, cols); err != nil {
			return output{}, err
		}
		distinct, grouped = false, true
	}
	keys, err := c.sort(e)
	if err != nil {
		return output{}, err
	}
	out, err := c.finish(e, cols, names, keys, distinct)
	out.grouped = grouped && !out.complete
	return out, err
}

// columns plans the result columns as columns of the relation.
func (c *core) columns(e *env) (cols []Col, names []string, err error) {
	for i := range c.items {
		it := &c.items[i]
		if it.expr != nil {
			if it.operand, err = e.scalar(it.expr); err != nil {
				return nil, nil, err
			}
			it.operand = Operand{Kind: ColumnOf, Col: e.columnNamed(it.operand, it.alias), Collation: it.operand.Collation}
		} else if e.group != nil {
			e.group.read(e, it.operand.Col)
		}
		if err := c.checkCollation(it.operand); err != nil {
			return nil, nil, err
		}
		cols, names = append(cols, it.operand.Col), append(names, it.name)
	}
	return cols, names, nil
}

func containsCol(cols []Col, c Col) bool {
	for _, x := range cols {
		if x == c {
			return true
		}
	}
	return false
}

// hint makes a word for a derived column from what it is derived from.
func (e *env) hint(from Operand, op string) string {
	if from.Kind == ColumnOf {
		return e.b.nameOf(from.Col)
	}
	return fmt.Sprintf("%s_value", op)
}

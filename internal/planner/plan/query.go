package plan

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/tools"
)

// around is what surrounds a statement being planned.
type around struct {
	outer *env // where the statement is a subquery
	// given are the outer values that the statement is planned for: see
	// dependence. It is nil for a statement that reads none.
	given *dependence
}

// maxNesting bounds subqueries within subqueries, and CTEs read by CTEs.
const maxNesting = 60

// statement plans one SELECT statement.
func (b *builder) statement(q *sqltree.Query, at around) (output, error) {
	if b.depth++; b.depth > maxNesting {
		return output{}, unsupported("nesting", "more than %d subqueries within one another", maxNesting)
	}
	defer func() { b.depth-- }()
	if err := b.spend(); err != nil {
		return output{}, err
	}
	if len(q.Outer) == 0 {
		at.given = nil
	} else if at.given == nil {
		return output{}, refuse("it reads %s of the query around it", q.Outer[0].Name)
	}
	limit, offset, err := limits(q)
	if err != nil {
		return output{}, err
	}
	if len(q.Arms) == 1 {
		return (&core{b: b, at: at, sel: q.Arms[0], order: q.OrderBy, limit: limit, offset: offset}).plan()
	}
	return b.compound(q, at, limit, offset)
}

// compound plans arms joined by set operators, from left to right.
func (b *builder) compound(q *sqltree.Query, at around, limit, offset int) (output, error) {
	var left output
	for i, s := range q.Arms {
		right, err := (&core{b: b, at: at, sel: s, limit: -1}).plan()
		if err != nil {
			return output{}, err
		}
		if right = b.arm(q, i, right); i == 0 {
			left = right
			continue
		}
		if len(left.cols) != len(right.cols) {
			return output{}, unsupported("compound", "the arms have %d and %d columns", len(left.cols), len(right.cols))
		}
		op := tools.SetOperation(strings.ToLower(strings.ReplaceAll(string(s.Op), " ", "_")))
		left.step = b.add(&SetOp{A: left.step, B: right.step, Op: op})
		if s.Op != dialect.UnionAll {
			b.leaveOpen(Choice{Kind: Equal, Step: left.step, Column: None})
		}
		left.order, left.oneRow = nil, false
	}
	rel := newRelation(left.step)
	e := &env{b: b, at: at, rel: rel, given: left.given}
	c := &core{b: b, at: at, order: q.OrderBy, limit: limit, offset: offset, compound: true, given: left.given}
	for i, n := range left.names {
		c.items = append(c.items, item{operand: Operand{Kind: ColumnOf, Col: left.cols[i]}, name: n, compared: compoundItems(q, i)})
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

// compoundItems are a column's expressions in all arms: the first that has a
// collation gives it to the compound (lang_select.html, section 3).
func compoundItems(q *sqltree.Query, n int) []sqltree.Expr {
	var out []sqltree.Expr
	for _, s := range q.Arms {
		if n < len(s.Items) {
			out = append(out, s.Items[n].Expr)
		}
	}
	return out
}

// arm makes a plain relation of an arm's columns, as the compound compares them.
// A column that is there twice is copied.
func (b *builder) arm(q *sqltree.Query, n int, o output) output {
	e := &env{b: b, rel: newRelation(o.step)}
	cols, seen := slices.Clone(o.cols), map[Col]bool{}
	for _, c := range o.given {
		seen[c] = true
	}
	for i, c := range cols {
		if want, turned := b.collationOfArms(q, i, c); n == 0 && turned {
			c = e.recollated(c, want).Col
		}
		if seen[c] {
			c = e.copied(c)
		}
		cols[i], seen[c] = c, true
	}
	if e.rel.step != o.step {
		o.step, o.cols, o.complete = e.rel.step, cols, false
	}
	return b.projected(o)
}

// collationOfArms is the collation by which a compound compares rows, and
// whether the tools, which take that of the first arm's column if it is its own,
// would take another.
func (b *builder) collationOfArms(q *sqltree.Query, n int, first Col) (want string, turned bool) {
	all := func(s *sqltree.Select) bool { return s.Op == "" || s.Op == dialect.UnionAll }
	if !slices.ContainsFunc(q.Arms, func(s *sqltree.Select) bool { return !all(s) }) {
		return "", false
	}
	items := compoundItems(q, n)
	want = sqltree.FirstCollation(items...)
	other := func(x sqltree.Expr) bool {
		name, _ := sqltree.Collation(x)
		return name != "" && name != want
	}
	have := b.compares[first]
	return want, want != have.collation || !have.own && slices.ContainsFunc(items, other)
}

// copied makes one more column of the values of another, whatever was copied
// before.
func (e *env) copied(c Col) Col {
	b := e.b
	s := &Derive{In: e.rel.step, From: c, Op: tools.OpCopy, Out: b.sameAs(c)}
	e.rel.step = StepID(len(b.steps))
	b.steps = append(b.steps, s)
	return s.Out
}

// core is one arm with the ORDER BY and LIMIT that apply to it.
type core struct {
	b             *builder
	at            around
	sel           *sqltree.Select
	order         []*sqltree.Order
	limit, offset int
	compound      bool

	items []item
	given []Col // the columns of the outer values in the relation
}

// item is one result column.
type item struct {
	expr    sqltree.Expr // nil for a column that * stands for
	alias   string       // as written with AS, or ""
	name    string
	operand Operand // once planned, or for *
	// compared are the expressions of the column by which it is sorted.
	compared []sqltree.Expr
}

func (c *core) plan() (output, error) {
	where := sqltree.Conjuncts(c.sel.Where)
	e := &env{b: c.b, at: c.at}
	if c.sel.From != nil {
		rel, rest, err := c.b.from(c.sel, where, c.at)
		if err != nil {
			return output{}, err
		}
		e.rel, where = rel, rest
	}
	if c.at.given != nil {
		return c.planGiven(e, where)
	}
	if err := c.expand(e); err != nil {
		return output{}, err
	}
	if e.rel == nil {
		return c.planBare(e, where)
	}
	return c.planFrom(e, where)
}

// planFrom plans what is computed of the rows of FROM.
func (c *core) planFrom(e *env, where []sqltree.Expr) (output, error) {
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

// expand lists the result columns.
func (c *core) expand(e *env) error {
	for _, star := range c.sel.Stars {
		switch {
		case star.Count > 0:
		case c.sel.From == nil:
			return unsupported("SELECT *", "there is no table to take columns from")
		default:
			return unsupported("unknown table", "no table %q in FROM", star.Table)
		}
	}
	for _, it := range c.sel.Items {
		own := item{expr: it.Expr, alias: it.Alias, name: it.Name, compared: []sqltree.Expr{it.Expr}}
		if col, ok := it.Expr.(*sqltree.Column); ok && it.Star && col.Coalesced == nil {
			found, _ := e.rel.find(col)
			own.expr, own.alias, own.operand = nil, "", Operand{Kind: ColumnOf, Col: found}
		}
		c.items = append(c.items, own)
	}
	return nil
}

// planBare plans a SELECT without FROM: one row of constants and subqueries.
// The first subquery's one row is the relation that the rest is derived on.
func (c *core) planBare(e *env, where []sqltree.Expr) (output, error) {
	base, err := c.oneRow(e)
	if err != nil {
		return output{}, err
	}
	e.rel = newRelation(base.Step)
	e.first = base
	if len(where) > 0 || c.aggregated() {
		return c.planFrom(e, where)
	}
	if c.sel.Having != nil {
		return output{}, unsupported("HAVING", "HAVING on a query that does not aggregate")
	}
	if len(c.items) == 1 {
		op, err := e.scalar(c.items[0].expr)
		if err != nil {
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
	for _, t := range e.b.schema.Tables {
		if !t.View {
			return e.countRows(e.b.add(&Start{Tables: []StartTable{{Alias: t.Name, Name: t.Name}}})), nil
		}
	}
	return Operand{}, unsupported("SELECT without FROM", "the database has no table to start from")
}

// firstSubquery returns the first subquery that is used as a value.
func (c *core) firstSubquery() *sqltree.Subquery {
	var first *sqltree.Subquery
	for _, it := range c.items {
		sqltree.Walk(it.expr, func(x sqltree.Expr) bool {
			switch x := x.(type) {
			case *sqltree.In:
				return false
			case *sqltree.Subquery:
				if first == nil && len(x.Query.Columns) == 1 {
					first = x
				}
			}
			return first == nil
		})
	}
	return first
}

// planRows plans a query without aggregates.
func (c *core) planRows(e *env) (output, error) {
	cols, names, err := c.columns(e)
	if err != nil {
		return output{}, err
	}
	distinct, grouped := c.sel.Distinct, false
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
			it.operand = Operand{Kind: ColumnOf, Col: e.columnOf(it.operand)}
			if col := &e.b.cols[it.operand.Col]; col.Alias == "" && !col.IsBase {
				col.Alias = it.alias
			}
		} else if e.group != nil {
			e.group.read(e, it.operand.Col)
		}
		if c.sel.Distinct {
			it.operand = e.collated(it.operand, it.compared[0])
		}
		cols, names = append(cols, it.operand.Col), append(names, it.name)
	}
	return cols, names, nil
}

// hint makes a word for a derived column from what it is derived from.
func (e *env) hint(from Operand, op tools.Operation) string {
	if from.Kind == ColumnOf {
		return e.b.nameOf(from.Col)
	}
	return string(op) + "_value"
}

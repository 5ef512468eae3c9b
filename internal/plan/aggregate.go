package plan

import (
	"fmt"
	"slices"

	"github.com/xwb1989/sqlparser"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/pkg/value"
)

// isAggregate reports whether a call is of an aggregate function. min and max
// of several arguments are scalar.
func isAggregate(f *sqlparser.FuncExpr) bool {
	if aggregates[f.Name.Lowered()] == "" {
		return false
	}
	args, star := dialect.Args(f)
	switch f.Name.Lowered() {
	case "min", "max":
		return len(args) == 1
	}
	return star || len(args) <= 2
}

// aggregateCall reads a call of an aggregate with its FILTER, if x is one.
func aggregateCall(x sqlparser.Expr) (f *sqlparser.FuncExpr, filter sqlparser.Expr, ok bool) {
	if f, cond, ok := dialect.AsFilter(x); ok {
		return f, cond, true
	}
	f, ok = x.(*sqlparser.FuncExpr)
	return f, nil, ok && isAggregate(f)
}

// aggregatesIn calls visit for each aggregate call in an expression, outermost
// only. What a window function is computed over is looked into, the window
// function itself is no aggregate.
func aggregatesIn(x sqlparser.Expr, visit func(sqlparser.Expr)) {
	_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
		e, ok := n.(sqlparser.Expr)
		if !ok {
			return true, nil
		}
		if w, ok := dialect.AsWindow(e); ok {
			args, _ := dialect.Args(w.Func)
			args = append(args, w.Partition...)
			for _, o := range w.Order {
				args = append(args, o.Expr)
			}
			for _, a := range args {
				aggregatesIn(a, visit)
			}
			return false, nil
		}
		if _, _, ok := aggregateCall(e); ok {
			visit(e)
			return false, nil
		}
		return true, nil
	}, x)
}

// exprs lists every expression of the core in which an aggregate may stand.
func (c *core) exprs() []sqlparser.Expr {
	var out []sqlparser.Expr
	for _, it := range c.items {
		if it.expr != nil {
			out = append(out, it.expr)
		}
	}
	if c.sel.Having != nil {
		out = append(out, c.sel.Having.Expr)
	}
	for _, o := range c.order {
		out = append(out, o.Expr)
	}
	return out
}

func (c *core) calls() []sqlparser.Expr {
	var calls []sqlparser.Expr
	for _, x := range c.exprs() {
		aggregatesIn(x, func(f sqlparser.Expr) { calls = append(calls, f) })
	}
	return calls
}

func (c *core) aggregated() bool { return len(c.sel.GroupBy) > 0 || len(c.calls()) > 0 }

// grouping is the state of planning an aggregate query.
type grouping struct {
	results map[string]Operand // aggregate calls and grouping expressions, by text
	step    StepID             // the group
	keys    []Col
	free    bool // reading a column that is no key is recorded as a choice
}

func (g *grouping) known(x sqlparser.Expr) (Operand, bool) {
	op, ok := g.results[textOf(x)]
	return op, ok
}

// read notes that a column of the rows is read after grouping.
func (g *grouping) read(e *env, c Col) {
	switch {
	case !g.free:
	case containsCol(g.keys, c):
		e.b.leaveOpen(Choice{Kind: Equal, Step: g.step, Column: c})
	default:
		e.b.leaveOpen(Choice{Kind: Bare, Step: g.step, Column: c})
	}
}

func (c *core) planAggregate(e *env) (output, error) {
	if len(c.sel.GroupBy) == 0 && c.sel.Having == nil && len(c.items) == 1 && c.items[0].expr != nil {
		if out, ok, err := c.planValue(e); ok || err != nil {
			return out, err
		}
	}
	return c.planGroups(e)
}

// planValue plans a query whose answer is one value: each aggregate is a
// result of its own, and the expression is derived from the results.
func (c *core) planValue(e *env) (output, bool, error) {
	g := &grouping{results: map[string]Operand{}}
	rows := &env{b: e.b, q: e.q, rel: e.rel, aliases: e.aliases}
	for _, call := range c.callsIn(c.items[0].expr) {
		op, err := rows.aggregateValue(call)
		if err != nil {
			return output{}, false, err
		}
		g.results[textOf(call)] = op
	}
	over := &env{b: e.b, q: e.q, aliases: e.aliases, group: g}
	op, ok := over.valueOf(c.items[0].expr, e.rel)
	if !ok {
		return output{}, false, nil // a bare column, say: plan with a group
	}
	if err := c.checkCollation(op); err != nil {
		return output{}, false, err
	}
	op = over.single(op)
	out, err := c.cut(output{step: op.Step, cols: []Col{op.Col}, names: []string{c.items[0].name}, oneRow: true, complete: true})
	return out, true, err
}

// valueOf plans an expression over results; ok is false where it is no result,
// or reads a bare column, or needs rows to be derived on.
func (e *env) valueOf(x sqlparser.Expr, rel *relation) (op Operand, ok bool) {
	bare := false
	_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
		if x, ok := n.(sqlparser.Expr); ok {
			if _, ok := e.group.known(x); ok {
				return false, nil
			}
			if c, ok := x.(*sqlparser.ColName); ok {
				n := dialect.NameOf(c)
				if _, found := rel.find(n); found > 0 || rel.hides(n) {
					bare = true
				}
			}
		}
		return true, nil
	}, x)
	if bare {
		return Operand{}, false
	}
	op, err := e.scalar(x)
	return op, err == nil && op.Kind == Result
}

func (c *core) callsIn(x sqlparser.Expr) (calls []sqlparser.Expr) {
	aggregatesIn(x, func(f sqlparser.Expr) { calls = append(calls, f) })
	return calls
}

// aggregateValue computes one aggregate of the relation as a result.
func (e *env) aggregateValue(call sqlparser.Expr) (Operand, error) {
	f, filter, _ := aggregateCall(call)
	back := e.rel.step
	if filter != nil {
		if err := e.where(conjuncts(filter, nil)); err != nil {
			return Operand{}, err
		}
	}
	s, err := e.aggregate(f)
	if err != nil {
		return Operand{}, err
	}
	s.In = e.rel.step
	if filter != nil {
		e.rel.step = back
		e.rel.derived = map[string]Col{}
	}
	return e.result(s), nil
}

func (e *env) result(s *Aggregate) Operand {
	b := e.b
	id := b.addMaking(fmt.Sprintf("Aggregate%+v", *s), func() Step {
		s.Out = b.column(s.Func)
		return s
	})
	return Operand{Kind: Result, Step: id, Col: b.steps[id].(*Aggregate).Out, OneRow: true}
}

// countRows counts a relation's rows.
func (e *env) countRows(in StepID) Operand {
	return e.result(&Aggregate{In: in, From: None, Func: "count"})
}

// aggregate plans a call's argument on the rows and describes the step.
func (e *env) aggregate(f *sqlparser.FuncExpr) (*Aggregate, error) {
	s := &Aggregate{From: None, Func: aggregates[f.Name.Lowered()], Distinct: f.Distinct}
	args, star := dialect.Args(f)
	if s.Func == "" {
		return nil, unsupported("aggregate", "%s is no aggregate function", f.Name.String())
	}
	if star || len(args) == 0 {
		if s.Func != "count" {
			return nil, unsupported("aggregate", "%s(*) is not planned", f.Name.String())
		}
		return s, nil
	}
	op, err := e.scalar(args[0])
	if err != nil {
		return nil, err
	}
	if (s.Distinct || s.Func == "min" || s.Func == "max") && e.b.recollates(op) {
		return nil, unsupported("COLLATE in an aggregate", "%s() by another collation is not planned", f.Name.String())
	}
	if op.Kind == Constant && s.Func == "count" && !op.Value.IsNull() && !s.Distinct {
		return s, nil // count(1) counts rows
	}
	if len(args) == 2 {
		sep, err := e.scalar(args[1])
		if err != nil {
			return nil, err
		}
		if sep.Kind != Constant || s.Func != "concat" {
			return nil, unsupported("aggregate", "a second argument of %s that is no constant", f.Name.String())
		}
		s.Separator = &Operand{Kind: Constant, Value: value.Str(value.AsText(sep.Value))}
	}
	s.From = e.columnOf(plain(op))
	return s, nil
}

// planGroups plans GROUP BY, or an aggregate query of several columns as one
// group of all rows.
func (c *core) planGroups(e *env) (output, error) {
	g := &grouping{results: map[string]Operand{}}
	rows := &env{b: e.b, q: e.q, rel: e.rel, aliases: e.aliases}
	for _, x := range c.sel.GroupBy {
		op, err := c.groupTerm(rows, x)
		if err != nil {
			return output{}, err
		}
		if op.Kind == Constant {
			continue
		}
		col := rows.columnOf(op)
		if !containsCol(g.keys, col) {
			g.keys = append(g.keys, col)
		}
		term := dialect.Bare(x)
		if it := c.ordinal(term); it != nil {
			term = it.expr
		}
		if _, isName := term.(*sqlparser.ColName); !isName && term != nil {
			g.results[textOf(term)] = Operand{Kind: ColumnOf, Col: col}
		}
	}
	if len(c.sel.GroupBy) > 0 && len(g.keys) == 0 {
		// Constants group all rows, but no rows give no group.
		g.keys = []Col{rows.columnOf(constant(value.Int(1)))}
	}
	steps, extremes, err := c.argumentsOf(rows)
	if err != nil {
		return output{}, err
	}
	e.rel.step = e.b.add(&Group{In: rows.rel.step, Keys: g.keys})
	e.rel.derived = map[string]Col{}
	g.step = e.rel.step
	if len(extremes) == 1 && c.readsBare(e, g) {
		// The row of the one min() or max() gives the bare columns.
		s := steps[extremes[0]]
		e.rel.step = e.b.add(&Pick{In: e.rel.step, From: s.From, Max: s.Func == "max"})
	}
	seen := map[string]bool{}
	for _, call := range c.calls() {
		key := textOf(call)
		if seen[key] {
			continue
		}
		seen[key] = true
		s := *steps[key]
		s.In, s.Grouped = e.rel.step, true
		id := e.b.addMaking(fmt.Sprintf("Aggregate%+v", s), func() Step {
			s.Out = e.b.column(s.Func)
			return &s
		})
		e.rel.step = id
		g.results[key] = Operand{Kind: ColumnOf, Col: e.b.steps[id].(*Aggregate).Out}
	}
	over := &env{b: e.b, q: e.q, rel: e.rel, aliases: e.aliases, group: g}
	g.free = true
	if c.sel.Having != nil {
		if err := over.where(conjuncts(c.sel.Having.Expr, nil)); err != nil {
			return output{}, err
		}
	}
	return c.planOver(over)
}

// planOver plans the result columns, ORDER BY and LIMIT over groups.
func (c *core) planOver(over *env) (output, error) {
	cols, names, err := c.columns(over)
	if err != nil {
		return output{}, err
	}
	distinct := c.sel.Distinct != ""
	if distinct && c.sortsBeyond() {
		distinct = false
		// Rows that show all that they are grouped by are distinct already.
		hidden := func(key Col) bool { return !containsCol(cols, key) }
		if slices.ContainsFunc(over.group.keys, hidden) {
			if err := c.distinctBefore(over, cols); err != nil {
				return output{}, err
			}
		}
	}
	keys, err := c.sort(over)
	if err != nil {
		return output{}, err
	}
	out, err := c.finish(over, cols, names, keys, distinct)
	out.grouped = !out.complete
	out.oneRow = len(over.group.keys) == 0 && c.sel.Having == nil && c.limit != 0 && c.offset == 0
	return out, err
}

// groupTerm plans one term of GROUP BY: a result column's number, a column, or
// an expression (in which an alias may stand where no column has its name).
func (c *core) groupTerm(e *env, x sqlparser.Expr) (Operand, error) {
	if v, ok := dialect.Bare(x).(*sqlparser.SQLVal); ok && v.Type == sqlparser.IntVal {
		it := c.ordinal(x)
		if it == nil {
			return Operand{}, unsupported("GROUP BY", "there is no result column %s", v.Val)
		}
		if it.expr == nil {
			return it.operand, nil
		}
		x = it.expr
	}
	if err := checkReach(x); err != nil {
		return Operand{}, err
	}
	op, err := e.scalar(x)
	if err == nil && op.Kind != Constant && e.b.recollates(op) {
		err = unsupported("GROUP BY COLLATE", "grouping by another collation is not planned")
	}
	return op, err
}

// argumentsOf plans the arguments of all aggregates on the rows, before they
// are grouped. extremes are the min and max calls.
func (c *core) argumentsOf(rows *env) (steps map[string]*Aggregate, extremes []string, err error) {
	steps = map[string]*Aggregate{}
	for _, call := range c.calls() {
		key := textOf(call)
		if steps[key] != nil {
			continue
		}
		f, filter, _ := aggregateCall(call)
		s, err := rows.aggregate(f)
		if err != nil {
			return nil, nil, err
		}
		if filter != nil {
			// Rows that the filter leaves out count as NULL, which no
			// aggregate looks at.
			then := constant(value.Int(1))
			if s.From != None {
				then = Operand{Kind: ColumnOf, Col: s.From}
			}
			op, err := rows.caseOf(filter, then, constant(value.NullValue()))
			if err != nil {
				return nil, nil, err
			}
			s.From = op.Col
		}
		steps[key] = s
		if s.Func == "min" || s.Func == "max" {
			extremes = append(extremes, key)
		}
	}
	return steps, extremes, nil
}

// readsBare reports whether a result column or sort key reads a column that is
// neither a grouping key nor inside an aggregate.
func (c *core) readsBare(e *env, g *grouping) bool {
	calls := map[string]bool{}
	for _, x := range c.calls() {
		calls[textOf(x)] = true
	}
	bare := false
	for _, x := range c.exprs() {
		_ = sqlparser.Walk(func(n sqlparser.SQLNode) (bool, error) {
			x, ok := n.(sqlparser.Expr)
			if !ok {
				return true, nil
			}
			if _, known := g.known(x); known || calls[textOf(x)] {
				return false, nil
			}
			if col, ok := x.(*sqlparser.ColName); ok {
				if c, found := e.rel.find(dialect.NameOf(col)); found == 1 && !containsCol(g.keys, c) {
					bare = true
				}
			}
			return true, nil
		}, x)
	}
	for _, it := range c.items {
		if it.expr == nil && !containsCol(g.keys, it.operand.Col) {
			bare = true
		}
	}
	return bare
}

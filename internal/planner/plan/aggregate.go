package plan

import (
	"maps"
	"slices"

	"github.com/birdcall/birdcall/internal/planner/vocabulary"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

func (c *core) aggregated() bool { return len(c.sel.GroupBy) > 0 || len(c.sel.Aggregates) > 0 }

// grouping is the state of planning an aggregate query.
type grouping struct {
	results map[string]Operand // aggregate calls and grouping expressions, by sqltree.Key
	step    StepID             // the group
	keys    []Col
	free    bool // reading a column that is no key is recorded as a choice
}

func (g *grouping) known(x sqltree.Expr) (Operand, bool) {
	if len(g.results) == 0 {
		return Operand{}, false
	}
	op, ok := g.results[sqltree.Key(x)]
	return op, ok
}

// read notes that a column of the rows is read after grouping.
func (g *grouping) read(e *env, c Col) {
	switch {
	case !g.free:
	case slices.Contains(g.keys, c):
		e.b.leaveOpen(Choice{Kind: Equal, Step: g.step, Column: c})
	default:
		e.b.leaveOpen(Choice{Kind: Bare, Step: g.step, Column: c})
	}
}

func (c *core) planAggregate(e *env) (output, error) {
	if err := checkAggregates(c.sel); err != nil {
		return output{}, err
	}
	if len(c.sel.GroupBy) == 0 && c.sel.Having == nil && len(c.items) == 1 && c.items[0].expr != nil && c.given == nil {
		if out, ok, err := c.planValue(e); ok || err != nil {
			return out, err
		}
	}
	return c.planGroups(e)
}

// checkAggregates refuses aggregates that belong to a query around.
func checkAggregates(s *sqltree.Select) error {
	for _, call := range s.Aggregates {
		if call.OfOuter() {
			return refuse("%s() of columns of the query around it belongs to that query", call.Name)
		}
	}
	return nil
}

// planValue plans a query whose answer is one value: each aggregate is a
// separate result, and the expression is derived from the results.
func (c *core) planValue(e *env) (output, bool, error) {
	g := &grouping{results: map[string]Operand{}}
	rows := &env{b: e.b, at: e.at, rel: e.rel}
	for _, call := range sqltree.AggregatesIn(c.items[0].expr) {
		op, err := rows.aggregateValue(call)
		if err != nil {
			return output{}, false, err
		}
		g.results[sqltree.Key(call)] = op
	}
	over := &env{b: e.b, at: e.at, group: g}
	op, ok := over.valueOf(c.items[0].expr, e.rel)
	if !ok {
		return output{}, false, nil // a bare column, say: plan with a group
	}
	op = over.single(op)
	out, err := c.cut(output{step: op.Step, cols: []Col{op.Col}, names: []string{c.items[0].name}, oneRow: true, complete: true})
	return out, true, err
}

// valueOf plans an expression over results; ok is false where it is no result,
// or reads a bare column, or needs rows to be derived on.
func (e *env) valueOf(x sqltree.Expr, rel *relation) (op Operand, ok bool) {
	bare := false
	sqltree.Walk(x, func(x sqltree.Expr) bool {
		if _, ok := e.group.known(x); ok {
			return false
		}
		if c, ok := x.(*sqltree.Column); ok {
			bare = bare || rel.reads(c)
		}
		return !bare
	})
	if bare {
		return Operand{}, false
	}
	op, err := e.scalar(x)
	return op, err == nil && op.Kind == Result
}

// aggregateValue computes one aggregate of the relation as a result.
func (e *env) aggregateValue(call *sqltree.Call) (Operand, error) {
	back := e.rel.step
	if call.Filter != nil {
		if err := e.where(sqltree.Conjuncts(call.Filter)); err != nil {
			return Operand{}, err
		}
	}
	s, err := e.aggregate(call)
	if err != nil {
		return Operand{}, err
	}
	s.In = e.rel.step
	if call.Filter != nil {
		e.rel.step = back
		e.rel.derived = map[string]Col{}
	}
	return e.result(s), nil
}

func (e *env) result(s *Aggregate) Operand {
	id := e.b.making(s, func() { s.Out = e.b.column(string(s.Func)) })
	return Operand{Kind: Result, Step: id, Col: e.b.steps[id].(*Aggregate).Out, OneRow: true}
}

// grouped adds an aggregate to each group's row.
func (b *builder) grouped(group StepID, s *Aggregate) StepID {
	own := *s
	own.In, own.Grouped = group, true
	return b.making(&own, func() { own.Out = b.column(string(own.Func)) })
}

// countRows counts a relation's rows.
func (e *env) countRows(in StepID) Operand {
	return e.result(&Aggregate{In: in, From: None, Func: tools.Count})
}

// aggregate plans a call's argument on the rows and describes the step.
func (e *env) aggregate(call *sqltree.Call) (*Aggregate, error) {
	s := &Aggregate{From: None, Func: vocabulary.Aggregation(call.Name), Distinct: call.Distinct}
	if s.Func == "" {
		return nil, unplannedFunction(call.Name, len(call.Args))
	}
	if len(call.OrderBy) > 0 {
		return nil, unsupported("ORDER BY in an aggregate", "%s(... ORDER BY ...) is not planned", call.Name)
	}
	if call.Star || len(call.Args) == 0 {
		if s.Func != tools.Count {
			return nil, unsupported("aggregate", "%s(*) is not planned", call.Written)
		}
		return s, nil
	}
	op, err := e.scalar(call.Args[0])
	if err != nil {
		return nil, err
	}
	if s.Distinct || s.Func == tools.Min || s.Func == tools.Max {
		op = e.collated(op, call.Args[0])
	}
	if op.Kind == Constant && s.Func == tools.Count && !op.Value.IsNull() && !s.Distinct {
		return s, nil // count(1) counts rows
	}
	if len(call.Args) == 2 {
		sep, err := e.scalar(call.Args[1])
		if err != nil {
			return nil, err
		}
		if sep.Kind != Constant || s.Func != tools.Concat {
			return nil, unsupported("aggregate", "a second argument of %s that is no constant", call.Written)
		}
		s.Separator = &Operand{Kind: Constant, Value: value.Str(value.AsText(sep.Value))}
	}
	s.From = e.columnOf(op)
	return s, nil
}

// planGroups plans GROUP BY, or an aggregate query of several columns as one
// group of all rows.
func (c *core) planGroups(e *env) (output, error) {
	g := &grouping{results: map[string]Operand{}}
	rows := &env{b: e.b, at: e.at, rel: e.rel, given: e.given}
	if err := c.groupKeys(rows, g); err != nil {
		return output{}, err
	}
	steps, extremes, err := rows.argumentsOf(c.sel.Aggregates)
	if err != nil {
		return output{}, err
	}
	e.rel.step = e.b.add(&Group{In: rows.rel.step, Keys: g.keys})
	e.rel.derived = map[string]Col{}
	g.step = e.rel.step
	if len(extremes) == 1 && c.readsBare(e, g) {
		// The row of the one min() or max() gives the bare columns.
		s := steps[extremes[0]]
		e.rel.step = e.b.add(&Pick{In: e.rel.step, From: s.From, Max: s.Func == tools.Max})
	}
	var outs []Col
	for _, call := range c.sel.Aggregates {
		key := sqltree.Key(call)
		if _, seen := g.results[key]; seen {
			continue
		}
		e.rel.step = e.b.grouped(e.rel.step, steps[key])
		out := e.b.steps[e.rel.step].(*Aggregate).Out
		g.results[key] = Operand{Kind: ColumnOf, Col: out}
		outs = append(outs, out)
	}
	over := &env{b: e.b, at: e.at, rel: e.rel, group: g, given: e.given}
	if c.given != nil && len(c.sel.GroupBy) == 0 {
		if err := c.completeGroups(over, outs, steps); err != nil {
			return output{}, err
		}
	} else {
		g.free = true
	}
	if c.sel.Having != nil {
		if err := over.where(sqltree.Conjuncts(c.sel.Having)); err != nil {
			return output{}, err
		}
	}
	return c.planOver(over)
}

// groupKeys plans the terms of GROUP BY.
func (c *core) groupKeys(rows *env, g *grouping) error {
	g.keys = slices.Clone(c.given)
	for _, x := range c.sel.GroupBy {
		op, err := c.groupTerm(rows, x)
		if err != nil {
			return err
		}
		if op.Kind == Constant {
			continue
		}
		col := rows.columnOf(op)
		if !slices.Contains(g.keys, col) {
			g.keys = append(g.keys, col)
		}
		if n := c.sel.Ordinal(x); n >= 0 {
			x = c.items[n].expr
		}
		if _, isName := x.(*sqltree.Column); !isName && x != nil {
			g.results[sqltree.Key(x)] = Operand{Kind: ColumnOf, Col: col}
		}
	}
	if len(c.sel.GroupBy) > 0 && len(g.keys) == 0 {
		// Constants group all rows, but no rows give no group.
		g.keys = []Col{rows.columnOf(constant(value.Int(1)))}
	}
	return nil
}

// planOver plans the result columns, ORDER BY and LIMIT over groups.
func (c *core) planOver(over *env) (output, error) {
	cols, names, err := c.columns(over)
	if err != nil {
		return output{}, err
	}
	distinct := c.sel.Distinct
	if distinct && c.sortsBeyond() {
		distinct = false
		// Rows that show all that they are grouped by are distinct already.
		hidden := func(key Col) bool { return !slices.Contains(cols, key) && !slices.Contains(c.given, key) }
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
	one := len(c.sel.GroupBy) == 0 && c.sel.Having == nil && c.limit != 0 && c.offset == 0
	out.grouped = !out.complete && (c.given == nil || !one)
	out.oneRow = one
	return out, err
}

// groupTerm plans one term of GROUP BY: a result column's number, a column, or
// an expression (in which an alias may be used where no column has its name).
func (c *core) groupTerm(e *env, x sqltree.Expr) (Operand, error) {
	if sqltree.IsNumber(x) {
		n := c.sel.Ordinal(x)
		if n < 0 {
			return Operand{}, unsupported("GROUP BY", "there is no result column %s", value.AsText(x.(*sqltree.Literal).Value))
		}
		if c.items[n].expr == nil {
			return c.items[n].operand, nil
		}
		x = c.items[n].expr
	}
	op, err := e.scalar(x)
	if err != nil {
		return Operand{}, err
	}
	return e.collated(op, x), nil
}

// argumentsOf plans the arguments of aggregates on the rows, before they are
// grouped. extremes are the min and max calls.
func (e *env) argumentsOf(calls []*sqltree.Call) (steps map[string]*Aggregate, extremes []string, err error) {
	steps = map[string]*Aggregate{}
	for _, call := range calls {
		key := sqltree.Key(call)
		if steps[key] != nil {
			continue
		}
		s, err := e.aggregate(call)
		if err != nil {
			return nil, nil, err
		}
		if call.Filter != nil {
			// Rows that the filter leaves out count as NULL, which no
			// aggregate looks at.
			then := constant(value.Int(1))
			if s.From != None {
				then = Operand{Kind: ColumnOf, Col: s.From}
			}
			op, err := e.caseOf(call.Filter, then, constant(value.NullValue()))
			if err != nil {
				return nil, nil, err
			}
			if s.Distinct || s.Func == tools.Min || s.Func == tools.Max {
				op = e.collated(op, call.Args[0])
			}
			s.From = op.Col
		}
		steps[key] = s
		if s.Func == tools.Min || s.Func == tools.Max {
			extremes = append(extremes, key)
		}
	}
	return steps, extremes, nil
}

// readsBare reports whether a result column or sort key reads a column that is
// neither a grouping key nor inside an aggregate.
func (c *core) readsBare(e *env, g *grouping) bool {
	calls := map[string]bool{}
	for _, call := range c.sel.Aggregates {
		calls[sqltree.Key(call)] = true
	}
	bare := false
	for _, x := range c.exprs() {
		sqltree.Walk(x, func(x sqltree.Expr) bool {
			if _, known := g.known(x); known || calls[sqltree.Key(x)] {
				return false
			}
			if col, ok := x.(*sqltree.Column); ok {
				if c, found := e.rel.find(col); found && !slices.Contains(g.keys, c) {
					bare = true
				}
			}
			return true
		})
	}
	for _, it := range c.items {
		if it.expr == nil && !slices.Contains(g.keys, it.operand.Col) {
			bare = true
		}
	}
	return bare
}

// exprs lists every expression of the core that is computed over its groups.
func (c *core) exprs() []sqltree.Expr {
	var out []sqltree.Expr
	for _, it := range c.items {
		if it.expr != nil {
			out = append(out, it.expr)
		}
	}
	if c.sel.Having != nil {
		out = append(out, c.sel.Having)
	}
	for _, o := range c.order {
		out = append(out, o.Expr)
	}
	return out
}

// sortedKeys are those of a map in their order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

package plan

import (
	"slices"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// filter keeps the outer rows that have a match, or those that have none.
func (c *correlation) filter(not bool) {
	kind := Semi
	if not {
		kind = Anti
	}
	r := c.e.rel
	r.step = c.e.b.add(&Join{A: r.step, B: c.in.rel.step, AKeys: c.outer, BKeys: c.keys, Kind: kind, NullEqual: c.nulls})
}

// joinBack joins columns of one row per key back to the outer rows.
func (c *correlation) joinBack(from StepID, vals []Col) []Col {
	b, r := c.e.b, c.e.rel
	s := &Join{A: r.step, B: from, AKeys: c.outer, BKeys: c.keys, Kind: Left, NullEqual: c.nulls, BCols: vals}
	r.step = b.making(s, func() {
		for _, v := range vals {
			s.Renamed = append(s.Renamed, b.sameAs(v))
		}
	})
	return b.steps[r.step].(*Join).Renamed
}

// marker brings back a column that is NULL where there is no match.
func (c *correlation) marker() Col {
	b := c.e.b
	keys := distinctCols(c.keys)
	found := newRelation(b.add(&Project{In: c.in.rel.step, Cols: keys, Distinct: true, Limit: -1}))
	mark := keys[0]
	if c.nulls {
		mark = found.add(b, tools.OpConstant, None, "match", []Arg{{Name: toolname.ArgValue, Values: []Operand{constant(value.Int(1))}}})
	}
	return c.joinBack(found.step, []Col{mark})[0]
}

// test is the condition that there is a match, or none.
func (c *correlation) test(not bool) *predicate {
	return negated(&predicate{condition: tools.IsNotNull, col: c.marker()}, not)
}

// value brings back the value of a scalar subquery.
func (c *correlation) value() (Operand, error) {
	if c.out != nil {
		return c.valueOfWhole()
	}
	if calls := sqltree.AggregatesIn(c.item); len(calls) > 0 {
		return c.aggregateValue(calls)
	}
	op, err := c.in.scalar(c.item)
	if err != nil {
		return Operand{}, err
	}
	v := c.in.columnOf(op)
	order := &core{b: c.e.b, at: c.in.at, sel: c.query.Arms[0], order: c.query.OrderBy, limit: -1}
	order.items = []item{{expr: c.item, operand: Operand{Kind: ColumnOf, Col: v}}}
	if _, err := order.sort(c.in); err != nil {
		return Operand{}, err
	}
	return c.first(c.in.rel.step, v, len(order.order) > 0), nil
}

// first brings back the value of the first row for each key. ordered says that
// an ORDER BY says which is first.
func (c *correlation) first(rows StepID, v Col, ordered bool) Operand {
	b := c.e.b
	group := b.add(&Group{In: rows, Keys: distinctCols(c.keys)})
	if !ordered {
		b.leaveOpen(Choice{Kind: Bare, Step: group, Column: v})
	}
	first := b.add(&Project{In: group, Cols: distinctCols(append(slices.Clone(c.keys), v)), Limit: -1})
	return Operand{Kind: ColumnOf, Col: c.joinBack(first, []Col{v})[0]}
}

// aggregateValue brings back the aggregates of the item and computes it from
// them. A row without a match counts 0 and totals 0.0.
func (c *correlation) aggregateValue(calls []*sqltree.Call) (Operand, error) {
	if c.readsBesides() {
		return Operand{}, refuse("a column beside an aggregate in a subquery that reads the query around it")
	}
	steps, _, err := c.in.argumentsOf(calls)
	if err != nil {
		return Operand{}, err
	}
	b := c.e.b
	at := b.add(&Group{In: c.in.rel.step, Keys: distinctCols(c.keys)})
	g := &grouping{results: map[string]Operand{}}
	var keys []string
	var cols []Col
	for _, call := range calls {
		key := sqltree.Key(call)
		if _, seen := g.results[key]; seen {
			continue
		}
		at = b.grouped(at, steps[key])
		g.results[key] = Operand{}
		keys, cols = append(keys, key), append(cols, b.steps[at].(*Aggregate).Out)
	}
	groups := b.add(&Project{In: at, Cols: distinctCols(append(slices.Clone(c.keys), cols...)), Limit: -1})
	over := *c.e
	for i, col := range c.joinBack(groups, cols) {
		op, err := over.ofNone(Operand{Kind: ColumnOf, Col: col}, steps[keys[i]].Func)
		if err != nil {
			return Operand{}, err
		}
		g.results[keys[i]] = op
	}
	over.group = g
	return over.scalar(c.item)
}

// ofNone is an aggregate where NULL stands for that of no rows.
func (e *env) ofNone(op Operand, f tools.Aggregation) (Operand, error) {
	none := map[tools.Aggregation]value.Value{tools.Count: value.Int(0), tools.Total: value.Float(0)}
	zero, ok := none[f]
	if !ok {
		return op, nil
	}
	return e.derive(tools.OpCoalesce, op, Arg{Name: toolname.ArgValues, List: true, Values: []Operand{constant(zero)}})
}

// readsBesides reports whether the item reads inner columns outside of its
// aggregates.
func (c *correlation) readsBesides() bool {
	reads := false
	sqltree.Walk(c.item, func(x sqltree.Expr) bool {
		if call, ok := x.(*sqltree.Call); ok && call.Aggregate {
			return false
		}
		if col, ok := x.(*sqltree.Column); ok && !c.readsOuter(col) {
			_, found := c.in.rel.find(col)
			reads = reads || found
		}
		return true
	})
	return reads
}

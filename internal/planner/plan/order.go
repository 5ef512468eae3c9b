package plan

import (
	"math"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/value"
)

// limits reads LIMIT and OFFSET, which must be constants. -1 is no limit.
func limits(q *sqltree.Query) (limit, offset int, err error) {
	limit = -1
	if q.Limit != nil {
		if limit, err = constantInt(q.Limit, "LIMIT"); err != nil {
			return 0, 0, err
		}
		if limit < 0 || limit == maxWhole {
			limit = -1
		}
	}
	if q.Offset != nil {
		if offset, err = constantInt(q.Offset, "OFFSET"); err != nil {
			return 0, 0, err
		}
	}
	return limit, max(offset, 0), nil
}

// constantInt computes a number of rows (lang_select.html, section 6): a
// constant expression that is a number without a fraction.
func constantInt(x sqltree.Expr, what string) (int, error) {
	names := func(*sqltree.Column) bool { return true }
	if !hasSubquery(x) && !readsColumn(x, names) {
		if op, err := (&env{b: &builder{}}).scalar(x); err == nil && op.Kind == Constant {
			if n, ok := whole(value.ToNumeric(op.Value)); ok {
				return n, nil
			}
		}
	}
	return 0, unsupported(what, "%s must be a whole number", what)
}

// maxWhole is more than there can be rows. Numbers of rows beyond it mean the
// same.
const maxWhole = math.MaxInt32

// whole returns the number of rows that a number stands for: an integer, or a
// REAL that is one (lang_select.html, section 6).
func whole(v value.Value) (int, bool) {
	switch v.Kind() {
	case value.Integer:
		return int(max(min(v.Int64(), maxWhole), -maxWhole)), true
	case value.Real:
		f := v.Float64()
		return int(max(min(f, maxWhole), -maxWhole)), f == math.Trunc(f) && !math.IsInf(f, 0)
	}
	return 0, false
}

// cut applies LIMIT and OFFSET to an output.
func (c *core) cut(o output) (output, error) {
	if c.limit < 0 && c.offset == 0 || o.oneRow && c.limit != 0 && c.offset == 0 {
		return o, nil
	}
	o.step = c.b.add(&Project{In: o.step, Cols: o.cols, Limit: c.limit, Offset: c.offset})
	o.complete, o.oneRow = true, false
	return o, nil
}

// sortsBeyond reports whether ORDER BY reads more than the result columns.
func (c *core) sortsBeyond() bool {
	return slices.ContainsFunc(c.order, func(o *sqltree.Order) bool { return o.Item < 0 })
}

// distinctBefore makes rows distinct that are to be sorted by more than they
// show: each is sorted by the row that it was first found in.
func (c *core) distinctBefore(e *env, cols []Col) error {
	var beyond []Col
	for _, o := range c.order {
		op, _, err := c.orderTerm(e, o)
		if err != nil {
			return err
		}
		if op.Kind == ColumnOf && !slices.Contains(cols, op.Col) {
			beyond = append(beyond, op.Col)
		}
	}
	e.rel.step = e.b.add(&Group{In: e.rel.step, Keys: distinctCols(append(slices.Clone(cols), c.given...))})
	for _, col := range distinctCols(cols) {
		e.b.leaveOpen(Choice{Kind: Equal, Step: e.rel.step, Column: col})
	}
	for _, col := range beyond {
		e.b.leaveOpen(Choice{Kind: Bare, Step: e.rel.step, Column: col})
	}
	return nil
}

// orderTerm plans a term, and returns the collation by which it is to be sorted,
// or "" for the column's own.
func (c *core) orderTerm(e *env, o *sqltree.Order) (op Operand, collation string, err error) {
	x := o.Expr
	own, explicit := x.(*sqltree.Collate)
	if explicit {
		x = own.X
	}
	compared := []sqltree.Expr{x}
	switch {
	case o.Item >= 0:
		op, compared = c.items[o.Item].operand, c.items[o.Item].compared
	case sqltree.IsNumber(x):
		return op, "", unsupported("ORDER BY", "there is no result column %s", value.AsText(x.(*sqltree.Literal).Value))
	case c.compound:
		return op, "", unsupported("ORDER BY in a compound", "a term must be one of the result columns")
	default:
		if op, err = e.scalar(x); err != nil {
			return op, "", err
		}
	}
	if explicit {
		return op, strings.ToLower(own.Name), nil
	}
	want, explicit := sqltree.Compared(compared...)
	if c.compound {
		want, explicit = sqltree.FirstCollation(compared...), false
	}
	if explicit || want != e.b.compared(op).collation {
		collation = strings.ToLower(want)
	}
	return op, collation, nil
}

// sort orders the relation and returns the sort keys.
func (c *core) sort(e *env) ([]SortKey, error) {
	var keys []SortKey
	var terms []*sqltree.Order
	for _, o := range c.order {
		op, collation, err := c.orderTerm(e, o)
		if err != nil {
			return nil, err
		}
		if op.Kind == ColumnOf {
			keys, terms = append(keys, SortKey{op.Col, collation}), append(terms, o)
		}
	}
	// Sorting keeps the order of equals, so the last keys are sorted by first;
	// neighbours that go the same way are sorted by together.
	alike := func(i, j int) bool {
		return terms[i].Desc == terms[j].Desc && terms[i].NullsFirst == terms[j].NullsFirst && keys[i].Collation == keys[j].Collation
	}
	for end := len(keys); end > 0; {
		start := end - 1
		for start > 0 && alike(start-1, end-1) {
			start--
		}
		last := terms[end-1]
		s := &Sort{In: e.rel.step, Desc: last.Desc, NullsFirst: last.NullsFirst, Collation: keys[end-1].Collation}
		for _, k := range keys[start:end] {
			s.Keys = append(s.Keys, k.Col)
		}
		e.rel.step = c.b.add(s)
		end = start
	}
	return keys, nil
}

// finish projects the result columns, distinct and cut as the query says.
func (c *core) finish(e *env, cols []Col, names []string, keys []SortKey, distinct bool) (output, error) {
	out := output{step: e.rel.step, cols: cols, names: names, given: c.given}
	if len(keys) > 0 {
		out.order = &Order{Sorted: e.rel.step, Keys: keys}
	}
	cuts := c.limit >= 0 || c.offset > 0
	if !distinct && !cuts {
		return out, nil
	}
	s := &Project{In: e.rel.step, Cols: cols, Distinct: distinct, Limit: c.limit, Offset: c.offset}
	if c.given != nil {
		s.Cols = distinctCols(append(slices.Clone(cols), c.given...))
		s.Limit, s.Offset = -1, 0
		if cuts && !distinct {
			s.In = c.cutGiven(s.In, keys)
		}
	}
	out.step, out.complete = c.b.add(s), true
	if distinct {
		c.b.leaveOpen(Choice{Kind: Equal, Step: out.step, Column: None})
	}
	switch {
	case c.given == nil && cuts:
		c.b.leaveOpen(Choice{Kind: Cut, Step: out.step, Keys: keys})
	case cuts && distinct:
		s := *s
		s.In, s.Distinct = c.cutGiven(out.step, keys), false
		out.step = c.b.add(&s)
	}
	return out, nil
}

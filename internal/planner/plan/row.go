package plan

import (
	"github.com/birdcall/birdcall/internal/planner/vocabulary"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/tools"
)

// isRow reports whether an expression is a row value of several columns
// (https://www.sqlite.org/rowvalue.html).
func isRow(x sqltree.Expr) bool {
	switch x := x.(type) {
	case *sqltree.Row:
		return true
	case *sqltree.Subquery:
		return len(x.Query.Columns) > 1
	}
	return false
}

// row plans the columns of a row value; any other expression is a row of one.
func (e *env) row(x sqltree.Expr) ([]Operand, error) {
	switch x := x.(type) {
	case *sqltree.Row:
		out := make([]Operand, len(x.Items))
		for i, item := range x.Items {
			op, err := e.scalar(item)
			if err != nil {
				return nil, err
			}
			out[i] = op
		}
		return out, nil
	case *sqltree.Subquery:
		if len(x.Query.Columns) > 1 {
			return e.rowOf(x.Query)
		}
	}
	op, err := e.scalar(x)
	return []Operand{op}, err
}

// rowOf plans the first row of a subquery.
func (e *env) rowOf(q *sqltree.Query) ([]Operand, error) {
	if e.isCorrelated(q) {
		return nil, refuse("a subquery of %d columns", len(q.Columns))
	}
	o, err := e.list(q)
	if err != nil {
		return nil, err
	}
	if !o.oneRow {
		e.b.leaveOpen(Choice{Kind: First, Step: o.step})
	}
	out := make([]Operand, len(o.cols))
	for i, col := range o.cols {
		out[i] = e.single(Operand{Kind: Result, Step: o.step, Col: col})
	}
	return out, nil
}

// rowComparison plans a comparison of row values, from left to right: the first
// columns that differ decide (rowvalue.html, section 2.1).
func (e *env) rowComparison(x *sqltree.Binary, not bool) (*predicate, error) {
	left, err := e.row(x.X)
	if err != nil {
		return nil, err
	}
	right, err := e.row(x.Y)
	if err != nil {
		return nil, err
	}
	if len(left) != len(right) {
		return nil, unsupported("row value", "a comparison of %d columns with %d", len(left), len(right))
	}
	if e.rel == nil {
		return nil, unsupported("condition without FROM", "a comparison of row values without a table is not planned")
	}
	condition, _ := vocabulary.Comparison(x.Op)
	if not {
		condition = vocabulary.Opposite(condition)
	}
	each := func(c tools.Condition, i int) *predicate {
		return e.collate(e.compare(c, left[i], right[i]), rowItem(x.X, i), rowItem(x.Y, i))
	}
	return compareRows(condition, len(left), each), nil
}

// rowItem is a column of a row value, or nil for that of a subquery.
func rowItem(x sqltree.Expr, n int) sqltree.Expr {
	switch x := x.(type) {
	case *sqltree.Row:
		if n < len(x.Items) {
			return x.Items[n]
		}
		return nil
	case *sqltree.Subquery:
		return nil
	}
	return x
}

// compareRows puts a comparison of rows together from those of their columns.
func compareRows(condition tools.Condition, width int, each func(tools.Condition, int) *predicate) *predicate {
	last := width - 1
	var parts []*predicate
	switch condition {
	case tools.Equal, tools.Is, tools.NotEqual, tools.IsNot:
		for i := range width {
			parts = append(parts, each(condition, i))
		}
		return combined(condition == tools.NotEqual || condition == tools.IsNot, parts)
	}
	strict := map[tools.Condition]tools.Condition{tools.LessOrEqual: tools.Less, tools.GreaterOrEqual: tools.Greater}
	out := each(condition, last)
	for i := last - 1; i >= 0; i-- {
		differs := condition
		if s, ok := strict[condition]; ok {
			differs = s
		}
		same := combined(false, []*predicate{each(tools.Equal, i), out})
		out = combined(true, []*predicate{each(differs, i), same})
	}
	return out
}

// rowInList plans (a, b) IN ((1, 2), ...).
func (e *env) rowInList(x *sqltree.In, not bool) (*predicate, error) {
	op := sqltree.Equal
	if not {
		op = sqltree.NotEqual
	}
	var parts []*predicate
	for _, item := range x.List {
		p, err := e.rowComparison(&sqltree.Binary{Op: op, X: x.X, Y: item}, false)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		return e.inList(&sqltree.In{X: x.X}, not)
	}
	return combined(!not, parts), nil
}

package rewrite

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/pkg/tools"
)

// determined returns the columns of a relation that have one value wherever some
// columns have the same values, these among them.
//
// Proof. A row of an inner join has one row of each table. Where the primary key
// of a table is the same, that is the same row, and so are all its columns; that
// needs a key that is never NULL, since SQLite lets a key be NULL in several rows.
// Columns that are joined by equality have the same value if they have the same
// type and compare by bytes. A column that was filtered for one value has that
// everywhere.
func (w *work) determined(in plan.StepID, by []plan.Col) func(plan.Col) bool {
	start, fixed, ok := w.filtered(in)
	if !ok {
		return func(c plan.Col) bool { return slices.Contains(by, c) }
	}
	s := w.p.Steps[start].(*plan.Start)
	type place struct {
		table  int
		column string
	}
	known, whole := map[place]bool{}, map[int]bool{}
	for _, c := range slices.Concat(by, fixed) {
		if col := w.p.Columns[c]; col.IsBase && col.Start == start {
			known[place{col.Table, col.Name}] = true
		}
	}
	has := func(table int, column string) bool { return whole[table] || known[place{table, column}] }
	for range len(s.Tables) + 1 {
		for i, t := range s.Tables {
			if key := w.uniqueKey(t.Name); key != "" && known[place{i, key}] {
				whole[i] = true
			}
		}
		for _, j := range s.Joins {
			if j.Kind != plan.Inner || !w.sameType(s, j) {
				continue
			}
			if has(j.Left, j.LeftColumn) {
				known[place{j.Right, j.RightColumn}] = true
			}
			if has(j.Right, j.RightColumn) {
				known[place{j.Left, j.LeftColumn}] = true
			}
		}
	}
	return func(c plan.Col) bool {
		col := w.p.Columns[c]
		return slices.Contains(by, c) || col.IsBase && col.Start == start && has(col.Table, col.Name)
	}
}

// filtered returns the start of inner joins that a relation comes from by filters
// and derivations, and the columns that were filtered for one value.
func (w *work) filtered(in plan.StepID) (start plan.StepID, fixed []plan.Col, ok bool) {
	for {
		switch s := w.p.Steps[in].(type) {
		case *plan.Start:
			isJoin := func(j plan.StartJoin) bool { return j.Kind == plan.Inner || j.Kind == plan.Cross }
			return in, fixed, !slices.ContainsFunc(s.Joins, func(j plan.StartJoin) bool { return !isJoin(j) })
		case *plan.Filter:
			if s.Condition == tools.Equal && s.Args[0].Kind == plan.Constant && s.Collation == "" {
				fixed = append(fixed, s.Col)
			}
			in = s.In
		case *plan.Either:
			in = w.commonSource(s)
		case *plan.Derive:
			in = s.In
		case *plan.Sort:
			in = s.In
		default:
			return in, nil, false
		}
	}
}

// commonSource is a relation that both sides of an Either come from. What is
// filtered on one side only does not count.
func (w *work) commonSource(s *plan.Either) plan.StepID {
	a, b := w.path(s.A), w.path(s.B)
	for _, id := range a {
		if slices.Contains(b, id) {
			return id
		}
	}
	return s.A
}

// uniqueKey is the column of a table that no two rows have the same, and none has
// as NULL; "" if that is not known of any.
func (w *work) uniqueKey(table string) string {
	t := w.schema.Table(table)
	if t == nil || t.View {
		return ""
	}
	if t.IntegerPrimaryKey != "" {
		return t.IntegerPrimaryKey
	}
	key, parts := "", 0
	for _, c := range t.Columns {
		if c.PrimaryKey > 0 {
			parts++
			if isBinary(&c) && (c.NotNull || !t.RowID) {
				key = c.Name
			}
		}
	}
	if parts != 1 {
		return ""
	}
	return key
}

// sameType reports whether a join compares columns of one affinity by bytes.
func (w *work) sameType(s *plan.Start, j plan.StartJoin) bool {
	left, right := w.schema.Table(s.Tables[j.Left].Name), w.schema.Table(s.Tables[j.Right].Name)
	if left == nil || right == nil || left.View || right.View {
		return false
	}
	a, b := left.Column(j.LeftColumn), right.Column(j.RightColumn)
	return a != nil && b != nil && a.Affinity == b.Affinity && isBinary(a) && isBinary(b)
}

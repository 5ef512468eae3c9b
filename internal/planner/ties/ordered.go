package ties

import (
	"context"
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// ordered are the rows of an answer before its LIMIT, in order, with the
// number of each row's group of equal sort keys.
type ordered struct {
	rows          [][]value.Value
	groups        []int // nil without ORDER BY
	limit, offset int
}

// beforeLimit reads the answer's rows before DISTINCT rows are cut.
func (r *Run) beforeLimit(ctx context.Context) (*ordered, error) {
	o := &ordered{limit: -1}
	p := r.Plan
	in, distinct := p.Result, false
	cut, isProject := p.Steps[p.Result].(*plan.Project)
	switch {
	case isProject:
		in, distinct, o.limit, o.offset = cut.In, cut.Distinct, cut.Limit, cut.Offset
	case p.Order == nil:
		return o, nil
	}
	if o.limit < 0 && o.offset == 0 && p.Order == nil {
		return o, nil
	}
	var keys []plan.SortKey
	if p.Order != nil {
		keys = p.Order.Keys
	}
	return o, r.readOrdered(ctx, o, in, p.Output, keys, distinct)
}

// readOrdered reads the rows of a step's result and their groups of equal
// sort keys. Under DISTINCT the keys are among the columns, or the same wherever
// these are.
func (r *Run) readOrdered(ctx context.Context, o *ordered, in plan.StepID, cols []plan.Col, keys []plan.SortKey, distinct bool) error {
	width := len(cols)
	all := slices.Clone(cols)
	for _, k := range keys {
		if !distinct || !slices.Contains(all, k.Col) {
			all = append(all, k.Col)
		}
	}
	rows, collations, err := r.read(ctx, in, all, distinct)
	if err != nil {
		return err
	}
	if len(keys) > 0 {
		places := make([]int, len(keys))
		for i, k := range keys {
			if places[i] = width + i; distinct {
				places[i] = slices.Index(all, k.Col)
			}
			if c, ok := value.CollationNamed(k.Collation); ok && k.Collation != "" {
				collations[places[i]] = c
			}
		}
		o.groups = groupsOf(rows, places, collations)
	}
	for _, row := range rows {
		o.rows = append(o.rows, row[:width:width])
	}
	return nil
}

// read returns columns of a step's result.
func (r *Run) read(ctx context.Context, step plan.StepID, cols []plan.Col, distinct bool) ([][]value.Value, []value.Collation, error) {
	t, _ := r.Session.Table(r.Sequence.Labels[step])
	keys := make([]string, len(cols))
	for i, c := range cols {
		keys[i] = r.Sequence.Keys[step][c]
	}
	t, err := tools.RetrieveData(ctx, t, tools.RetrieveArgs{Keys: keys, Distinct: distinct})
	if err != nil {
		return nil, nil, err
	}
	collations := make([]value.Collation, len(cols))
	for i, f := range t.Fields() {
		collations[i] = f.Collation
	}
	rows, err := t.Rows(ctx)
	return rows, collations, err
}

// groupsOf numbers runs of rows that are equal in the key columns.
func groupsOf(rows [][]value.Value, keys []int, collations []value.Collation) []int {
	groups := make([]int, len(rows))
	for i := 1; i < len(rows); i++ {
		groups[i] = groups[i-1]
		for _, k := range keys {
			if value.Compare(rows[i-1][k], rows[i][k], collations[k]) != 0 {
				groups[i]++
				break
			}
		}
	}
	return groups
}

// window returns the range of rows that LIMIT and OFFSET leave.
func (o *ordered) window() (start, end int) {
	start, end = min(o.offset, len(o.rows)), len(o.rows)
	if o.limit >= 0 {
		end = min(end, start+o.limit)
	}
	return start, end
}

// options say how n rows of an answer are to be compared.
func (o *ordered) options(n int) verify.Options {
	if o.groups == nil {
		return verify.Options{}
	}
	start, end := o.window()
	if end-start != n {
		return verify.Options{} // the number of rows shows the difference
	}
	return verify.Options{Ordered: true, Ties: o.groups[start:end]}
}

// isOpen reports whether the window cuts a run of ties that are not all the
// same row.
func (o *ordered) isOpen() bool {
	start, end := o.window()
	return start < end && (o.cuts(start) || o.cuts(end)) || start == end && o.limit > 0 && o.cuts(start)
}

func (o *ordered) cuts(at int) bool {
	if at <= 0 || at >= len(o.rows) {
		return false
	}
	same := func(i int) bool { return o.groups == nil || o.groups[i] == o.groups[at] }
	if !same(at - 1) {
		return false
	}
	for i := range o.rows {
		if same(i) && !slices.Equal(o.rows[i], o.rows[at]) {
			return true
		}
	}
	return false
}

package ties

import (
	"context"
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// maxAlternatives bounds how many ways to resolve one choice are tried.
const maxAlternatives = 500

// openChoices returns the choices of the plan that this data leaves open.
func (r *Run) openChoices(ctx context.Context, before *ordered) ([]plan.Choice, error) {
	var open []plan.Choice
	for _, c := range r.Plan.Choices {
		isOpen := false
		var err error
		switch {
		case c.Kind == plan.Cut && c.Step == r.Plan.Result:
			isOpen = before.isOpen()
		case c.Kind == plan.Cut:
			var o *ordered
			if o, err = r.cut(ctx, c); err == nil {
				isOpen = o.isOpen()
			}
		case c.Kind == plan.CutEach:
			isOpen, err = r.cutsTies(ctx, c)
		case c.Kind == plan.First:
			isOpen, err = r.severalRows(ctx, c)
		case c.Kind == plan.Bare:
			isOpen, err = r.varies(ctx, c)
		case c.Kind == plan.Concat:
			isOpen, err = r.hasParts(ctx, c)
		}
		if err != nil {
			return nil, err
		}
		if isOpen {
			open = append(open, c)
		}
	}
	return open, nil
}

// cut reads what a LIMIT inside of the plan cuts.
func (r *Run) cut(ctx context.Context, c plan.Choice) (*ordered, error) {
	s := r.Plan.Steps[c.Step].(*plan.Project)
	o := &ordered{limit: s.Limit, offset: s.Offset}
	return o, r.readOrdered(ctx, o, s.In, s.Cols, c.Keys, s.Distinct)
}

// cutsTies reports whether a LIMIT of a correlated subquery cuts a run of ties for
// one of the rows around it.
func (r *Run) cutsTies(ctx context.Context, c plan.Choice) (bool, error) {
	s := r.Plan.Steps[c.Step].(*plan.Window)
	cols := slices.Clone(s.Partition)
	for _, k := range c.Keys {
		cols = append(cols, k.Col)
	}
	rows, collations, err := r.read(ctx, s.In, cols, false)
	if err != nil {
		return false, err
	}
	numbers, n, err := classNumbers(ctx, partitions(rows, len(s.Partition)), collations[:len(s.Partition)])
	if err != nil {
		return false, err
	}
	each := make([][][]value.Value, n)
	for i, row := range rows {
		each[numbers[i]] = append(each[numbers[i]], row[len(s.Partition):])
	}
	collations = collations[len(s.Partition):]
	for i, k := range c.Keys {
		if own, ok := value.CollationNamed(k.Collation); ok && k.Collation != "" {
			collations[i] = own
		}
	}
	tie := func(rows [][]value.Value, at int) bool {
		return at > 0 && at < len(rows) && groupsOf(rows[at-1:at+1], count(len(collations)), collations)[1] == 0
	}
	return slices.ContainsFunc(each, func(rows [][]value.Value) bool {
		return tie(rows, c.Offset) || c.Limit >= 0 && tie(rows, c.Offset+c.Limit)
	}), nil
}

// partitions are the first columns of rows.
func partitions(rows [][]value.Value, n int) [][]value.Value {
	out := make([][]value.Value, len(rows))
	for i, row := range rows {
		out[i] = row[:n]
	}
	return out
}

// count lists the numbers from 0 to n-1.
func count(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// severalRows reports whether a subquery that stands for its first row has
// different ones.
func (r *Run) severalRows(ctx context.Context, c plan.Choice) (bool, error) {
	t, _ := r.Session.Table(r.Sequence.Labels[c.Step])
	one, err := tools.SelectUniqueValues(ctx, t)
	if err != nil || one.Len() > 1 {
		return err == nil, err
	}
	for _, f := range t.Fields() {
		if several, err := differs(ctx, t, f.Key, nil); err != nil || several {
			return several, err
		}
	}
	return false, nil
}

// Keys of columns that no sequence names.
const (
	rowNumber = "row number"
	extreme   = "extreme value"
	chosen    = "chosen"
)

// isRightByChoice reports whether resolving one open choice in another way
// gives the SQL's answer: then both are right ones.
func (r *Run) isRightByChoice(ctx context.Context, gold [][]value.Value, open []plan.Choice, before *ordered) (bool, error) {
	for _, c := range open {
		others, err := r.alternatives(ctx, c)
		if err != nil {
			return false, err
		}
		for _, t := range others {
			again, err := r.resume(ctx, c.Step, t)
			if err != nil {
				return false, err
			}
			o, err := again.beforeLimit(ctx)
			if err != nil {
				return false, err
			}
			if verify.Compare(gold, again.Answer, o.options(len(gold))).Equal {
				return true, nil
			}
			inner := verify.Candidates{Rows: o.rows, Groups: o.groups, Limit: int64(o.limit), Offset: int64(o.offset)}
			if before.limit >= 0 && verify.OneOf(gold, inner) {
				return true, nil
			}
		}
	}
	return false, nil
}

// alternatives returns tables that a choice could also have given.
func (r *Run) alternatives(ctx context.Context, c plan.Choice) ([]*tools.Table, error) {
	t, _ := r.Session.Table(r.Sequence.Labels[c.Step])
	switch c.Kind {
	case plan.Cut:
		o, err := r.cut(ctx, c)
		if err != nil {
			return nil, err
		}
		return o.windows(t.Fields())
	case plan.First:
		rows, err := t.Rows(ctx)
		if err != nil {
			return nil, err
		}
		var out []*tools.Table
		for _, row := range rows[:min(len(rows), maxAlternatives)] {
			one, err := tableOf(t.Fields(), [][]value.Value{row})
			if err != nil {
				return nil, err
			}
			out = append(out, one)
		}
		return out, nil
	case plan.CutEach:
		return nil, nil // too many
	case plan.Concat:
		return nil, nil // too many; see isRightByOrder
	case plan.Equal:
		return r.otherEquals(ctx, c)
	}
	return r.regrouped(ctx, c)
}

// windows returns the tables that the LIMIT may leave: at each end that cuts a
// run of ties, other rows of the run are taken.
func (o *ordered) windows(fields []tools.Field) ([]*tools.Table, error) {
	start, end := o.window()
	first, last := o.runAt(end)
	if !o.cuts(end) {
		first, last = o.runAt(start)
	}
	n := min(end, last) - max(start, first) // rows that the run gives
	var out []*tools.Table
	for from := first; from+n <= last && len(out) < maxAlternatives; from++ {
		rows := slices.Clone(o.rows[start:end])
		copy(rows[max(start, first)-start:], o.rows[from:from+n])
		t, err := tableOf(fields, rows)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// runAt returns the run of ties that the row at a place belongs to.
func (o *ordered) runAt(at int) (first, last int) {
	if o.groups == nil {
		return 0, len(o.rows)
	}
	at = min(at, len(o.rows)-1)
	first, last = at, at+1
	for first > 0 && o.groups[first-1] == o.groups[at] {
		first--
	}
	for last < len(o.rows) && o.groups[last] == o.groups[at] {
		last++
	}
	return first, last
}

// resume runs again what depends on a step, with another table as its result.
func (r *Run) resume(ctx context.Context, at plan.StepID, t *tools.Table) (*Run, error) {
	again := &Run{Plan: r.Plan, Sequence: r.Sequence, Session: r.Session.Fork()}
	if err := again.Session.Put(r.Sequence.Labels[at], t); err != nil {
		return nil, err
	}
	stale := map[plan.StepID]bool{at: true}
	for i, s := range r.Plan.Steps {
		id := plan.StepID(i)
		if id > at && slices.ContainsFunc(plan.Inputs(s), func(in plan.StepID) bool { return stale[in] }) {
			stale[id] = true
		}
	}
	for _, c := range r.Sequence.Calls {
		i := slices.Index(r.Sequence.Labels, c.Label)
		if i < 0 || !stale[plan.StepID(i)] || plan.StepID(i) == at {
			continue
		}
		if _, err := again.Session.Run(ctx, c); err != nil {
			return nil, err
		}
	}
	result, _ := again.Session.Table(r.Sequence.Result)
	var err error
	again.Answer, err = result.Rows(ctx)
	return again, err
}

// tableOf makes a table of rows.
func tableOf(fields []tools.Field, rows [][]value.Value) (*tools.Table, error) {
	columns := make([]*tools.Column, len(fields))
	for i := range fields {
		cells := make([]value.Value, len(rows))
		for j, row := range rows {
			cells[j] = row[i]
		}
		columns[i] = tools.NewColumn(cells...)
	}
	return tools.NewTable(fields, columns)
}

package ties

import (
	"context"
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// matters reports whether showing another of the equal values changes the
// answer, as far as can be tried.
func (r *Run) matters(ctx context.Context, e *equals, options verify.Options) (bool, error) {
	others, err := r.alternatives(ctx, e.Choice)
	if err != nil || len(others) == 0 {
		return true, err
	}
	for _, t := range others {
		again, err := r.resume(ctx, e.Step, t)
		if err != nil {
			return false, err
		}
		if !verify.Compare(r.Answer, again.Answer, options).Equal {
			return true, nil
		}
	}
	return false, nil
}

// otherEquals returns tables that show other values than the step has taken.
func (r *Run) otherEquals(ctx context.Context, c plan.Choice) ([]*tools.Table, error) {
	if _, ok := r.Plan.Steps[c.Step].(*plan.Group); ok {
		return r.regrouped(ctx, c)
	}
	e, err := r.equals(ctx, c)
	if err != nil {
		return nil, err
	}
	t, _ := r.Session.Table(r.Sequence.Labels[c.Step])
	var out []*tools.Table
	add := func(rows [][]value.Value) error {
		t, err := tableOf(t.Fields(), rows)
		out = append(out, t)
		return err
	}
	switch s := r.Plan.Steps[c.Step].(type) {
	case *plan.Aggregate:
		if s.Distinct || len(e.classes) == 0 {
			return nil, nil
		}
		for _, row := range e.classes[0][:min(len(e.classes[0]), maxPlaces)] {
			if err := add([][]value.Value{row}); err != nil {
				return nil, err
			}
		}
	case *plan.Project:
		for _, rows := range e.choices() {
			o := ordered{rows: rows, limit: s.Limit, offset: s.Offset}
			start, end := o.window()
			if err := add(rows[start:end]); err != nil {
				return nil, err
			}
		}
	case *plan.SetOp:
		for _, rows := range e.choices() {
			if err := add(rows); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// choices takes one row of each class: the first, the last, the smallest and the
// largest one by their bytes.
func (e *equals) choices() [][][]value.Value {
	byBytes := func(a, b []value.Value) int {
		return slices.CompareFunc(a, b, func(x, y value.Value) int {
			if c := value.Compare(x, y, value.Binary); c != 0 {
				return c
			}
			return int(x.Kind()) - int(y.Kind())
		})
	}
	var out [][][]value.Value
	for _, pick := range []func([][]value.Value) []value.Value{
		func(rows [][]value.Value) []value.Value { return rows[0] },
		func(rows [][]value.Value) []value.Value { return rows[len(rows)-1] },
		func(rows [][]value.Value) []value.Value { return slices.MinFunc(rows, byBytes) },
		func(rows [][]value.Value) []value.Value { return slices.MaxFunc(rows, byBytes) },
	} {
		var rows [][]value.Value
		for _, class := range e.classes {
			rows = append(rows, pick(class))
		}
		out = append(out, rows)
	}
	return out
}

// isRightByEquals reports whether the answers are the same but for values that
// are equal and that a step could take alike: then both are right ones.
func (r *Run) isRightByEquals(gold [][]value.Value, open []*equals, options verify.Options) bool {
	if len(open) == 0 {
		return false
	}
	// What represents a value in a column, if a step has chosen it there.
	representative := make([]map[value.Value]value.Value, len(r.Plan.Output))
	for i, col := range r.Plan.Output {
		representative[i] = map[value.Value]value.Value{}
		for _, e := range open {
			for j, own := range e.cols {
				if own != col {
					continue
				}
				for _, class := range e.classes {
					for _, row := range class {
						representative[i][row[j]] = value.Key(row[j], e.collations[j])
					}
				}
			}
		}
	}
	withRepresentatives := func(rows [][]value.Value) [][]value.Value {
		out := make([][]value.Value, len(rows))
		for i, row := range rows {
			out[i] = slices.Clone(row)
			for j, v := range row {
				if j < len(representative) {
					if one, ok := representative[j][v]; ok {
						out[i][j] = one
					}
				}
			}
		}
		return out
	}
	return verify.Compare(withRepresentatives(gold), withRepresentatives(r.Answer), options).Equal
}

package ties

import (
	"context"
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// varies reports whether a bare column has several values in some group, among
// the rows that may stand for the group.
func (r *Run) varies(ctx context.Context, c plan.Choice) (bool, error) {
	among, err := r.eligible(ctx, c)
	if err != nil {
		return false, err
	}
	t, err := tools.GroupDataBy(ctx, among, tools.GroupArgs{Keys: r.groupKeys(c)})
	if err != nil {
		return false, err
	}
	key := r.bareKey(c)
	for _, a := range []tools.AggregateArgs{
		{Key: key, Type: tools.Count, Distinct: true, OutputKey: "distinct values"},
		{Key: key, Type: tools.Count, OutputKey: "values"},
		{Type: tools.Count, OutputKey: "rows"},
	} {
		if t, err = tools.AggregateData(ctx, t, a); err != nil {
			return false, err
		}
	}
	t, err = tools.RetrieveData(ctx, t, tools.RetrieveArgs{Keys: []string{"distinct values", "values", "rows"}})
	if err != nil {
		return false, err
	}
	rows, err := t.Rows(ctx)
	for _, row := range rows {
		distinct, values, all := row[0].Int64(), row[1].Int64(), row[2].Int64()
		if distinct > 1 || distinct == 1 && values < all {
			return true, nil
		}
	}
	if err != nil {
		return false, err
	}
	return differs(ctx, among, key, r.groupKeys(c))
}

// differs reports whether a column has values in some group that are equal but
// not the same, such as 1 and 1.0.
func differs(ctx context.Context, t *tools.Table, key string, groups []string) (bool, error) {
	n := len(groups)
	t, err := tools.RetrieveData(ctx, t, tools.RetrieveArgs{Keys: append(slices.Clone(groups), key)})
	if err != nil || !mayDiffer(t.Fields()[n]) {
		return false, err
	}
	rows, err := t.Rows(ctx)
	if err != nil {
		return false, err
	}
	numbers, classes, err := classNumbers(ctx, partitions(rows, n), collationsOf(t)[:n])
	first := make([]*value.Value, classes)
	for i, number := range numbers {
		switch v := &rows[i][n]; {
		case first[number] == nil:
			first[number] = v
		case *first[number] != *v:
			return true, nil
		}
	}
	return false, err
}

// groupKeys and bareKey name the columns of a bare column's group in the
// group's input.
func (r *Run) groupKeys(c plan.Choice) []string {
	g := r.Plan.Steps[c.Step].(*plan.Group)
	keys := make([]string, len(g.Keys))
	for i, k := range g.Keys {
		keys[i] = r.Sequence.Keys[g.In][k]
	}
	return keys
}

func (r *Run) bareKey(c plan.Choice) string { return r.groupInputKey(c, c.Column) }

func (r *Run) groupInputKey(c plan.Choice, col plan.Col) string {
	return r.Sequence.Keys[r.Plan.Steps[c.Step].(*plan.Group).In][col]
}

// pickOf returns the step that lets the row of a minimum or maximum stand for
// the choice's group, or nil.
func (r *Run) pickOf(c plan.Choice) *plan.Pick {
	for _, s := range r.Plan.Steps {
		if pick, ok := s.(*plan.Pick); ok && pick.In == c.Step {
			return pick
		}
	}
	return nil
}

// eligible returns the rows that may stand for a group: all of them, or, where
// the row of a minimum or maximum stands for it, those that hold it.
func (r *Run) eligible(ctx context.Context, c plan.Choice) (*tools.Table, error) {
	t, _ := r.Session.Table(r.Sequence.Labels[r.Plan.Steps[c.Step].(*plan.Group).In])
	pick := r.pickOf(c)
	if pick == nil {
		return t, nil
	}
	of, key := tools.WindowMin, r.groupInputKey(c, pick.From)
	if pick.Max {
		of = tools.WindowMax
	}
	t, err := tools.WindowData(ctx, t, tools.WindowArgs{Function: of, Key: key, PartitionBy: r.groupKeys(c), OutputKey: extreme})
	if err != nil {
		return nil, err
	}
	return tools.FilterData(ctx, t, tools.FilterArgs{Key: key, Condition: tools.Is, Value: tools.Col(extreme)})
}

// maxPlaces bounds which members of a group are tried as the one that stands
// for it.
const maxPlaces = 20

// regrouped returns the groups of the same rows in other orders, so that other
// rows stand for the groups: the last ones, those that an index on the bare
// column would give, and the second, third, ... of each group.
func (r *Run) regrouped(ctx context.Context, c plan.Choice) ([]*tools.Table, error) {
	keys := r.groupKeys(c)
	among := keys
	if pick := r.pickOf(c); pick != nil {
		// The first of the rows with the extreme value stands for its group.
		among = append(slices.Clone(keys), r.groupInputKey(c, pick.From))
	}
	t, _ := r.Session.Table(r.Sequence.Labels[r.Plan.Steps[c.Step].(*plan.Group).In])
	numbered, err := tools.WindowData(ctx, t, tools.WindowArgs{Function: tools.RowNumber, PartitionBy: among, OutputKey: rowNumber})
	if err != nil {
		return nil, err
	}
	var out []*tools.Table
	add := func(t *tools.Table, by tools.SortArgs) error {
		t, err := tools.SortData(ctx, t, by)
		if err != nil {
			return err
		}
		t, err = tools.GroupDataBy(ctx, t, tools.GroupArgs{Keys: keys})
		out = append(out, t)
		return err
	}
	bare := []string{r.bareKey(c)}
	for _, by := range []tools.SortArgs{{Keys: []string{rowNumber}, Descending: true}, {Keys: bare}, {Keys: bare, Descending: true}} {
		if err := add(numbered, by); err != nil {
			return nil, err
		}
	}
	for place := 2; place <= maxPlaces; place++ {
		t, err := tools.TransformData(ctx, numbered, tools.TransformArgs{
			Key: rowNumber, Operation: tools.Operation(tools.Equal), OutputKey: chosen,
			Args: map[string]tools.Operand{toolname.ArgValue: tools.Literal(value.Int(int64(place)))},
		})
		if err != nil {
			return nil, err
		}
		if err := add(t, tools.SortArgs{Keys: []string{chosen}, Descending: true}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

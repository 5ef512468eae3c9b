package ties

import (
	"context"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// hasParts reports whether group_concat() has put different parts together
// somewhere, so that their order shows.
func (r *Run) hasParts(ctx context.Context, c plan.Choice) (bool, error) {
	rows, _, err := r.read(ctx, c.Step, []plan.Col{c.Column}, true)
	for _, row := range rows {
		parts := r.parts(c, row[0])
		if slices.ContainsFunc(parts, func(p string) bool { return p != parts[0] }) {
			return true, nil
		}
	}
	return false, err
}

// parts takes apart what the aggregate of a choice has put together.
func (r *Run) parts(c plan.Choice, v value.Value) []string {
	separator := ","
	if s := r.Plan.Steps[c.Step].(*plan.Aggregate).Separator; s != nil {
		separator = s.Value.Raw()
	}
	return strings.Split(value.AsText(v), separator)
}

// isRightByOrder reports whether the answers are the same when the parts that
// group_concat() put together are taken in one order: then both are right ones.
func (r *Run) isRightByOrder(gold [][]value.Value, open []plan.Choice, options verify.Options) bool {
	return slices.ContainsFunc(open, func(c plan.Choice) bool { return c.Kind == plan.Concat }) &&
		verify.Compare(r.inOrder(gold, open), r.inOrder(r.Answer, open), options).Equal
}

// inOrder returns an answer with the parts of each concatenation sorted.
func (r *Run) inOrder(rows [][]value.Value, open []plan.Choice) [][]value.Value {
	out := make([][]value.Value, len(rows))
	for i, row := range rows {
		out[i] = slices.Clone(row)
		for _, c := range open {
			for j, col := range r.Plan.Output {
				if c.Kind == plan.Concat && col == c.Column && j < len(row) && row[j].Kind() == value.Text {
					parts := r.parts(c, row[j])
					slices.Sort(parts)
					out[i][j] = value.Str(strings.Join(parts, "\x00"))
				}
			}
		}
	}
	return out
}

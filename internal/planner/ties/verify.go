package ties

import (
	"context"

	"github.com/birdcall/birdcall/internal/planner/emit"
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// Run is a sequence that was executed.
type Run struct {
	Plan     *plan.Plan
	Sequence *emit.Sequence
	Session  *tools.Session // that has its results
	Answer   [][]value.Value
}

// Verdict says whether the calls answer as the SQL does.
type Verdict struct {
	Right  bool
	Reason string // the first difference of the answers, "" for none
	// Open is set when SQL leaves the answer open: a right answer is one of the
	// right ones then, and that another one is wrong is not sure.
	Open   bool
	Answer [][]value.Value // the right one: the SQL's, or the calls' if only that is shown to be right
	// Ties numbers the runs of the answer's rows that may change places, as
	// verify.Options does; nil where any order is right.
	Ties []int
}

// Query runs a SELECT and returns its rows.
type Query func(ctx context.Context, sql string) ([][]value.Value, error)

// Verify holds the calls' answer against gold, the SQL's. Where they differ and
// SQL leaves the answer open, both must be among the right ones; query runs the
// statement in other forms to find out. Errors are those of the calls, of the
// query and of ctx.
func (r *Run) Verify(ctx context.Context, sql string, gold [][]value.Value, query Query) (Verdict, error) {
	before, err := r.beforeLimit(ctx)
	if err != nil {
		return Verdict{}, err
	}
	open, err := r.openChoices(ctx, before)
	if err != nil {
		return Verdict{}, err
	}
	equal, err := r.openEquals(ctx)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Right: true, Open: len(open) > 0, Answer: gold}
	options := before.options(len(gold))
	v.Ties = options.Ties
	same := verify.Compare(gold, r.Answer, options)
	if same.Equal {
		for _, e := range equal {
			if v.Open {
				break
			}
			if v.Open, err = r.matters(ctx, e, options); err != nil {
				return v, err
			}
		}
		return v, nil
	}
	v.Open = len(open) > 0 || len(equal) > 0
	v.Reason = same.Reason
	if v.Right = false; !v.Open {
		return v, nil
	}
	if v.Right = r.isRightByEquals(gold, equal, options); v.Right {
		v.Answer = r.Answer
		return v, nil
	}
	for _, e := range equal {
		open = append(open, e.Choice)
	}
	if v.Right, err = r.isRightByLimit(ctx, query, sql, gold, before); err != nil || v.Right {
		v.Answer = r.Answer
		return v, err
	}
	if v.Right = r.isRightByOrder(gold, open, options); v.Right {
		v.Answer = r.Answer
		return v, nil
	}
	if v.Right, err = r.isRightByChoice(ctx, gold, open, before); err == nil && v.Right {
		v.Answer = r.Answer
	}
	return v, err
}

// isRightByLimit reports whether both answers are right ones of a statement
// whose own LIMIT leaves it open. The rows before the LIMIT must be SQLite's.
func (r *Run) isRightByLimit(ctx context.Context, query Query, sql string, gold [][]value.Value, before *ordered) (bool, error) {
	whole, ok := dialect.WithoutLimit(sql)
	if !ok || !before.isOpen() {
		return false, nil
	}
	all, err := query(ctx, whole)
	if err != nil {
		return false, err
	}
	options := verify.Options{}
	if before.groups != nil {
		options = verify.Options{Ordered: true, Ties: before.groups}
	}
	if len(all) != len(before.rows) || !verify.Compare(before.rows, all, options).Equal {
		return false, nil
	}
	c := verify.Candidates{Rows: before.rows, Groups: before.groups, Limit: int64(before.limit), Offset: int64(before.offset)}
	return verify.OneOf(gold, c) && verify.OneOf(r.Answer, c), nil
}

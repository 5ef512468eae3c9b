package mixed

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/db/columns"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/planner/emit"
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/planner/rewrite"
	"github.com/birdcall/birdcall/internal/planner/ties"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// State is what became of a statement.
type State string

// The states.
const (
	Equal      State = "equal"              // both answers are the same, in the order that the SQL fixes
	OtherRight State = "other right answer" // SQL leaves the answer open, and both are right ones
	Unproven   State = "open"               // SQL may leave the answer open, and nothing shows that both are right
	Mismatch   State = "mismatch"
	Failed     State = "error"
	NoAnswer   State = "no answer" // the SQL fails on the file, too
)

// judge says whether another answer than the file's is right, by the plan of the
// statement on the file.
type judge struct {
	db   *sqlite.DB
	asOf time.Time

	once   sync.Once
	schema *sqlite.Schema
	store  *columns.Store
	err    error
}

// compare holds an answer against that of the file.
func (j *judge) compare(ctx context.Context, sql string, want, got [][]value.Value) (State, string) {
	tree, err := sqltree.Parse(sql)
	ordered := err == nil && len(tree.OrderBy) > 0
	same := verify.Compare(want, got, verify.Options{Ordered: ordered})
	if same.Equal {
		return Equal, ""
	}
	state, reason, err := j.proven(ctx, sql, want, got)
	switch {
	case err == nil:
		return state, reason
	case ties.MayBeOpen(sql) || verify.Compare(want, got, verify.Options{}).Equal:
		return Unproven, fmt.Sprintf("%s; nothing tells which answers are right: %v", same.Reason, err)
	}
	return Mismatch, same.Reason
}

// proven compares by the plan of the statement, which says what SQL leaves open.
func (j *judge) proven(ctx context.Context, sql string, want, got [][]value.Value) (_ State, _ string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("planning failed: %v", p)
		}
	}()
	run, err := j.run(ctx, sql)
	if err != nil {
		return "", "", err
	}
	fixed, _ := dialect.FixClock(sql, j.asOf)
	own, err := run.Verify(ctx, fixed, want, j.query)
	if err != nil {
		return "", "", err
	}
	if !own.Right {
		return "", "", fmt.Errorf("the plan's own answer cannot be shown to be right: %s", own.Reason)
	}
	if own.Ties == nil || len(own.Ties) == len(want) {
		if verify.Compare(want, got, verify.Options{Ordered: own.Ties != nil, Ties: own.Ties}).Equal {
			return Equal, "", nil
		}
	}
	other, err := run.Verify(ctx, fixed, got, j.query)
	switch {
	case err != nil:
		return "", "", err
	case other.Right:
		return OtherRight, other.Reason, nil
	case other.Open:
		return Unproven, other.Reason, nil
	}
	return Mismatch, other.Reason, nil
}

// run plans the statement and makes its calls.
func (j *judge) run(ctx context.Context, sql string) (*ties.Run, error) {
	j.once.Do(func() {
		if j.schema, j.err = sqltree.Schema(context.WithoutCancel(ctx), j.db); j.err == nil {
			j.store = columns.New(j.db, j.schema)
		}
	})
	if j.err != nil {
		return nil, j.err
	}
	q, err := sqltree.Read(sql, j.schema)
	if err != nil {
		return nil, err
	}
	run := &ties.Run{Session: tools.NewSession(j.store, tools.Options{Now: j.asOf})}
	if run.Plan, err = plan.Build(q, j.schema, plan.Options{AsOf: j.asOf}); err != nil {
		return nil, err
	}
	rewrite.Apply(run.Plan, j.schema)
	if run.Sequence, err = emit.Emit(run.Plan, j.schema, false); err != nil {
		return nil, err
	}
	run.Answer, err = run.Sequence.Run(ctx, run.Session)
	return run, err
}

func (j *judge) query(ctx context.Context, sql string) ([][]value.Value, error) {
	result, err := j.db.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	return result.Rows, nil
}

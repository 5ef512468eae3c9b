package pipeline

import (
	"context"
	"fmt"

	"github.com/birdcall/birdcall/internal/plan"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// run is a sequence that was executed.
type run struct {
	plan    *plan.Plan
	seq     *slot.Sequence
	session *tools.Session
	answer  [][]value.Value
}

// run executes a sequence by its tools.
func (d *database) run(ctx context.Context, p *plan.Plan, seq *slot.Sequence, opts Options) (*run, error) {
	r := &run{plan: p, seq: seq, session: d.session(opts)}
	var err error
	r.answer, err = execute(ctx, r.session, seq, seq.Calls)
	return r, err
}

func (d *database) session(opts Options) *tools.Session {
	return tools.NewSession(d.store, tools.Options{Now: opts.AsOf})
}

// session runs calls under the names of a variant.
type session interface {
	Init(ctx context.Context, s tools.Start) (*tools.Table, error)
	Run(ctx context.Context, c tools.Call) (*tools.Table, error)
	Table(label string) (*tools.Table, bool)
}

// execute runs the calls of a sequence, or others that stand for them, from its
// starting tables on, and returns the answer.
func execute(ctx context.Context, in session, seq *slot.Sequence, calls []tools.Call) ([][]value.Value, error) {
	for _, s := range seq.Starts {
		if _, err := in.Init(ctx, s); err != nil {
			return nil, err
		}
	}
	for i, c := range calls {
		if _, err := in.Run(ctx, c); err != nil {
			return nil, fmt.Errorf("call %d: %w", i, err)
		}
	}
	t, ok := in.Table(seq.Result)
	if !ok {
		return nil, fmt.Errorf("no result %q", seq.Result)
	}
	return t.Rows(ctx)
}

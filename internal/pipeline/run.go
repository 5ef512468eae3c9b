package pipeline

import (
	"context"
	"fmt"

	"github.com/birdcall/birdcall/pkg/plan"
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
	r := &run{plan: p, seq: seq, session: tools.NewSession(d.store, tools.Options{Now: opts.AsOf})}
	for _, s := range seq.Starts {
		if _, err := r.session.Init(ctx, s); err != nil {
			return nil, err
		}
	}
	for i, c := range seq.Calls {
		if _, err := r.session.Run(ctx, c); err != nil {
			return nil, fmt.Errorf("call %d: %w", i, err)
		}
	}
	t, ok := r.session.Table(seq.Result)
	if !ok {
		return nil, fmt.Errorf("no result %q", seq.Result)
	}
	var err error
	r.answer, err = t.Rows(ctx)
	return r, err
}

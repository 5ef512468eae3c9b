package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// The variants that are made of plans.
const (
	SLOT = "slot"
	SEL  = "sel"
)

// specs returns the specifications of a variant's tools for tables with these
// keys.
func (o Options) specs(keys []slot.Key) []slot.Spec {
	if o.Variant == SEL {
		return o.set(keys).Specs()
	}
	return slot.Specs(keys, o.Toolset)
}

func (o Options) set(keys []slot.Key) *sel.Set {
	return sel.New(o.Toolset.Definitions(), o.Toolset.Operations(), keys)
}

// bind returns a verified SLOT record under SEL names. Its sequence is run
// under these names, and has to give the answer that was verified.
func (d *database) bind(ctx context.Context, verified *run, r *slot.Record, opts Options) (*slot.Record, error) {
	set := opts.set(r.Keys)
	bound, err := set.Record(r)
	if err != nil {
		return nil, err
	}
	session := sel.NewSession(set, tools.NewSession(d.store, tools.Options{Now: opts.AsOf}))
	for _, s := range verified.seq.Starts {
		if _, err := session.Init(ctx, s); err != nil {
			return nil, err
		}
	}
	for i, c := range bound.Output {
		if _, err := session.Run(ctx, c); err != nil {
			return nil, fmt.Errorf("call %d: %w", i, err)
		}
	}
	t, ok := session.Table(verified.seq.Result)
	if !ok {
		return nil, fmt.Errorf("no result %q", verified.seq.Result)
	}
	rows, err := t.Rows(ctx)
	if err != nil {
		return nil, err
	}
	if !slices.EqualFunc(rows, verified.answer, slices.Equal) {
		return nil, fmt.Errorf("the bound calls give another answer than the calls they are made of")
	}
	return bound, nil
}

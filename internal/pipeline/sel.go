package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// bind returns the calls of a verified SLOT record under SEL names. They are run
// under these names, and have to give the answer that was verified.
func (d *planned) bind(ctx context.Context, verified *run, r *slot.Record) ([]tools.Call, error) {
	set := d.set(r.Keys)
	calls, err := set.BindAll(r.Output)
	if err != nil {
		return nil, err
	}
	rows, err := execute(ctx, sel.NewSession(set, d.session(d.opts)), verified.seq, calls)
	if err != nil {
		return nil, err
	}
	if !slices.EqualFunc(rows, verified.answer, slices.Equal) {
		return nil, fmt.Errorf("the bound calls give another answer than the calls they are made of")
	}
	return calls, nil
}

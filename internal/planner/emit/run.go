package emit

import (
	"context"
	"fmt"

	"github.com/birdcall/birdcall/internal/db/budget"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Session runs calls and keeps their results, under the tools' own names or
// under others.
type Session interface {
	Init(ctx context.Context, s tools.Start) (*tools.Table, error)
	Run(ctx context.Context, c tools.Call) (*tools.Table, error)
	Table(label string) (*tools.Table, bool)
}

// Run runs the calls of a sequence in a session, from its starting tables on,
// and returns the rows of its answer. Errors are those of the session.
func (s *Sequence) Run(ctx context.Context, in Session) ([][]value.Value, error) {
	for _, start := range s.Starts {
		if _, err := in.Init(ctx, start); err != nil {
			return nil, err
		}
	}
	for i, c := range s.Calls {
		if _, err := in.Run(ctx, c); err != nil {
			return nil, fmt.Errorf("call %d: %w", i, err)
		}
	}
	t, ok := in.Table(s.Result)
	if !ok {
		return nil, fmt.Errorf("no result %q", s.Result)
	}
	const row, cell = 24, 32 // bytes of one
	if err := budget.Of(ctx).Spend(int64(t.Len()) * (row + cell*int64(len(t.Fields())))); err != nil {
		return nil, err
	}
	return t.Rows(ctx)
}

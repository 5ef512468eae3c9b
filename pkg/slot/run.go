package slot

import (
	"context"
	"errors"

	"github.com/birdcall/birdcall/internal/planner/emit"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Session runs calls and keeps their results by label. A *tools.Session takes calls
// with the tools' own names.
type Session interface {
	Init(ctx context.Context, s tools.Start) (*tools.Table, error)
	Run(ctx context.Context, c tools.Call) (*tools.Table, error)
	Table(label string) (*tools.Table, bool)
}

// Run runs the calls of a record in a session, beginning with its starting tables, and
// returns the rows of the last result. Errors are those of the session.
func Run(ctx context.Context, r *record.Slot, in Session) ([][]value.Value, error) {
	if r == nil || in == nil {
		return nil, errors.New("slot: no record or no session is given")
	}
	seq := emit.Sequence{Starts: r.Starts(), Calls: r.Calls, Result: r.Initialization.Label}
	if n := len(r.Calls); n > 0 {
		seq.Result = r.Calls[n-1].Label
	}
	return seq.Run(ctx, in)
}

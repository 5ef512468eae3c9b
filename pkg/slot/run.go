package slot

import (
	"context"
	"errors"

	"github.com/birdcall/birdcall/internal/planner/emit"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Session runs calls and keeps their results by label. A *tools.Session does so
// under the tools' own names.
type Session interface {
	Init(ctx context.Context, s tools.Start) (*tools.Table, error)
	Run(ctx context.Context, c tools.Call) (*tools.Table, error)
	Table(label string) (*tools.Table, bool)
}

// Run runs the calls of a record in a session, from its starting tables on, and
// returns the rows of the last result. Errors are those of the session.
func (r *Record) Run(ctx context.Context, in Session) ([][]value.Value, error) {
	if in == nil {
		return nil, errors.New("slot: no session is given")
	}
	seq := emit.Sequence{Starts: r.Starts(), Calls: r.Output, Result: r.Initialization.Label}
	if n := len(r.Output); n > 0 {
		seq.Result = r.Output[n-1].Label
	}
	return seq.Run(ctx, in)
}

// Starts returns all starting tables: the initialization and the further ones.
func (r *Record) Starts() []tools.Start {
	return append([]tools.Start{r.Initialization}, r.Further...)
}

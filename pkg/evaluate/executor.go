package evaluate

import (
	"context"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Executor runs calls against the databases that samples are about. Several
// goroutines may use one at once.
type Executor interface {
	// Episode begins a run of calls on the sample's starting tables.
	Episode(ctx context.Context, s *Sample) (Episode, error)
	// Query runs one SELECT on the sample's database, and nothing that writes.
	Query(ctx context.Context, s *Sample, sql string) ([][]value.Value, error)
}

// Episode runs calls one after the other. It is for one goroutine at a time.
type Episode interface {
	// Call runs a call under its real name and keeps the result under the
	// call's label.
	Call(ctx context.Context, c tools.Call) Result
}

// Result is what a call returned.
type Result struct {
	Rows  [][]value.Value
	Shown string // as a model is shown it, shortened where it is long
	Err   error  // why there is no result, in words for a model
}

package execute

import (
	"context"

	"github.com/birdcall/birdcall/internal/convert/multi/session"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// pair begins a run of calls over two databases.
func (d *Databases) pair(ctx context.Context, s *evaluate.Sample) (evaluate.Episode, error) {
	if variant.Of(s.Variant).Calls == variant.Endpoints {
		x, err := d.service(ctx)
		if err != nil {
			return nil, err
		}
		return &pairOfRequests{session.NewEndpoints(x.Client, s.Pair.Databases)}, nil
	}
	var sessions []*tools.Session
	for _, id := range s.Pair.Databases {
		db, err := d.open.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		sessions = append(sessions, slot.NewConverter(db.tools, slot.Options{AsOf: asOf(s)}).NewSession())
	}
	made, err := session.New(ctx, s.Pair, sessions)
	if err != nil {
		return nil, err
	}
	return &calls{made, d.opts.Timeout, patience * d.opts.Timeout}, nil
}

// pairOfRequests is an episode of endpoints of two databases.
type pairOfRequests struct{ *session.Endpoints }

func (r *pairOfRequests) Call(ctx context.Context, c tools.Call) evaluate.Result {
	got, err := r.Run(ctx, c)
	if err != nil {
		return evaluate.Result{Err: err}
	}
	return resultOf(got.Rows, func(ctx context.Context) (*observation.Observation, error) { return got.Observation(ctx, c) })
}

package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Session runs calls of the form SLOT: those of tools, on tables of two databases,
// and Compare. It is for one goroutine at a time.
type Session struct{ *tools.Session }

var _ slot.Session = (*Session)(nil)

// New returns a session that has the starting tables of a record. sessions
// are one for each part, on the part's database; the first of them runs all calls.
// Errors are those of making the tables.
func New(ctx context.Context, r *record.Multi, sessions []*tools.Session) (*Session, error) {
	if len(sessions) != len(r.Parts) || len(sessions) == 0 {
		return nil, fmt.Errorf("multi: %d sessions for %d parts; give one for each", len(sessions), len(r.Parts))
	}
	for i := range r.Parts {
		starts := r.Parts[i].Starts()
		if len(starts) == 0 {
			return nil, errors.New("multi: the record's calls are those of endpoints; run them by NewEndpoints")
		}
		for _, start := range starts {
			table, err := sessions[i].Init(ctx, start)
			if err != nil {
				return nil, err
			}
			if err := sessions[0].Put(cmp.Or(start.Label, tools.StartLabel), table); err != nil {
				return nil, err
			}
		}
	}
	return &Session{sessions[0]}, nil
}

// Run runs one call and keeps the result under its label. Errors are those of
// tools.Session.Run.
func (s *Session) Run(ctx context.Context, c tools.Call) (*tools.Table, error) {
	if c.Name != multi.CompareTool {
		return s.Session.Run(ctx, c)
	}
	t, err := compare(c, func(argument, label string) (value.Value, error) {
		t, ok := s.Table(label)
		if !ok {
			return value.Value{}, noResult(argument, label, s.Labels())
		}
		return one(ctx, argument, t)
	})
	if err != nil || c.Label == "" {
		return t, err
	}
	return t, s.Put(c.Label, t)
}

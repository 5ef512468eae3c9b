package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/birdcall/birdcall/internal/convert/chat"
	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/internal/convert/multi/session"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// ran is what the calls of a pair returned.
type ran struct {
	rows     map[string][][]value.Value // by label
	returned []string                   // by call, as models are shown it
	last     *observation.Observation
}

// maxBytes is how much of the databases' columns is kept between pairs.
const maxBytes = 1 << 30

// run runs the calls of a record.
func (p *pairs) run(ctx context.Context, r *record.Multi) (*ran, error) {
	out := &ran{rows: map[string][][]value.Value{}}
	call, err := p.caller(ctx, r)
	if err != nil {
		return nil, err
	}
	for i, c := range r.Calls {
		result, err := call(c)
		if err != nil {
			return nil, fmt.Errorf("call %d: %w", i, err)
		}
		if i == len(r.Calls)-1 || slices.ContainsFunc(r.Parts, func(p record.Part) bool { return p.Result == c.Label }) {
			if out.rows[c.Label], err = result.rows(ctx); err != nil {
				return nil, err
			}
		}
		if !p.Writing.Messages {
			continue
		}
		if out.last, err = result.show(ctx); err != nil {
			return nil, err
		}
		text, err := out.last.JSON()
		if err != nil {
			return nil, err
		}
		out.returned = append(out.returned, text)
	}
	p.forget()
	return out, nil
}

// forget keeps the columns of few databases at a time: pairs are of all of them.
func (p *pairs) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := int64(0)
	for _, d := range p.databases {
		sum += d.Bytes()
	}
	if sum > maxBytes {
		for _, d := range p.databases {
			d.Forget()
		}
	}
}

// result is what one call returned.
type result struct {
	rows func(context.Context) ([][]value.Value, error)
	show func(context.Context) (*observation.Observation, error)
}

// caller returns what runs the calls of a record.
func (p *pairs) caller(ctx context.Context, r *record.Multi) (func(tools.Call) (result, error), error) {
	if r.Form == record.REST {
		in := session.NewEndpoints(p.endpoints.Client, r.Databases)
		return func(c tools.Call) (result, error) {
			got, err := in.Run(ctx, c)
			return result{
				rows: func(context.Context) ([][]value.Value, error) { return got.Rows, nil },
				show: func(ctx context.Context) (*observation.Observation, error) { return got.Observation(ctx, c) },
			}, err
		}, nil
	}
	var sessions []*tools.Session
	for _, db := range r.Databases {
		converter := slot.NewConverter(p.databases[db].Database, slot.Options{AsOf: p.AsOf})
		sessions = append(sessions, converter.NewSession())
	}
	in, err := session.New(ctx, r, sessions)
	if err != nil {
		return nil, err
	}
	return func(c tools.Call) (result, error) {
		t, err := in.Run(ctx, c)
		return result{
			rows: func(ctx context.Context) ([][]value.Value, error) { return t.Rows(ctx) },
			show: func(ctx context.Context) (*observation.Observation, error) { return observation.OfTable(ctx, c, t) },
		}, err
	}, nil
}

// observe shows what the calls returned.
func (p *pairs) observe(ctx context.Context, s *prepared) error {
	r := s.multiRecord
	run, err := p.run(ctx, r)
	if err != nil {
		return err
	}
	s.observed = &observed{
		Sample: chat.Sample{System: multi.System(r), Result: "$LABEL$", Question: r.Question, Evidence: r.Evidence, Returned: run.returned},
		answer: func(calls []tools.Call) (string, error) { return chat.Answer(run.last, r.GoldAnswer, "") },
	}
	return nil
}

// multiWith returns the record with those calls instead of its own, such as the
// same ones under obfuscated names, and without its tools, which have others.
func multiWith(r *record.Multi, calls []tools.Call) *record.Multi {
	out := *r
	out.Tools, out.Calls = nil, calls
	return &out
}

package pipeline

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// slotMaker makes SLOT and SEL samples: a question's SQL is planned, and the plan
// written as calls.
type slotMaker struct{ Options }

func openPlanner(_ context.Context, opts Options) (maker, error) { return slotMaker{opts}, nil }

// planToolset is the toolset of calls on tables.
func planToolset(o Options) string { return string(o.Toolset) }

func (p slotMaker) open(ctx context.Context, info *bird.Database) (database, error) {
	db, err := slot.OpenWith(ctx, info, slot.OpenOptions{MaxValue: p.maxValue()})
	if err != nil {
		return nil, err
	}
	opts := slot.Options{Toolset: p.Toolset, AsOf: p.AsOf, WithoutTools: true}
	d := &slotDatabase{Database: db, id: info.ID, timeout: p.Timeout, messages: p.Writing.Messages}
	if p.variant().Bound {
		set := func(r *record.Slot) *sel.Set { return sel.New(p.Toolset.Definitions(nil), r.Keys) }
		d.converter, d.set = sel.NewConverter(db, opts), set
	} else {
		d.converter = slot.NewConverter(db, opts)
	}
	return d, nil
}

func (p slotMaker) report(context.Context, *Report) error     { return nil }
func (p slotMaker) finish(context.Context, *outdir.Dir) error { return nil }
func (p slotMaker) close()                                    {}

// converter is that of SLOT or of SEL.
type converter interface {
	Convert(ctx context.Context, q *bird.Question, opts ...slot.ConvertOption) (*record.Slot, error)
	Tools(r *record.Slot) []spec.Tool
	AllTools(records ...*record.Slot) []spec.Tool
	SessionOf(r *record.Slot) slot.Session
	Needs() *slot.Needs
	AddNeeds(n *slot.Needs)
}

// slotDatabase is a database whose questions are slotDatabase.
type slotDatabase struct {
	*slot.Database
	id        string
	converter converter
	timeout   time.Duration               // for one question, and for one call outside of it
	messages  bool                        // whether samples have a chat
	set       func(*record.Slot) *sel.Set // the functions of a record of SEL; nil for SLOT
}

func (d *slotDatabase) needs() *slot.Needs     { return d.converter.Needs() }
func (d *slotDatabase) addNeeds(n *slot.Needs) { d.converter.AddNeeds(n) }

func (d *slotDatabase) report(*Report)   {}
func (d *slotDatabase) unchanged() error { return d.Unchanged() }
func (d *slotDatabase) close()           { _ = d.Close() } // what was only read needs no Close to succeed

func (d *slotDatabase) tools(samples []*prepared) []spec.Tool {
	records := make([]*record.Slot, len(samples))
	for i, s := range samples {
		records[i] = s.slotRecord
	}
	return d.converter.AllTools(records...)
}

func (d *slotDatabase) document(_ context.Context, list []spec.Tool) ([]byte, error) {
	text, err := jsontext.Marshal(spec.OpenAPI(d.id, list), "  ")
	return append(text, '\n'), err
}

func (d *slotDatabase) sample(ctx context.Context, o *outcome) error {
	w := &watcher{}
	var opts []slot.ConvertOption
	if d.messages {
		opts = append(opts, slot.WithWatch(w.in))
	}
	r, err := d.converter.Convert(ctx, o.question, opts...)
	if why := (*slot.Error)(nil); errors.As(err, &why) {
		o.explain(why)
	}
	if err != nil {
		return err
	}
	o.tie = r.TieDependent
	o.sample = &prepared{
		calls: r.Calls, slotRecord: r,
		tools: func() []spec.Tool { return d.converter.Tools(r) },
		record: func(calls []tools.Call) (any, error) {
			out := *r
			out.Calls = calls
			return out, nil
		},
	}
	if d.messages {
		o.sample.observed = w.observed(r)
	}
	return nil
}

// explain says in the report's words why there is no sample.
func (o *outcome) explain(why *slot.Error) {
	switch {
	case errors.Is(why, slot.ErrSQL):
		o.fail(SQLError, "SQL", "%v", engine.Why(why.Err))
	case errors.Is(why, slot.ErrOpen):
		o.fail(Unsupported, "open answer", "%v", why)
	case errors.Is(why, slot.ErrMismatch):
		o.fail(Mismatch, "answer", "%v", why.Err)
	default:
		o.fail(Unsupported, cmp.Or(why.Construct, "unknown"), "%v", why.Err)
	}
}

package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/convert/chat"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// messagesColumn is the field of a record that holds its chat.
const messagesColumn = "messages"

// observed is the chat of a sample but for the calls, whose names depend on how
// they are written, and for the answer, which may name the last of them.
type observed struct {
	chat.Sample
	answer func(calls []tools.Call) (string, error)
}

// messages returns the sample as a chat with these calls instead of its own.
func (o *observed) messages(calls []tools.Call) ([]chat.Message, error) {
	whole := o.Sample
	whole.Calls = calls
	var err error
	if whole.Answer, err = o.answer(calls); err != nil {
		return nil, err
	}
	return whole.Messages()
}

// watcher is a session that keeps what each call returned, as a model is shown it.
type watcher struct {
	slot.Session
	last     *observation.Observation
	returned []string
}

// in watches a session.
func (w *watcher) in(s slot.Session) slot.Session {
	w.Session = s
	return w
}

// Init begins with a starting table, which is the answer if there is no call.
func (w *watcher) Init(ctx context.Context, s tools.Start) (*tools.Table, error) {
	t, err := w.Session.Init(ctx, s)
	if err == nil && w.last == nil {
		w.last, err = observation.OfTable(ctx, tools.Call{Label: cmp.Or(s.Label, tools.StartLabel)}, t)
	}
	return t, err
}

// Run runs a call and shows its result.
func (w *watcher) Run(ctx context.Context, c tools.Call) (*tools.Table, error) {
	t, err := w.Session.Run(ctx, c)
	if err != nil {
		return nil, err
	}
	if w.last, err = observation.OfTable(ctx, c, t); err != nil {
		return nil, err
	}
	text, err := w.last.JSON()
	w.returned = append(w.returned, text)
	return t, err
}

// observed returns the chat of the record whose calls it has watched.
func (w *watcher) observed(r *record.Slot) *observed {
	last := w.last // and not w, whose session has all results
	return &observed{
		Sample: chat.Sample{
			System: strings.TrimSuffix(slot.System(r), "\n"), Result: "$LABEL$", Time: r.AsOf,
			Question: r.Question, Evidence: r.Evidence, Returned: w.returned,
		},
		answer: func([]tools.Call) (string, error) { return chat.Answer(last, last.Rows, "$"+last.Label+"$") },
	}
}

// observe runs the calls of a sample again.
func (d *slotDatabase) observe(ctx context.Context, s *prepared) error {
	w := &watcher{}
	if _, err := slot.Run(ctx, s.slotRecord, w.in(d.converter.SessionOf(s.slotRecord))); err != nil {
		return err
	}
	s.observed = w.observed(s.slotRecord)
	return nil
}

// observe shows what the endpoint answered.
func (s *restDatabase) observe(_ context.Context, p *prepared) error {
	r := p.restRecord
	last, err := observation.OfAnswer(r.ToolCalls()[0], r.Result)
	if err != nil {
		return err
	}
	text, err := last.JSON()
	if err != nil {
		return err
	}
	p.observed = &observed{
		Sample: chat.Sample{
			System: fmt.Sprintf("Answer the question about the database %s by calling one of the endpoints, which return rows as JSON.", r.DB),
			Result: "name_of_the_endpoint", Time: r.AsOf,
			Question: r.Question, Evidence: r.Evidence, Returned: []string{text},
		},
		answer: func(calls []tools.Call) (string, error) { return chat.Answer(last, r.GoldAnswer, calls[0].Name) },
	}
	return nil
}

package pipeline

import (
	"encoding/json"
	"fmt"

	"github.com/birdcall/birdcall/internal/convert/chat"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// shardOutcome is what a shard keeps of a question: its outcome, with the sample as it is
// before tools are listed and names are chosen for all questions together.
type shardOutcome struct {
	ID        bird.ID         `json:"question_id"`
	Status    Status          `json:"status,omitempty"`
	Construct string          `json:"construct,omitempty"`
	Reason    string          `json:"reason,omitempty"`
	Tie       bool            `json:"tie,omitempty"`
	Record    json.RawMessage `json:"record,omitempty"`
	Chat      *chat.Sample    `json:"chat,omitempty"` // of SLOT and SEL: what the calls returned takes running them
}

// keep returns what to keep of an outcome.
func (o *outcome) keep() (*shardOutcome, error) {
	k := &shardOutcome{ID: o.question.ID, Status: o.status, Construct: o.construct, Reason: o.reason, Tie: o.tie}
	if o.status != "" {
		return k, nil
	}
	record, err := o.sample.record(o.sample.calls)
	if err != nil {
		return nil, err
	}
	if k.Record, err = jsontext.Marshal(record, ""); err != nil {
		return nil, err
	}
	if o.sample.observed != nil && o.sample.slotRecord != nil {
		whole := o.sample.observed.Sample
		whole.Answer, err = o.sample.observed.answer(o.sample.calls)
		k.Chat = &whole
	}
	return k, err
}

// restore makes the outcome of a question that a shard has worked on.
func (k *shardOutcome) restore(in database, q *bird.Question) (*outcome, error) {
	o := &outcome{question: q, status: k.Status, construct: k.Construct, reason: k.Reason, tie: k.Tie}
	if k.ID != q.ID {
		return nil, fmt.Errorf("question %s is in the place of %s", k.ID, q.ID)
	}
	if o.status != "" {
		return o, nil
	}
	if err := in.restore(o, k); err != nil {
		return nil, fmt.Errorf("question %s: %w", q.ID, err)
	}
	return o, nil
}

func (d *slotDatabase) restore(o *outcome, k *shardOutcome) error {
	r := &record.Slot{}
	if err := json.Unmarshal(k.Record, r); err != nil {
		return err
	}
	fields, err := readFields(k.Record)
	if err != nil {
		return err
	}
	o.sample = &prepared{
		calls: r.Calls, slotRecord: r,
		tools:  func() []spec.Tool { return d.converter.Tools(r) },
		record: func(calls []tools.Call) (any, error) { return fields.Set(outputField, calls), nil },
	}
	if k.Chat != nil {
		answer := k.Chat.Answer
		o.sample.observed = &observed{Sample: *k.Chat, answer: func([]tools.Call) (string, error) { return answer, nil }}
	}
	return nil
}

// restore gives the endpoint the name that it has among those of all shards.
func (s *restDatabase) restore(o *outcome, k *shardOutcome) error {
	r := &record.Rest{}
	if err := json.Unmarshal(k.Record, r); err != nil {
		return err
	}
	call, err := s.converter.API.Call(o.question)
	if err != nil {
		return err
	}
	for i := range r.Calls {
		r.Calls[i].Name, r.Calls[i].Path = call.Endpoint.Name, call.Endpoint.Path
	}
	fields, err := readFields(k.Record)
	if err != nil {
		return err
	}
	r.GoldAnswer, _ = fields.Get(goldField) // digit by digit
	o.sample = &prepared{
		calls: r.ToolCalls(), restRecord: r,
		tools:  func() []spec.Tool { return s.list },
		record: func(calls []tools.Call) (any, error) { return fields.Set(outputField, restWith(r, calls).Calls), nil },
	}
	return nil
}

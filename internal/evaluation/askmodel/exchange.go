package askmodel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/birdcall/birdcall/internal/convert/chat"
	"github.com/birdcall/birdcall/internal/evaluation/chatapi"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
)

// exchange asks one sample.
type exchange struct {
	*runner
	sample     *evaluate.Sample
	shown      *evaluate.Sample // the same with the tools that the model is shown
	prediction evaluate.Prediction
	sent       evaluate.Usage // by this run
}

// run fills in the prediction. Its error ends the whole run.
func (e *exchange) run(ctx context.Context) error {
	if e.Mode == evaluate.Agent {
		return e.agent(ctx)
	}
	e.choose()
	listed := len(e.shown.Tools)
	if e.Native && e.MaxTools > 0 && listed > e.MaxTools {
		e.prediction.Status = evaluate.NotRun
		e.prediction.Reason = fmt.Sprintf("it lists %d tools, and --max-tools is %d; give --shortlist, or leave --native out", listed, e.MaxTools)
		return nil
	}
	if e.Mode == evaluate.ReAct {
		return e.react(ctx)
	}
	if before, ok := e.journal.recorded[keyOf(e.sample)]; ok && before.Usage != nil {
		e.prediction.Usage.Add(*before.Usage) // it failed then
		e.prediction.Usage.Cost = 0           // which is made of the tokens
	}
	request, err := e.request(ctx)
	if err != nil {
		return err
	}
	answer, err := e.ask(ctx, request)
	if err != nil {
		return e.settle(ctx, err)
	}
	e.prediction.Finish = answer.Finish
	switch m := answer.Message; {
	case e.Mode == evaluate.SQL:
		e.prediction.SQL, e.prediction.Text = statement(m.Content), m.Content
	case e.Native || len(m.ToolCalls) > 0: // some servers read the calls themselves
		e.prediction.Message = &m
	default:
		e.prediction.Text = m.Content
	}
	return nil
}

// request writes what is asked in one go.
func (e *exchange) request(ctx context.Context) (chatapi.Request, error) {
	switch {
	case e.Mode == evaluate.SQL:
		schema, err := e.Schemas.Schema(ctx, e.sample)
		if err != nil {
			return chatapi.Request{}, err
		}
		text, err := e.Prompts.SQL(e.sample, schema)
		return e.inText(text), err
	case e.Native && isStructured(e.shown):
		return e.structured()
	case e.Native:
		system, user, err := e.Prompts.NativeDirect(e.shown)
		if err != nil {
			return chatapi.Request{}, err
		}
		return e.toolRequest(system, user)
	}
	text, err := e.Prompts.Direct(e.shown)
	return e.inText(text), err
}

// inText is a request that is one text.
func (e *exchange) inText(text string) chatapi.Request {
	return chatapi.Request{Model: e.Model, Sampling: e.Sampling, Messages: []chat.Message{{Role: chat.User, Content: text}}}
}

// toolRequest is a request with the tools outside of the text.
func (e *exchange) toolRequest(system, user string) (chatapi.Request, error) {
	list, err := spec.OpenAI.List(e.shown.Tools)
	return chatapi.Request{Model: e.Model, Sampling: e.Sampling, Tools: list,
		Messages: []chat.Message{{Role: chat.System, Content: system}, {Role: chat.User, Content: user}}}, err
}

// isStructured says whether a sample's tool is the form of an answer.
func isStructured(s *evaluate.Sample) bool {
	return s.Variant == record.QUERY && len(s.Tools) == 1 && s.Tools[0].Name == query.AnswerName
}

// structured is a request for an answer of the tool's form.
func (e *exchange) structured() (chatapi.Request, error) {
	system, user, err := e.Prompts.StructuredQuery(e.shown)
	if err != nil {
		return chatapi.Request{}, err
	}
	text, err := json.Marshal(e.shown.Tools[0])
	if err != nil {
		return chatapi.Request{}, err
	}
	var tool struct {
		Parameters json.RawMessage `json:"parameters"` // in the order of the tool
	}
	if err := json.Unmarshal(text, &tool); err != nil {
		return chatapi.Request{}, err
	}
	r, err := e.toolRequest(system, user)
	r.Tools, r.Format = nil, &chatapi.Format{Name: query.AnswerName, Schema: tool.Parameters}
	return r, err
}

// ask asks the model and counts what that took.
func (e *exchange) ask(ctx context.Context, r chatapi.Request) (chatapi.Answer, error) {
	answer, err := e.Asker.Complete(ctx, r)
	used := usageOf(answer, err)
	e.prediction.Usage.Add(used)
	e.sent.Add(used)
	e.prediction.Simulated = e.prediction.Simulated || answer.Simulated
	return answer, err
}

func usageOf(a chatapi.Answer, err error) evaluate.Usage {
	u := evaluate.Usage{Attempts: a.Attempts, PromptTokens: a.PromptTokens, CompletionTokens: a.CompletionTokens}
	if err == nil {
		u.Requests = 1
		if !a.Measured {
			u.Unmeasured = 1
		}
	}
	return u
}

// settle writes down that there is no answer, or returns an error that ends the
// run.
func (e *exchange) settle(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil || errors.Is(err, chatapi.ErrUnauthorized) || errors.Is(err, chatapi.ErrNotFound):
		return err
	case errors.Is(err, chatapi.ErrContextLength):
		e.prediction.Status = evaluate.NotRun
	default:
		e.prediction.Status = evaluate.Failed
	}
	e.prediction.Reason = err.Error()
	return nil
}

package askmodel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/convert/chat"
	"github.com/birdcall/birdcall/internal/evaluation/chatapi"
	"github.com/birdcall/birdcall/internal/evaluation/toolnames"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// finishContext is the Finish of an exchange that grew longer than the model
// reads.
const finishContext = "context_length_exceeded"

// react asks for one action after the other. Turns that were recorded are taken
// from the journal, and their calls are run again.
func (e *exchange) react(ctx context.Context) error {
	episode, err := e.Executor.Episode(ctx, e.sample)
	if err != nil {
		return err
	}
	a := &acting{exchange: e, episode: episode, labels: toolnames.NewLabeler(e.sample)}
	return a.converse(ctx, func(pad string) (string, error) {
		return e.Prompts.ReAct(e.shown, e.Loops, pad)
	}, func() (system, user string, err error) {
		return e.Prompts.NativeReAct(e.shown, e.Loops)
	})
}

// converse has the model act until it ends, in words or by the endpoint's own
// interface.
func (a *acting) converse(ctx context.Context, words func(pad string) (string, error), native func() (system, user string, err error)) (err error) {
	e := a.exchange
	for _, t := range e.journal.earlier[keyOf(e.sample)] {
		e.prediction.Usage.Add(t.Usage)
		if t.Message != nil {
			a.recorded = append(a.recorded, t)
		}
	}
	if e.Native {
		err = a.native(ctx, native)
	} else {
		err = a.inWords(ctx, words)
	}
	if err == nil {
		return nil
	}
	if errors.Is(err, chatapi.ErrContextLength) && len(e.prediction.Steps) > 0 {
		e.prediction.Finish = finishContext // the model has had its say
		return nil
	}
	return e.settle(ctx, err)
}

// acting is the course of ReAct on one sample.
type acting struct {
	*exchange
	episode  evaluate.Episode
	labels   *toolnames.Labeler
	recorded []turn                         // that are yet to come
	done     func(tools.Call) (bool, error) // whether a call ends it; nil for none that does. The error is for the model
	isDone   bool
	found    []spec.Tool // by searches, each once
}

// next returns the model's next message: a recorded one, or one that it is asked
// for and that is recorded.
func (a *acting) next(ctx context.Context, request func() (chatapi.Request, error)) (evaluate.Message, error) {
	if len(a.recorded) > 0 {
		t := a.recorded[0]
		a.recorded = a.recorded[1:]
		a.prediction.Finish = t.Finish
		a.prediction.Simulated = a.prediction.Simulated || t.Simulated
		return *t.Message, nil
	}
	r, err := request()
	if err != nil {
		return evaluate.Message{}, err
	}
	answer, err := a.ask(ctx, r)
	t := turn{DB: a.sample.DB, ID: a.sample.ID, Finish: answer.Finish, Usage: usageOf(answer, err), Simulated: answer.Simulated}
	if err == nil {
		t.Message = &answer.Message
	} else {
		if ctx.Err() != nil {
			return evaluate.Message{}, ctx.Err()
		}
		t.Reason = err.Error()
	}
	if recorded := a.journal.turns.add(t); recorded != nil {
		return evaluate.Message{}, recorded
	}
	a.prediction.Finish = answer.Finish
	return answer.Message, err
}

// inWords has the actions written in text.
func (a *acting) inWords(ctx context.Context, prompt func(pad string) (string, error)) error {
	var pad strings.Builder
	for range a.Loops {
		m, err := a.next(ctx, func() (chatapi.Request, error) {
			text, err := prompt(pad.String())
			return a.inText(text), err
		})
		if err != nil {
			return err
		}
		text := thinking.ReplaceAllString(m.Content, "")
		text, _, _ = strings.Cut(text, stopWord) // of servers that know no stop words
		said := readAction(text)
		if said.final {
			a.prediction.Answer = said.answer
			return nil
		}
		var seen string
		if said.wrong == "" {
			seen, err = a.act(ctx, text, said.call)
		} else {
			seen, err = a.mistake(text, nil, errors.New(said.wrong))
		}
		if err != nil || a.isDone {
			return err
		}
		thought := strings.TrimSpace(text)
		thought = strings.TrimSpace(strings.TrimPrefix(thought, "Thought:"))
		fmt.Fprintf(&pad, " %s%s: %s\nThought:", thought, stopWord, seen)
	}
	return nil
}

// native has the actions made as calls of the endpoint's interface. A message may
// have several, of which each is a step.
func (a *acting) native(ctx context.Context, prompt func() (system, user string, err error)) error {
	system, user, err := prompt()
	if err != nil {
		return err
	}
	request, err := a.toolRequest(system, user)
	if err != nil {
		return err
	}
	for range a.Loops {
		m, err := a.next(ctx, func() (chatapi.Request, error) { return request, nil })
		if err != nil {
			return err
		}
		if len(m.ToolCalls) == 0 {
			a.prediction.Answer = m.Content
			return nil
		}
		said := chat.Message{Role: chat.Assistant, Content: m.Content}
		var observed []chat.Message
		text := m.Content
		for i, c := range m.ToolCalls {
			if len(a.prediction.Steps) == a.Loops {
				return nil
			}
			id := c.ID
			if id == "" {
				id = fmt.Sprintf("call_%d_%d", len(request.Messages), i)
			}
			seen, err := a.called(ctx, text, &c)
			if err != nil || a.isDone {
				return err
			}
			said.ToolCalls = append(said.ToolCalls, chat.ToolCall{ID: id, Type: "function", Function: chat.Function(c.Function)})
			observed = append(observed, chat.Message{Role: chat.Tool, ToolCallID: id, Content: seen})
			text = ""
		}
		request.Messages = append(append(request.Messages, said), observed...)
		if len(a.found) > 0 {
			if request.Tools, err = spec.OpenAI.List(a.tools()); err != nil {
				return err
			}
		}
	}
	return nil
}

// called runs a call of the endpoint's interface. Arguments that are no JSON are
// taken out of it, as endpoints refuse a dialogue that has them.
func (a *acting) called(ctx context.Context, text string, c *evaluate.ToolCall) (seen string, err error) {
	call, wrong := readCall(c.Function.Name, c.Function.Arguments)
	if wrong != "" {
		if !json.Valid([]byte(c.Function.Arguments)) {
			c.Function.Arguments = "{}"
		}
		return a.mistake(text, nil, errors.New(wrong))
	}
	return a.act(ctx, text, call)
}

// mistake adds a step without a result and returns what the model is shown of it,
// in the names that it knows.
func (a *acting) mistake(text string, c *tools.Call, wrong error) (seen string, err error) {
	o := observation.OfError(wrong)
	if c != nil {
		o = toolnames.Mistake(a.sample, c.Name, wrong)
	}
	if seen, err = o.JSON(); err == nil {
		a.prediction.Steps = append(a.prediction.Steps, evaluate.Step{Text: text, Call: c, Observation: seen, Failed: true})
	}
	return seen, err
}

// act runs a call and adds the step. The error ends the run.
func (a *acting) act(ctx context.Context, text string, c tools.Call) (seen string, err error) {
	if a.Search && c.Name == spec.SearchName {
		return a.look(text, c)
	}
	if wrong := toolnames.Unlisted(a.sample, c.Name); wrong != nil {
		return a.mistake(text, &c, wrong)
	}
	if a.done != nil {
		switch end, wrong := a.done(c); {
		case wrong != nil:
			return a.mistake(text, &c, wrong)
		case end:
			a.isDone = true
			a.prediction.Steps = append(a.prediction.Steps, evaluate.Step{Text: text, Call: &c})
			return "", nil
		}
	}
	c = a.labels.TakeLabel(c)
	real := a.sample.Reveal(c)
	if c.Label == "" {
		c.Label = a.labels.Next(real, nil)
		real.Label = c.Label
	}
	seen, wrong := show(ctx, a.episode.Call(ctx, real))
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if wrong != nil {
		return a.mistake(text, &c, wrong)
	}
	a.labels.Keep(real)
	a.prediction.Steps = append(a.prediction.Steps, evaluate.Step{Text: text, Call: &c, Observation: seen})
	return seen, nil
}

// show returns a result as a model is shown it, or what is wrong in words for a
// model.
func show(ctx context.Context, r evaluate.Result) (text string, wrong error) {
	if r.Err != nil {
		return "", r.Err
	}
	return r.Show(ctx)
}

package evaluate

import (
	"errors"

	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/internal/evaluation/calltext"
	"github.com/birdcall/birdcall/pkg/tools"
)

// text returns what a model wrote, "" if calls are given in another form.
func (p *Prediction) text() string {
	if p.Message != nil {
		return p.Message.Content
	}
	return p.Text
}

// entries returns the calls of a prediction that has them in JSON.
func (p *Prediction) entries() []any {
	if p.raw != nil {
		return p.raw
	}
	calls := p.Calls
	for _, step := range p.Steps {
		if step.counts() {
			calls = append(calls, *step.Call)
		}
	}
	return entriesOf(calls)
}

// ReadCalls returns the calls of a prediction as it has them, in whichever form: at
// most 1,000 of them. The error says why there is none to read.
func (p *Prediction) ReadCalls() ([]Called, error) {
	calls, err := readCalls(p)
	return called(calls), err
}

// readCalls returns the calls of a prediction in the names of the sample's list.
// The error says why there is none to read.
func readCalls(p *Prediction) ([]calltext.Call, error) {
	calls, err := readAllCalls(p)
	return calls[:min(len(calls), calltext.MaxCalls)], err
}

func readAllCalls(p *Prediction) ([]calltext.Call, error) {
	switch {
	case p.Message != nil && len(p.Message.ToolCalls) > 0:
		out := make([]calltext.Call, len(p.Message.ToolCalls))
		for i, c := range p.Message.ToolCalls {
			arguments, err := calltext.ParseArguments(c.Function.Arguments)
			out[i] = calltext.Call{Call: tools.Call{Name: c.Function.Name, Arguments: arguments}}
			switch {
			case err != nil:
				out[i].Malformed = "has arguments that are no object: " + err.Error()
			case c.Function.Name == "":
				out[i].Malformed = "has no name"
			}
		}
		return out, nil
	case p.Message != nil || p.Text != "":
		return calltext.Parse(p.text())
	case p.raw != nil:
		return calltext.Parse(jsonText(p.raw))
	case len(p.Steps) > 0:
		var out []calltext.Call
		for _, step := range p.Steps {
			if step.counts() {
				out = append(out, calltext.Call{Call: *step.Call})
			}
		}
		if len(out) == 0 {
			return nil, errors.New("no step has a call that returned something")
		}
		return out, nil
	}
	if p.Calls == nil {
		return nil, errors.New("there is no text")
	}
	out := make([]calltext.Call, len(p.Calls))
	for i, c := range p.Calls {
		out[i] = calltext.Call{Call: c}
	}
	return out, nil
}

// named gives each call without a label the one that its tool says its result
// gets, as models that call tools natively cannot name results. It expects calls
// under their real names.
func (s *Sample) named(calls []calltext.Call) []calltext.Call {
	if !s.HasLabels() {
		return calls
	}
	next := new(tools.Labels).Next
	if s.Pair != nil {
		next = new(multi.Labels).Next
	}
	out := make([]calltext.Call, len(calls))
	for i, c := range calls {
		call, _ := s.unbind(c.Call)
		label := next(call)
		if c.Label == "" {
			c.Label = label
		}
		out[i] = c
	}
	return out
}

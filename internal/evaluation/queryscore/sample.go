package queryscore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/evaluation/calltext"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Sample is a question with its gold query.
type Sample struct {
	DB       string
	ID       bird.ID
	Question string

	Toolset     query.Toolset
	Shape       query.Shape
	Collections []query.Collection
	Complexity  query.Complexity
	Tools       []spec.Tool
	Gold        Call

	// Source, AnswerFrom and Facts are those of the record. Metrics but Execution do
	// not look at them.
	Source     query.Source
	AnswerFrom []query.Part
	Facts      record.Facts

	rows func() ([][]value.Value, error) // of Facts.Gold; read when it is first asked for
}

// WithoutGold returns the sample as what asks models takes samples: without its gold.
func (s *Sample) WithoutGold() *evaluate.Sample {
	return &evaluate.Sample{
		Variant: record.QUERY, DB: s.DB, ID: s.ID, Question: s.Question,
		Evidence: s.Facts.Evidence, Now: s.Facts.AsOf, Tools: s.Tools,
	}
}

// Key names the sample in files and messages: its database and its id.
func (s *Sample) Key() string { return s.DB + "/" + s.ID.String() }

// Call is a call of the tool.
type Call struct {
	// Arguments are those of the shape Unified, with values as they were written.
	Arguments tools.Arguments
	Query     query.Query
	// Err says why the tool does not take the call. Query is then the zero Query.
	Err error
}

// Answer is what was answered to a sample.
type Answer struct {
	Calls  []Call
	NotRun bool   // it was not asked, and is not scored
	Failed bool   // there is no answer, as the request failed
	Reason string // why there is no call
	Text   string // what was written instead of calls
}

// Read reads what a model answered in the shape of the sample. Arguments may be
// wrong in any way: what the tool does not take is a call with an error.
func (s *Sample) Read(p *evaluate.Prediction) Answer {
	switch p.Status {
	case evaluate.NotRun:
		return Answer{NotRun: true, Reason: p.Reason}
	case evaluate.Failed:
		return Answer{Failed: true, Reason: p.Reason}
	}
	written := p.Text
	if p.Message != nil {
		written = p.Message.Content
	}
	if s.Shape == query.Structured {
		if object, ok := structured(written); ok {
			return s.answered([]evaluate.Called{{Call: tools.Call{Name: query.AnswerName, Arguments: object}}}, written)
		}
	}
	calls, err := p.ReadCalls()
	if err != nil {
		return Answer{Reason: err.Error(), Text: written}
	}
	return s.answered(calls, written)
}

// structured returns the object of the shape Structured in a text, which may be
// between the marks of a fenced block.
func structured(text string) (tools.Arguments, bool) {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "```"); ok {
		inner = strings.TrimSuffix(strings.TrimPrefix(inner, "json"), "```")
		text = strings.TrimSpace(inner)
	}
	if !strings.HasPrefix(text, "{") {
		return nil, false
	}
	object, err := calltext.ParseArguments(text)
	return object, err == nil && (get(object, argUseTools) != nil || get(object, argToolCalls) != nil)
}

// answered reads calls.
func (s *Sample) answered(calls []evaluate.Called, written string) Answer {
	out := Answer{Text: written}
	for _, c := range calls {
		switch {
		case c.Wrong != "":
			out.Calls = append(out.Calls, Call{Arguments: c.Arguments, Err: fmt.Errorf("the call %s", c.Wrong)})
		case c.Name == query.AnswerName && s.Shape == query.Structured:
			out.Calls = append(out.Calls, s.inner(c.Arguments)...)
		default:
			out.Calls = append(out.Calls, s.call(c.Call))
		}
	}
	if len(out.Calls) == 0 {
		out.Reason = "the answer calls no tool"
	}
	return out
}

// inner reads the calls within an answer of the shape Structured.
func (s *Sample) inner(object tools.Arguments) []Call {
	if get(object, argUseTools) == false || get(object, argToolCalls) == nil {
		return nil
	}
	wrong := func(what string) Call { return Call{Err: fmt.Errorf("%s %s", argToolCalls, what)} }
	elements, ok := get(object, argToolCalls).([]any)
	if !ok {
		return []Call{wrong("is no list")}
	}
	var out []Call
	for _, e := range elements[:min(len(elements), calltext.MaxCalls)] {
		one, _ := e.(tools.Arguments)
		arguments, ok := get(one, argArguments).(tools.Arguments)
		if !ok {
			out = append(out, wrong("has one without arguments"))
			continue
		}
		out = append(out, s.call(tools.Call{Name: text(one, argFunction), Arguments: arguments}))
	}
	return out
}

// call reads one call.
func (s *Sample) call(c tools.Call) Call {
	perCollection := c.Name != query.ToolName && c.Name != query.AnswerName
	if c.Name == query.AnswerName || perCollection != (s.Shape == query.PerCollection) {
		return Call{Arguments: c.Arguments, Err: fmt.Errorf("there is no tool %q", c.Name)}
	}
	queries, err := query.Read(c, s.Toolset, s.Collections)
	if err != nil {
		return Call{Arguments: c.Arguments, Err: err}
	}
	out := Call{Arguments: c.Arguments, Query: queries[0]}
	if perCollection {
		collection := tools.Argument{Name: argCollection, Value: out.Query.Collection}
		out.Arguments = append(tools.Arguments{collection}, without(c.Arguments, argCollection)...)
	}
	return out
}

// complexity counts the arguments of a query besides its collection.
func complexity(a tools.Arguments) query.Complexity {
	n := 0
	for _, one := range a {
		if one.Value != nil && !slices.Contains([]string{argCollection, argRationale}, one.Name) {
			n++
		}
	}
	switch {
	case n <= 1:
		return query.Simple
	case n == 2:
		return query.Moderate
	}
	return query.Complex
}

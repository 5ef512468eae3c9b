package chatapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/pkg/evaluate"
)

// Answer is what an endpoint answered. Attempts are counted also where there is
// no answer.
type Answer struct {
	Message  evaluate.Message
	Finish   string // the endpoint's word for why the model stopped; may be ""
	Attempts int    // requests that were sent, this answer's among them

	Measured         bool // whether the endpoint counted the tokens
	PromptTokens     int
	CompletionTokens int

	// Simulated reports whether the answer came from a program that imitates a model.
	Simulated bool
}

// SimulatedHeader is a header of answers that no model gave.
const SimulatedHeader = "X-Birdcall-Simulated"

// wireAnswer is an answer as it is received. Servers differ in what they leave
// out, and in whether it is null.
type wireAnswer struct {
	Choices []struct {
		Message struct {
			Content          content `json:"content"`
			ReasoningContent text    `json:"reasoning_content"`
			Reasoning        text    `json:"reasoning"` // the same, of other servers
			ToolCalls        []struct {
				ID       text `json:"id"`
				Function struct {
					Name      text `json:"name"`
					Arguments text `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"message"`
		FinishReason text `json:"finish_reason"`
	} `json:"choices"`
	Usage json.RawMessage `json:"usage"`
	Error *wireError      `json:"error"`
}

// text is a text, "" for null, or any other JSON as it is written: some servers
// give the arguments of a call as an object.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	*t = text(data)
	if string(data) == "null" {
		*t = ""
	}
	var s string
	if len(data) > 0 && data[0] == '"' {
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*t = text(s)
	}
	return nil
}

// content is the text of a message, which may be given in parts.
type content string

func (c *content) UnmarshalJSON(data []byte) error {
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err == nil {
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(p.Text)
		}
		*c = content(b.String())
		return nil
	}
	return (*text)(c).UnmarshalJSON(data)
}

// decode reads the body of an answer.
func decode(body []byte) (Answer, error) {
	var w wireAnswer
	if err := json.Unmarshal(body, &w); err != nil {
		return Answer{}, fmt.Errorf("the answer cannot be read: %w", err)
	}
	if len(w.Choices) == 0 {
		if w.Error != nil {
			return Answer{}, w.Error
		}
		return Answer{}, errors.New("the answer has no choices")
	}
	first := w.Choices[0]
	a := Answer{Finish: string(first.FinishReason), Message: evaluate.Message{
		Content:   string(first.Message.Content),
		Reasoning: string(first.Message.ReasoningContent),
	}}
	if a.Message.Reasoning == "" {
		a.Message.Reasoning = string(first.Message.Reasoning)
	}
	for _, c := range first.Message.ToolCalls {
		call := evaluate.ToolCall{ID: string(c.ID)}
		call.Function.Name, call.Function.Arguments = string(c.Function.Name), string(c.Function.Arguments)
		a.Message.ToolCalls = append(a.Message.ToolCalls, call)
	}
	a.measure(w.Usage)
	return a, nil
}

// measure reads the number of tokens, where there is one.
func (a *Answer) measure(usage json.RawMessage) {
	var u struct {
		Prompt     *int `json:"prompt_tokens"`
		Completion *int `json:"completion_tokens"`
	}
	if err := json.Unmarshal(usage, &u); err != nil || u.Prompt == nil || u.Completion == nil {
		return
	}
	a.Measured, a.PromptTokens, a.CompletionTokens = true, *u.Prompt, *u.Completion
}

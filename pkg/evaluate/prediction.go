package evaluate

import (
	"encoding/json"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Mode says how a model was asked.
type Mode string

// The modes.
const (
	Direct Mode = "direct" // one answer with all calls
	ReAct  Mode = "react"  // think, act and observe, one call at a time
	SQL    Mode = "sql"    // one SELECT instead of calls
	Agent  Mode = "agent"  // as ReAct, with a database and APIs for tools; it ends with rows
)

// HasCalls reports whether a model that is asked so makes the sample's own calls.
func (m Mode) HasCalls() bool { return m != SQL && m != Agent }

// Status says whether a model answered.
type Status string

// The statuses. Only Answered counts in scores.
const (
	Answered Status = "answered"
	// NotRun is a question that was not asked, as its list has more tools than
	// the endpoint takes or its text is longer than the model reads.
	NotRun Status = "not_run"
	// Failed is a question that got no answer. It is asked again by the next
	// run.
	Failed Status = "failed"
)

// Prediction is what a model answered to one sample, in the names of the
// sample's own tool list. One of Calls, Message, Text, Steps, SQL and Rows has it.
type Prediction struct {
	DB     string  `json:"db_id,omitempty"` // may be "" where the id is the sample's alone
	ID     bird.ID `json:"sample_id"`
	Model  string  `json:"model,omitempty"`
	Mode   Mode    `json:"mode,omitempty"` // "" is Direct
	Status Status  `json:"status,omitempty"`
	Reason string  `json:"reason,omitempty"` // of NotRun and Failed

	Calls   []tools.Call `json:"calls,omitempty"`
	Message *Message     `json:"message,omitempty"`
	Text    string       `json:"text,omitempty"`
	Steps   []Step       `json:"steps,omitempty"` // of ReAct and Agent
	SQL     string       `json:"sql,omitempty"`
	Answer  string       `json:"answer,omitempty"` // what ReAct ends with

	Rows json.RawMessage `json:"rows,omitempty"` // what Agent ends with, as ReadRows reads it
	APIs *APIUsage       `json:"apis,omitempty"` // what the calls of Agent asked of APIs

	Finish string `json:"finish_reason,omitempty"` // the endpoint's own word
	Usage  *Usage `json:"usage,omitempty"`

	// Simulated says that no model answered, but a program that stands for one.
	Simulated bool `json:"simulated,omitempty"`

	// File and Line are where the prediction was read.
	File string `json:"-"`
	Line int    `json:"-"`

	raw []any // Calls as a file has them, which need not be calls
}

// Message is a message of an assistant in OpenAI's chat completions
// (https://platform.openai.com/docs/api-reference/chat/object).
type Message struct {
	Content   string     `json:"content"` // "" for null
	Reasoning string     `json:"reasoning_content,omitempty"`
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
}

// ToolCall is a call in a Message. Arguments are the text that the model wrote,
// which need not be JSON.
type ToolCall struct {
	ID       string `json:"id,omitempty"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// Step is one loop of ReAct: a thought, an action and what it returned.
type Step struct {
	Text        string      `json:"text"`             // as the model wrote it
	Call        *tools.Call `json:"call,omitempty"`   // nil where no action could be read
	Observation string      `json:"observation"`      // as the model was shown it
	Failed      bool        `json:"failed,omitempty"` // whether the observation is an error
}

// counts reports whether a step is a call towards the answer, which those that
// failed and those that looked for tools are not.
func (s Step) counts() bool {
	return s.Call != nil && !s.Failed && s.Call.Name != spec.SearchName
}

// Usage is what a prediction took.
type Usage struct {
	Requests         int     `json:"requests"` // that were answered
	Attempts         int     `json:"attempts"` // with those that were tried again
	PromptTokens     int     `json:"prompt_tokens"`
	CompletionTokens int     `json:"completion_tokens"`
	Unmeasured       int     `json:"requests_without_usage,omitempty"`
	Cost             float64 `json:"cost,omitempty"` // in the currency of the prices that were given
}

// Add sums usage up.
func (u *Usage) Add(o Usage) {
	u.Requests += o.Requests
	u.Attempts += o.Attempts
	u.PromptTokens += o.PromptTokens
	u.CompletionTokens += o.CompletionTokens
	u.Unmeasured += o.Unmeasured
	u.Cost += o.Cost
}

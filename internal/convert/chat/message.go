package chat

import (
	"fmt"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Message is one message of a chat
// (https://platform.openai.com/docs/api-reference/chat/create). One that calls a
// tool has no words: its content is "".
type Message struct {
	Role       Role       `json:"role" parquet:"role"`
	Content    string     `json:"content" parquet:"content"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty" parquet:"tool_calls,list"`         // of the assistant
	ToolCallID string     `json:"tool_call_id,omitempty" parquet:"tool_call_id,optional"` // of the call that a tool's message answers
}

// Role says whose message it is.
type Role string

// The roles.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// ToolCall is one call of a tool.
type ToolCall struct {
	ID       string   `json:"id" parquet:"id"`
	Type     string   `json:"type" parquet:"type"` // always function
	Function Function `json:"function" parquet:"function"`
}

// Function names the tool and has its arguments.
type Function struct {
	Name      string `json:"name" parquet:"name"`
	Arguments string `json:"arguments" parquet:"arguments"` // a JSON object, as text
}

// Sample is what a chat is made of.
type Sample struct {
	System   string // how to call and what there is; the rule for the answer is put behind it
	Result   string // how a result is named in that rule, such as $LABEL$
	Time     string // the instant that stands for the clock, in UTC; "" where nothing reads it
	Question string
	Evidence string // the dataset's hint; may be ""
	Calls    []tools.Call
	Returned []string // by each call, as JSON
	Answer   string   // as that rule asks for it
}

// Messages returns the chat: system, user, an assistant's and a tool's message for
// each call, and the assistant's answer. The calls have the ids call_0, call_1 and
// so on. The error is that of arguments that are no JSON, or that it is not known
// what a call returned.
func (s Sample) Messages() ([]Message, error) {
	if len(s.Calls) != len(s.Returned) {
		return nil, fmt.Errorf("chat: %d calls returned %d results", len(s.Calls), len(s.Returned))
	}
	question := s.Question
	if s.Evidence != "" {
		question += "\n\nHint: " + s.Evidence
	}
	system := s.System
	if s.Time != "" {
		system += "\n\nThe time now is " + s.Time + "."
	}
	out := []Message{{Role: System, Content: system + "\n\n" + answerRule(s.Result)}, {Role: User, Content: question}}
	for i, c := range s.Calls {
		arguments, err := jsontext.Marshal(c.Arguments, "")
		if err != nil {
			return nil, fmt.Errorf("chat: call %d: %w", i, err)
		}
		id := fmt.Sprintf("call_%d", i)
		call := ToolCall{ID: id, Type: "function", Function: Function{Name: c.Name, Arguments: string(arguments)}}
		out = append(out,
			Message{Role: Assistant, ToolCalls: []ToolCall{call}},
			Message{Role: Tool, ToolCallID: id, Content: s.Returned[i]})
	}
	return append(out, Message{Role: Assistant, Content: s.Answer}), nil
}

package chatapi

import (
	"bytes"
	"encoding/json"

	"github.com/birdcall/birdcall/internal/convert/chat"
	"github.com/birdcall/birdcall/internal/text/jsontext"
)

// Request is what a model is asked.
type Request struct {
	Model    string
	Messages []chat.Message
	Tools    []any // as spec.OpenAI lists them
	Format   *Format
	Sampling
}

// Format is the form that an answer has, where it is a JSON object
// (https://platform.openai.com/docs/guides/structured-outputs).
type Format struct {
	Name   string
	Schema json.RawMessage
}

// wireFormat is a form as it is sent.
type wireFormat struct {
	Type   string `json:"type"`
	Schema struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

// Sampling says how a model chooses its words. What is nil, 0 or empty is left
// to the endpoint.
type Sampling struct {
	Temperature *float64
	TopP        *float64
	MaxTokens   int
	TokensField string // what the limit is called: MaxTokens or MaxCompletionTokens
	Stop        []string
}

// The names of the limit of an answer's tokens. Most servers know the first;
// OpenAI's newer models take the second only.
const (
	MaxTokens           = "max_tokens"
	MaxCompletionTokens = "max_completion_tokens"
)

// wireRequest is a request as it is sent.
type wireRequest struct {
	Model               string         `json:"model"`
	Messages            []chat.Message `json:"messages"`
	Tools               []any          `json:"tools,omitempty"`
	Format              *wireFormat    `json:"response_format,omitempty"`
	Temperature         *float64       `json:"temperature,omitempty"`
	TopP                *float64       `json:"top_p,omitempty"`
	MaxTokens           int            `json:"max_tokens,omitempty"`
	MaxCompletionTokens int            `json:"max_completion_tokens,omitempty"`
	Stop                []string       `json:"stop,omitempty"`
}

func (r Request) encode() ([]byte, error) {
	w := wireRequest{Model: r.Model, Messages: r.Messages, Tools: r.Tools, Temperature: r.Temperature, TopP: r.TopP, Stop: r.Stop}
	if r.Format != nil {
		w.Format = &wireFormat{Type: "json_schema"}
		w.Format.Schema.Name, w.Format.Schema.Schema = r.Format.Name, r.Format.Schema
	}
	if r.TokensField == MaxCompletionTokens {
		w.MaxCompletionTokens = r.MaxTokens
	} else {
		w.MaxTokens = r.MaxTokens
	}
	var b bytes.Buffer
	err := jsontext.Append(&b, w)
	return b.Bytes(), err
}

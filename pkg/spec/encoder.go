package spec

import (
	"encoding/json"
	"reflect"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Encoder writes the tool lists of samples as JSON. The samples of a database have
// most of their tools in common, and a tool is written only once: do not change one
// that the encoder has seen. An Encoder is for one goroutine.
type Encoder struct {
	options Options
	written map[identity]written
}

// Encoder returns an encoder that writes lists as the options say.
func (o Options) Encoder() *Encoder { return &Encoder{options: o, written: map[identity]written{}} }

// identity distinguishes tools without looking into their schemas, which are never
// changed.
type identity struct {
	name, description, path string
	parameters, order       uintptr
}

// identity returns the same for two tools only if they are the same. It holds as long
// as the tool is kept.
func (t *Tool) identity() identity {
	return identity{t.Name, t.Description, t.Path, reflect.ValueOf(t.Parameters).Pointer(), reflect.ValueOf(t.Order).Pointer()}
}

// written is a tool as JSON, and how many tokens this has.
type written struct {
	tool   Tool // kept, so that no other gets its identity
	text   json.RawMessage
	tokens int
}

// Prepare is Options.Prepare with the list as JSON, of which it also returns the size.
func (e *Encoder) Prepare(list []Tool, calls []tools.Call, sample string) (json.RawMessage, Size, []tools.Call, error) {
	list = e.options.listed(list, calls, sample)
	out, err := e.options.Calls(list, calls)
	if err != nil {
		return nil, Size{}, nil, err
	}
	text, size, err := e.List(list)
	return text, size, out, err
}

// List is Options.List with the list as JSON, of which it also returns the size.
func (e *Encoder) List(list []Tool) (json.RawMessage, Size, error) {
	parts := make([]json.RawMessage, len(list))
	size := Size{Tools: len(list), Tokens: len("[]") + max(len(list)-1, 0)} // of which each mark is one
	length := size.Tokens
	for i := range list {
		w, err := e.tool(&list[i])
		if err != nil {
			return nil, Size{}, err
		}
		parts[i] = w.text
		size.Tokens += w.tokens
		length += len(w.text)
	}
	text := append(make(json.RawMessage, 0, length), '[')
	for i, part := range parts {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, part...)
	}
	return append(text, ']'), size, nil
}

func (e *Encoder) tool(t *Tool) (written, error) {
	is := t.identity()
	if w, ok := e.written[is]; ok {
		return w, nil
	}
	one, err := e.options.List([]Tool{*t})
	if err != nil {
		return written{}, err
	}
	text, err := jsontext.Marshal(one[0], "")
	if err != nil {
		return written{}, err
	}
	w := written{tool: *t, text: text, tokens: Tokens(text)}
	e.written[is] = w
	return w, nil
}

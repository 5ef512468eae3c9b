package chat

import (
	"encoding/json"
	"fmt"

	"github.com/birdcall/birdcall/internal/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
)

// What stands in the JSON that an endpoint answers with, and what is added to it
// where not all of it is shown.
const (
	bodyData     = "data"
	bodyMoreRows = "rows_not_shown"
	bodyCut      = "texts_cut"
)

// Body is the answer of an endpoint, as far as it is shown.
type Body struct {
	fields tools.Arguments // which keep their order
	rows   int             // of the whole answer
	whole  bool            // whether all of it is shown
}

// NewBody shows the JSON that an endpoint answered with. The error is that of
// another text.
func NewBody(text string) (*Body, error) {
	b := &Body{}
	if err := json.Unmarshal([]byte(text), &b.fields); err != nil {
		return nil, fmt.Errorf("chat: the endpoint's answer: %w", err)
	}
	data, _ := b.fields.Get(bodyData)
	rows, ok := data.([]any)
	if !ok {
		return nil, fmt.Errorf("chat: the endpoint's answer has no %s", bodyData)
	}
	shown, cut, err := fit(len(rows), func(row int) (json.RawMessage, error) {
		return jsontext.Marshal(rows[row], "")
	}, func(row int) (json.RawMessage, error) {
		return jsontext.Marshal(cutCell(rows[row]), "")
	})
	if err != nil {
		return nil, err
	}
	more := len(rows) - len(shown)
	b.rows, b.whole = len(rows), more == 0 && !cut
	b.fields = b.fields.Set(bodyData, shown)
	if more > 0 {
		b.fields = b.fields.Set(bodyMoreRows, more)
	}
	if cut {
		b.fields = b.fields.Set(bodyCut, true)
	}
	return b, nil
}

// cutCell returns a row, or a value in one, with its long texts cut: also those of
// values such as {"blob": hex}.
func cutCell(v any) any {
	switch v := v.(type) {
	case string:
		return cutText(v)
	case tools.Arguments:
		out := make(tools.Arguments, len(v))
		for i, a := range v {
			out[i] = tools.Argument{Name: a.Name, Value: cutCell(a.Value)}
		}
		return out
	}
	return v
}

// JSON returns what the model is shown.
func (b *Body) JSON() (string, error) {
	text, err := jsontext.Marshal(b.fields, "")
	return string(text), err
}

// Answer returns gold, which is the endpoint's answer as a record has it, or names
// the endpoint where not all of it is shown.
func (b *Body) Answer(name string, gold any) (string, error) {
	if !b.whole {
		return large(name, b.rows)
	}
	text, err := jsontext.Marshal(gold, "")
	return string(text), err
}

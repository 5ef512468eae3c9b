package tools

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/birdcall/birdcall/internal/text/jsontext"
)

// Arguments are named values in the order in which they were written. A value
// is what encoding/json makes of JSON with UseNumber, so that 1, 1.0 and large
// integers stay what they are, and an object is Arguments again. A program may
// also write int, int64, float64, and Condition and the other named strings.
type Arguments []Argument

// Argument is one named value.
type Argument struct {
	Name  string
	Value any
}

// Get returns the value of that name, and whether there is one.
func (a Arguments) Get(name string) (any, bool) {
	for _, arg := range a {
		if arg.Name == name {
			return arg.Value, true
		}
	}
	return nil, false
}

// Set returns the arguments with that value, instead of the one of that
// name or at the end.
func (a Arguments) Set(name string, v any) Arguments {
	out := append(Arguments(nil), a...)
	for i := range out {
		if out[i].Name == name {
			out[i].Value = v
			return out
		}
	}
	return append(out, Argument{Name: name, Value: v})
}

// MarshalJSON writes an object with its names in order.
func (a Arguments) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, arg := range a {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := jsontext.Append(&b, arg.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := jsontext.Append(&b, arg.Value); err != nil {
			return nil, fmt.Errorf("argument %s: %w", quoted(arg.Name), err)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads an object. A name that occurs twice is an error.
func (a *Arguments) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := decodeJSON(d)
	if err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
		*a = nil
	case Arguments:
		*a = v
	default:
		return fmt.Errorf("arguments: not a JSON object but %s; write {\"name\": value, ...}", quoted(string(data)))
	}
	return nil
}

// decodeJSON reads the next value. The nesting is bounded by the decoder of
// the caller, which has read the whole text before.
func decodeJSON(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		object := Arguments{}
		seen := map[string]bool{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			text := name.(string)
			if seen[text] {
				return nil, fmt.Errorf("name %s occurs twice in one object; keep one of them", quoted(text))
			}
			seen[text] = true
			v, err := decodeJSON(d)
			if err != nil {
				return nil, err
			}
			object = append(object, Argument{Name: text, Value: v})
		}
		_, err := d.Token()
		return object, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := decodeJSON(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	}
	return token, nil
}

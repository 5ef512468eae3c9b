// Package jsontext writes and reads JSON as this module's files have it:
// without escapes for HTML, and with numbers kept digit by digit.
package jsontext

import (
	"bytes"
	"encoding/json"
)

// Append writes v at the end of b. Errors are those of json.Marshal.
func Append(b *bytes.Buffer, v any) error { return write(b, v, "") }

// Marshal returns v as text, each level indented so if indent is not "".
func Marshal(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	if err := write(&b, v, indent); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func write(b *bytes.Buffer, v any, indent string) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the encoder's newline
	return nil
}

// Object returns the object that v is in JSON, of maps, lists and scalars that
// share nothing with v. A number is a json.Number, so that an integer of 64 bits
// does not become a float.
func Object(v any) (map[string]any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var out map[string]any
	return out, d.Decode(&out)
}

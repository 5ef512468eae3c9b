package rest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// compare says whether the body of an answer has the rows of the gold answer: as
// SQLite compares values, or, where these do not say all, by the texts of JSON.
func compare(gold *engine.Answer, body []byte, ordered bool) (verify.Verdict, error) {
	decode, want := decodeRow, gold.Rows
	if gold.Exact != nil {
		decode, want = rawRow, gold.Exact
	}
	got, err := decodeRows(body, decode)
	if err != nil {
		return verify.Verdict{}, err
	}
	return verify.Compare(want, got, verify.Options{Ordered: ordered}), nil
}

// cells returns a gold answer's values as a record has them.
func cells(gold *engine.Answer) ([][]any, error) {
	if gold.Exact == nil {
		return spec.Cells(gold.Rows), nil
	}
	out := make([][]any, len(gold.Exact))
	for i, row := range gold.Exact {
		out[i] = make([]any, len(row))
		for j, v := range row {
			var err error
			if out[i][j], err = cell(v); err != nil {
				return nil, fmt.Errorf("row %d, column %d: %w", i, j, err)
			}
		}
	}
	return out, nil
}

// cell returns a text of JSON as a record has the value: a text as other variants
// write it, a number with all its digits, and a document as it is.
func cell(v value.Value) (any, error) {
	if v.IsNull() {
		return nil, nil
	}
	raw := []byte(v.Raw())
	if raw[0] == '{' || raw[0] == '[' {
		return json.RawMessage(raw), nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var out any
	if err := d.Decode(&out); err != nil {
		return nil, err
	}
	if text, ok := out.(string); ok {
		return tools.LiteralJSON(value.Str(text)), nil
	}
	return out, nil
}

// rawRow reads the values of an object in their order, each as its text of JSON.
func rawRow(text []byte) ([]value.Value, error) {
	return rowOf(text, func(d *json.Decoder) (value.Value, error) {
		var raw json.RawMessage
		err := d.Decode(&raw)
		if string(raw) == "null" {
			return value.NullValue(), err
		}
		return value.Str(string(raw)), err
	})
}

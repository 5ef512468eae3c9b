package rest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/pkg/value"
)

// decodeAnswer reads the rows of a JSON answer back, exactly as they were. It
// ignores truncated: a call with a limit leaves rows out, and the comparison of
// rows finds those that are missing.
func decodeAnswer(body []byte) ([][]value.Value, error) { return decodeRows(body, decodeRow) }

// DecodeAnswer reads the rows of the text that Client.Ask returned.
func DecodeAnswer(text string) ([][]value.Value, error) { return decodeAnswer([]byte(text)) }

// decodeRows is decodeAnswer by a function that reads an object of JSON.
func decodeRows(body []byte, decode func([]byte) ([]value.Value, error)) ([][]value.Value, error) {
	var answer struct {
		Data  []json.RawMessage `json:"data"`
		Count int               `json:"count"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("the answer is not JSON: %w", err)
	}
	if answer.Count != len(answer.Data) {
		return nil, fmt.Errorf("the answer has %d of %d rows", len(answer.Data), answer.Count)
	}
	rows := make([][]value.Value, len(answer.Data))
	for i, text := range answer.Data {
		var err error
		if rows[i], err = decode(text); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	return rows, nil
}

// decodeRow reads the values of an object in their order.
func decodeRow(text []byte) ([]value.Value, error) { return rowOf(text, decodeCell) }

// rowOf is decodeRow by a function that reads a value.
func rowOf(text []byte, decode func(*json.Decoder) (value.Value, error)) ([]value.Value, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if _, err := d.Token(); err != nil { // the opening brace
		return nil, err
	}
	var row []value.Value
	for d.More() {
		if _, err := d.Token(); err != nil { // the name
			return nil, err
		}
		v, err := decode(d)
		if err != nil {
			return nil, err
		}
		row = append(row, v)
	}
	return row, nil
}

// decodeCell is the inverse of what a row of SQLite writes.
func decodeCell(d *json.Decoder) (value.Value, error) {
	var cell any
	if err := d.Decode(&cell); err != nil {
		return value.Value{}, err
	}
	switch cell := cell.(type) {
	case nil:
		return value.NullValue(), nil
	case string:
		return value.Str(cell), nil
	case json.Number:
		if strings.ContainsAny(cell.String(), ".e") {
			f, err := cell.Float64()
			return value.Float(f), err
		}
		i, err := strconv.ParseInt(cell.String(), 10, 64)
		return value.Int(i), err
	case map[string]any:
		for kind, v := range cell {
			text, _ := v.(string)
			switch kind {
			case "real":
				if text == "-Inf" {
					return value.Float(math.Inf(-1)), nil
				}
				return value.Float(math.Inf(1)), nil
			case "blob":
				raw, err := hex.DecodeString(text)
				return value.Bytes(string(raw)), err
			case "text":
				raw, err := hex.DecodeString(text)
				return value.Str(string(raw)), err
			}
		}
	}
	return value.Value{}, fmt.Errorf("%v is not a value", cell)
}

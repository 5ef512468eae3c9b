package observation

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
)

// argumentLimit is the argument by which a call asks for the first rows only.
const argumentLimit = "limit"

// OfAnswer shows the JSON that an endpoint answered a call with, which is that of
// package rest. Rows that the service left out are not counted, as it does not
// know how many they are. Those that the call did not ask for, by its limit, are
// not left out. The error is that of another text.
func OfAnswer(c tools.Call, text string) (*Observation, error) {
	var answer struct {
		Data       *[]tools.Arguments `json:"data"`
		Truncated  bool               `json:"truncated"`
		NextOffset int                `json:"next_offset"`
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return nil, fmt.Errorf("observation: the endpoint's answer: %w", err)
	}
	if answer.Data == nil {
		return nil, fmt.Errorf("observation: the endpoint's answer has no list %s", memberData)
	}
	rows := *answer.Data
	if limit, ok := c.Arguments.Get(argumentLimit); ok && fmt.Sprint(limit) == strconv.Itoa(len(rows)) {
		answer.Truncated, answer.NextOffset = false, 0
	}
	shown, cut, err := fit(len(rows), func(row int) (json.RawMessage, error) {
		return jsontext.Marshal(rows[row], "")
	}, func(row int) (json.RawMessage, error) {
		return jsontext.Marshal(cutCell(rows[row]), "")
	})
	if err != nil {
		return nil, err
	}
	o := &Observation{
		RowCount: len(rows), Shown: len(shown), TextsCut: cut, NextOffset: answer.NextOffset,
		Truncated: answer.Truncated || len(shown) < len(rows) || cut,
	}
	o.Rows, err = jsontext.Marshal(shown, "")
	return o, err
}

// cutCell returns a row, or a value in one, with its long texts cut: also those of
// values such as {"blob": hex}.
func cutCell(v any) any {
	switch v := v.(type) {
	case string:
		return CutText(v, MaxText)
	case tools.Arguments:
		out := make(tools.Arguments, len(v))
		for i, a := range v {
			out[i] = tools.Argument{Name: a.Name, Value: cutCell(a.Value)}
		}
		return out
	}
	return v
}

package explorer

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// longestCell is how many characters of a cell are shown.
const longestCell = 400

// cell returns the text of a cell, cut if it is long.
func cell(text string) *string {
	if short := []rune(text); len(short) > longestCell {
		text = string(short[:longestCell]) + "…"
	}
	return &text
}

// texts returns values of a record's answer as cells, nil for NULL.
func texts(row []any) []*string {
	out := make([]*string, len(row))
	for i, v := range row {
		switch v := v.(type) {
		case nil:
		case string:
			out[i] = cell(v)
		default:
			text, err := jsontext.Marshal(v, "")
			if err != nil {
				text = []byte(err.Error())
			}
			out[i] = cell(string(text))
		}
	}
	return out
}

// valueTexts returns values of a table as cells, nil for NULL.
func valueTexts(row []value.Value) []*string {
	out := make([]*string, len(row))
	for i, v := range row {
		switch v.Kind() {
		case value.Null:
		case value.Text:
			out[i] = cell(strings.ToValidUTF8(v.Raw(), "\uFFFD"))
		case value.Blob:
			out[i] = cell(fmt.Sprintf("x'%x'", v.Raw()))
		default:
			out[i] = cell(fmt.Sprint(tools.LiteralJSON(v)))
		}
	}
	return out
}

// numeric says which columns have numbers and nothing else but NULL.
func numeric(columns int, rows [][]any) []bool {
	out := make([]bool, columns)
	for i := range out {
		for _, row := range rows {
			if i >= len(row) || row[i] == nil {
				continue
			}
			switch row[i].(type) {
			case json.Number, int, int64, float64:
				out[i] = true
			default:
				out[i] = false
			}
			if !out[i] {
				break
			}
		}
	}
	return out
}

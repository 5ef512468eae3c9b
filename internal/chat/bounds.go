package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/jsontext"
)

// How much is shown of what a call returned.
const (
	MostRows    = 50
	MostColumns = 100
	MostBytes   = 2000 // of the rows as JSON; the first row is shown in any case
	MostText    = 100  // characters of a text in a first row that is larger
)

// answerRule tells a model how to give the answer. result is what names one.
func answerRule(result string) string {
	return `When you have the answer, give it as JSON and nothing else: one value as itself, one column as a list of its values, several columns as a list of rows. Where not all of it was shown to you, tell what returned it and how many rows there are: {"result": "` + result + `", "row_count": 1234}.`
}

// large is an answer that is not written out.
func large(result string, rows int) (string, error) {
	text, err := jsontext.Marshal(struct {
		Result   string `json:"result"`
		RowCount int    `json:"row_count"`
	}{result, rows}, "")
	return string(text), err
}

// fit returns the first of so many rows, as many as are shown. Of a first row that
// is too large it takes the short form, and reports whether that is another one.
func fit(rows int, whole, short func(row int) (json.RawMessage, error)) (shown []json.RawMessage, cut bool, err error) {
	shown = []json.RawMessage{}
	size := 0
	for r := range min(rows, MostRows) {
		text, err := whole(r)
		if err != nil {
			return nil, false, err
		}
		if size += len(text); size > MostBytes {
			if r > 0 {
				break
			}
			long := text
			if text, err = short(r); err != nil {
				return nil, false, err
			}
			cut = !bytes.Equal(long, text)
		}
		shown = append(shown, text)
	}
	return shown, cut, nil
}

// cutText keeps the first characters of a long text.
func cutText(s string) string {
	n := utf8.RuneCountInString(s)
	if n <= MostText {
		return s
	}
	at := 0
	for range MostText {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return fmt.Sprintf("%s… (%d more characters)", s[:at], n-MostText)
}

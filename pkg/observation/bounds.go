package observation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// How much is shown of what a call returned.
const (
	MaxRows     = 50
	MaxColumns  = 100
	MaxKeyBytes = 1000 // of the columns' keys and types as JSON; one column is shown in any case
	MaxBytes    = 2000 // of the rows as JSON; the first row is shown in any case
	MaxText     = 100  // characters of a text in a first row that is larger
)

// fit returns the first of so many rows, as many as are shown. Of a first row that
// is too large it takes the short form, and reports whether that is another one.
func fit(rows int, whole, short func(row int) (json.RawMessage, error)) (shown []json.RawMessage, cut bool, err error) {
	shown = []json.RawMessage{}
	size := 0
	for r := range min(rows, MaxRows) {
		text, err := whole(r)
		if err != nil {
			return nil, false, err
		}
		if size += len(text); size > MaxBytes {
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

// CutText keeps the first characters of a long text, at most so many, and says how
// many there are more.
func CutText(s string, limit int) string {
	n := utf8.RuneCountInString(s)
	if n <= limit {
		return s
	}
	at := 0
	for range limit {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return fmt.Sprintf("%s… (%d more characters)", s[:at], n-limit)
}

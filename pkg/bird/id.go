package bird

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// ID is a question's id: a number or a string, exactly as the dataset writes it. IDs
// are comparable with ==.
type ID struct {
	text   string
	quoted bool
}

// Number returns the id that is the number n.
func Number(n int) ID { return ID{text: strconv.Itoa(n)} }

// Text returns the id that is the text s.
func Text(s string) ID { return ID{text: s, quoted: true} }

// String returns the id without quotes.
func (id ID) String() string { return id.text }

// MarshalJSON writes the id as it was read.
func (id ID) MarshalJSON() ([]byte, error) {
	if id.quoted {
		return json.Marshal(id.text)
	}
	return []byte(id.text), nil
}

// UnmarshalJSON accepts a number, kept digit by digit, or a string.
func (id *ID) UnmarshalJSON(data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	switch v := v.(type) {
	case string:
		*id = ID{text: v, quoted: true}
	case float64:
		*id = ID{text: string(data)}
	default:
		return fmt.Errorf("a question id must be a number or a string, not %s", data)
	}
	return nil
}

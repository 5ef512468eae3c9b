package spelling_test

import (
	"testing"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// TestWords lists names with their words.
func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "price": "price", "list_price": "list price", "CustomerID": "Customer ID", "SQLText": "SQL Text",
		"userIDs": "user IDs", "two  spaces_": "two spaces", "ÄnderungAm": "Änderung Am",
	} {
		if got := spelling.Words(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

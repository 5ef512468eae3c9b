package spelling

import "testing"

// TestList lists words in a sentence.
func TestList(t *testing.T) {
	for want, words := range map[string][]any{
		"":           nil,
		"json":       {"json"},
		"10 or 25":   {10, 25},
		"a, b or -1": {"a", "b", -1},
	} {
		if got := List(words, "or"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

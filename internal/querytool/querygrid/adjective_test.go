package querygrid

import "testing"

// TestIsAdjective says which names of properties look like adjectives.
func TestIsAdjective(t *testing.T) {
	for _, test := range []struct {
		words string
		plain bool
		want  bool
	}{
		{"active", true, true},
		{"gluten free", true, true},
		{"active", false, false},
		{"parking", true, false},
		{"parking", false, false},
		{"", true, false},
	} {
		p := &property{name: name{words: test.words, plain: test.plain}}
		if got := p.isAdjective(); got != test.want {
			t.Errorf("%q, plain %v: %v", test.words, test.plain, got)
		}
	}
}

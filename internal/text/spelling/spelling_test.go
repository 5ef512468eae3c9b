package spelling

import (
	"strings"
	"testing"
)

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"", "", true}, {"Name", "nAME", true}, {"a", "b", false}, {"a", "ab", false},
		{"É", "é", false}, {"K", "\u212a", false}, {"[", "{", false}, {"@", "`", false},
	} {
		if got := Same(c.a, c.b); got != c.want || got != (Lower(c.a) == Lower(c.b)) {
			t.Errorf("%q and %q: %t, want %t", c.a, c.b, got, c.want)
		}
	}
	if got := Lower("ÀB_9z"); got != "Àb_9z" {
		t.Errorf("%q", got)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "ac", 1}, {"kitten", "sitting", 3},
		{strings.Repeat("a", 100), strings.Repeat("b", 100), longest},
	} {
		if got, back := Distance(c.a, c.b), Distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%q and %q: %d and %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

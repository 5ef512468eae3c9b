package valueindex_test

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestLongTokens says up to which length a token may have a typo.
func TestLongTokens(t *testing.T) {
	for letters, want := range map[int]bool{31: true, 32: true, 33: false} {
		stored := strings.Repeat("ab", letters)[:letters]
		for name, text := range map[string]string{
			"another letter":     stored[:5] + "x" + stored[6:],
			"a letter too many":  stored[:5] + "x" + stored[5:],
			"a letter is absent": stored[:5] + stored[6:],
		} {
			found := indexOf(t, []value.Value{value.Str(stored)}).Lookup(valueindex.Prepare("in " + text))
			if got := len(found) == 1 && found[0].Kind == valueindex.Typo; got != want {
				t.Errorf("%d letters, %s: found is %v, want %v", letters, name, got, want)
			}
		}
	}
}

// TestDays says which days of a month are dates, in each form.
func TestDays(t *testing.T) {
	for _, test := range []struct {
		stored, text string
		want         bool
	}{
		{"2012-05-01", "May 1, 2012", true},
		{"2012-05-31", "May 31, 2012", true},
		{"2012-05-31", "31 May 2012", true},
		{"2012-02-29", "29 February 2012", true},
		{"2000-02-29", "29 February 2000", true},
		{"201205", "May 0, 2012", false},
		{"201205", "May 0th, 2012", false},
		{"201205", "May of 2012", true},
		{"201205", "0/5/2012", false},
		{"201205", "5/0/2012", false},
		{"201205", "2012/5/0", false},
		{"20120500", "May 2012", false},
		{"2012-05-00", "May 2012", false},
		{"201200", "0/2012", false},
		{"201207", "July 2012", true},
		{"201207abc", "July 2012", false},
		{"2012070", "July 2012", false},
	} {
		found := indexOf(t, []value.Value{value.Str(test.stored)}).Lookup(valueindex.Prepare("on " + test.text))
		if got := len(found) == 1 && found[0].Kind == valueindex.Form; got != test.want {
			t.Errorf("%q is the stored %q: %v, want %v", test.text, test.stored, got, test.want)
		}
	}
}

// TestParts says which words may be written as two.
func TestParts(t *testing.T) {
	for text, want := range map[string]bool{
		"zu kunft": true, "zukun ft": true, "z ukunft": false, "zukunf t": false, "zuk unft": true,
	} {
		found := indexOf(t, []value.Value{value.Str("zukunft")}).Lookup(valueindex.Prepare(text))
		if got := len(found) == 1 && found[0].End-found[0].Start == len(text); got != want {
			t.Errorf("%q is zukunft: %v, want %v (%+v)", text, got, want, found)
		}
	}
}

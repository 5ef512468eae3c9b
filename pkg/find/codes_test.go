package find

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/value"
)

// TestCodesOf lists descriptions of columns with the values that these store, and the
// meanings that the values have by them.
func TestCodesOf(t *testing.T) {
	for _, c := range []struct{ name, about, stored, want string }{
		{"a colon and a semicolon", "F: female; M: male", "F M", "F: female; M: male"},
		{"a colon and a comma", "LC: least concern, NT: near threatened, VU: vulnerable", "LC NT VU", "LC: least concern; NT: near threatened; VU: vulnerable"},
		{"lines", "F: female\nM: male", "F M", "F: female; M: male"},
		{"bullets", "- F: female\n• M: male\n* U: unknown", "F M U", "F: female; M: male; U: unknown"},
		{"stands for", `"A" stands for weekly issuance`, "A", "A: weekly issuance"},
		{"refers to", "'N' refers to no", "N", "N: no"},
		{"means", "OR means owner", "OR", "OR: owner"},
		{"represents", "B represents blue", "B", "B: blue"},
		{"indicates", "B indicates blue", "B", "B: blue"},
		{"is", "B is blue", "B", "B: blue"},
		{"an equals sign", "0 = inactive; 1 = active", "0 1", "0: inactive; 1: active"},
		{"an arrow", "Y -> charter", "Y", "Y: charter"},
		{"a dash", "Y – charter", "Y", "Y: charter"},
		{"in parentheses behind it", "admitted (+) or followed (-)", "+ -", "+: admitted; -: followed"},
		{"other quotation marks", "“F” : female", "F", "F: female"},
		{"a fullwidth colon", "F：female；M：male", "F M", "F: female; M: male"},
		{"a whole sentence", "F: female patients. Others are unknown.", "F", "F: female patients"},
		{"numbers", "1: nestling, 2: not known", "i1 i2", "1: nestling; 2: not known"},
		{"yes is a word of asking", "1: yes, 0: no", "i1 i0", "0: no"},
		{"a code that begins another", "3: first year, 3J: juvenile", "3 3J", "3: first year; 3J: juvenile"},
		{"a code in a word", "Female: fine", "F", ""},
		{"a code in the middle of a sentence", "the mark F is for girls", "F", ""},
		{"what is listed alone", "adult, youth, children", "adult youth", ""},
		{"a meaning of words of asking", "F: which one", "F", ""},
		{"no meaning", "F:", "F", ""},
		{"not stored", "F: female", "M", ""},
		{"a text that is long", strings.Repeat("x", longestCode+1) + ": long", strings.Repeat("x", longestCode+1), ""},
		{"case", "f: female", "F", ""},
		{"no description", "", "F", ""},
		{"the first place that says it", "like F. F: female", "F", ""},
		{"the second place, on a line", "like F here\nF: female", "F", "F: female"},
	} {
		var stored []value.Value
		for s := range strings.FieldsSeq(c.stored) {
			if n, ok := strings.CutPrefix(s, "i"); ok {
				stored = append(stored, value.Int(int64(n[0]-'0')))
			} else {
				stored = append(stored, value.Str(s))
			}
		}
		var got []string
		for _, one := range codesOf(7, c.about, stored) {
			got = append(got, value.AsText(one.value)+": "+one.meaning)
			if one.column != 7 || len(one.stems) == 0 || len(one.stems) > maxMeanings {
				t.Errorf("%s: %+v", c.name, one)
			}
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

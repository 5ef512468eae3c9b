package spec

import (
	"unicode"
)

// Counter names how Tokens counts, for reports.
const Counter = "words, numbers and marks"

// Tokens counts a text's words, numbers and marks: each run of letters, each
// run of digits and each other character that is no space counts one. It needs
// no vocabulary, so a count means the same anywhere; the tokenizers of language
// models give JSON of this kind about as many.
func Tokens(text []byte) int {
	n := 0
	var before rune
	for _, r := range string(text) {
		kind := kindOf(r)
		if kind == mark || kind != space && kind != before {
			n++
		}
		before = kind
	}
	return n
}

// The kinds of characters that Tokens distinguishes.
const (
	space rune = iota
	letter
	digit
	mark
)

func kindOf(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.IsLetter(r):
		return letter
	case unicode.IsDigit(r):
		return digit
	}
	return mark
}

// Size is how much a tool list asks of its reader.
type Size struct {
	Tools  int `json:"tools"`
	Tokens int `json:"tokens"` // of the list as JSON; see Counter
}

// Union returns the specifications of several lists, each name once, in the
// order of their first appearance: the universe of samples whose tools differ.
func Union(lists ...[]Tool) []Tool {
	var out []Tool
	seen := map[string]bool{}
	for _, list := range lists {
		for _, s := range list {
			if !seen[s.Name] {
				seen[s.Name] = true
				out = append(out, s)
			}
		}
	}
	return out
}

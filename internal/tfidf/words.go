package tfidf

import (
	"strings"
	"unicode"
)

// Words returns the words of a text in their order.
func Words(text string) []string {
	var out []string
	runes := []rune(text)
	start := -1 // of the word at hand, or -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, strings.ToLower(string(runes[start:end])))
			start = -1
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			continue
		case startsWord(runes, i):
			flush(i)
		}
		if start < 0 {
			start = i
		}
	}
	flush(len(runes))
	return out
}

// startsWord reports whether camelCase begins a word at a rune: an upper-case
// letter after another one, or the last of an acronym's, as in SQLText.
func startsWord(runes []rune, i int) bool {
	if i == 0 || !unicode.IsUpper(runes[i]) {
		return false
	}
	return unicode.IsLower(runes[i-1]) ||
		unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && !isPluralOf(runes[i:])
}

// isPluralOf reports whether the rest of an acronym is its last letter and a
// plural s, as in IDs.
func isPluralOf(rest []rune) bool {
	return rest[1] == 's' && (len(rest) == 2 || !unicode.IsLetter(rest[2]))
}

// singular takes the ending of a plural off a word, so that schools finds school.
// What is left need not be a word: documents and queries are cut alike.
func singular(word string) string {
	switch {
	case len(word) > 4 && strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss"):
		return word[:len(word)-1]
	}
	return word
}

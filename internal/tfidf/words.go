package tfidf

import (
	"strings"
	"unicode"

	"github.com/birdcall/birdcall/internal/spelling"
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
		case spelling.StartsWord(runes, i):
			flush(i)
		}
		if start < 0 {
			start = i
		}
	}
	flush(len(runes))
	return out
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

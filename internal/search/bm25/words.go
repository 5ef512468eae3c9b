package bm25

import (
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// Word is a word of a text.
type Word struct {
	Text       string // folded
	Stem       string
	Start, End int // bytes of the text
}

// Words returns the words of a text in their order. Digits belong to the letters
// besides them, as in 2nd; camelCase is taken apart.
func Words(text string) []Word {
	var out []Word
	eachWord(text, func(start, end int) {
		folded := Fold(text[start:end])
		out = append(out, Word{folded, Stem(folded), start, end})
	})
	return out
}

// eachWord yields where each word begins and ends.
func eachWord(text string, yield func(start, end int)) {
	start := -1 // bytes of the text before the word at hand, or -1
	flush := func(end int) {
		if start >= 0 {
			yield(start, end)
			start = -1
		}
	}
	runes := []rune(text)
	place := 0 // of the rune that begins at a byte
	for at, r := range text {
		if !isPart(r) {
			flush(at)
		} else {
			if spelling.StartsWord(runes, place) {
				flush(at)
			}
			if start < 0 {
				start = at
			}
		}
		place++
	}
	flush(len(text))
}

// isPart reports whether a rune is a part of words.
func isPart(r rune) bool {
	if r <= unicode.MaxASCII { // by far the most, and faster
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.M)
}

// Stems returns the stems of the words of a text.
func Stems(text string) []string {
	words := Words(text)
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Stem
	}
	return out
}

// Folded returns the words of a text as they are, without case and accents.
func Folded(text string) []string {
	var out []string
	eachWord(text, func(start, end int) { out = append(out, Fold(text[start:end])) })
	return out
}

// Fold returns a text without case and accents: compatibility forms are taken apart
// (NFKD, unicode.org/reports/tr15), marks left out, and case folded.
func Fold(text string) string {
	if isPlain(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, cases.Fold().String(norm.NFKD.String(text)))
}

// isPlain reports whether folding leaves a text as it is.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x80 || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// Stem returns the stem of a folded English word.
func Stem(word string) string { return english.Stem(word, true) }

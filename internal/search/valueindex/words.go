package valueindex

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/text/inflect"
)

// functionWords are words that sentences are made of, so that one alone says
// nothing of a value.
var functionWords = setOf(`a an and any are as at be been but by can could did do does for from had has have
he her his how i if in into is it its me more most my no not of on or our out over she should so than that the their
them then there these they this those to under was we were what when where which who whom whose why will with would
you your`)

// contractions are what may be left of a word after its apostrophe.
var contractions = setOf("s t d m ll re ve")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// Bounds of the tokens in which a typo is looked for.
const (
	typoLetters     = 3  // in a token
	typoCode        = 4  // letters and digits of a token that has both
	typoRunes       = 32 // which bounds how many deletions a token has
	singularLetters = 5  // in a word whose plural has a typo
	wordLetters     = 6  // in a word that is written as two, or two as one
	partLetters     = 2  // in each part of it
)

// lettersOf counts the letters of a token, and its runes.
func lettersOf(w string) (letters, runes int) {
	for _, r := range w {
		runes++
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters, runes
}

// mayHaveTypo reports whether a typo is looked for in a token of a value.
func mayHaveTypo(w string) bool {
	letters, runes := lettersOf(w)
	isCode := 0 < letters && letters < runes && runes >= typoCode
	return runes <= typoRunes && (isCode || letters >= typoLetters)
}

// mayBeApart reports whether a and b may be the two parts of one word.
func mayBeApart(a, b string) bool {
	la, ra := lettersOf(a)
	lb, rb := lettersOf(b)
	return la == ra && lb == rb && la >= partLetters && lb >= partLetters && la+lb >= wordLetters
}

// deletions calls yield for a token and for what is left of it without one of its
// letters. Equal texts may come more than once.
func deletions(w string, buf []byte, yield func([]byte)) {
	yield(append(buf[:0], w...))
	for i, r := range w {
		if unicode.IsLetter(r) {
			buf = append(append(buf[:0], w[:i]...), w[i+utf8.RuneLen(r):]...)
			yield(buf)
		}
	}
}

// isOneEdit reports whether a becomes b when one letter is inserted, deleted or
// replaced, or changes places with the next one.
func isOneEdit(a, b string) bool {
	for a != "" && b != "" {
		ra, size := utf8.DecodeRuneInString(a)
		rb, _ := utf8.DecodeRuneInString(b)
		if ra != rb {
			break
		}
		a, b = a[size:], b[size:]
	}
	for a != "" && b != "" {
		ra, size := utf8.DecodeLastRuneInString(a)
		rb, _ := utf8.DecodeLastRuneInString(b)
		if ra != rb {
			break
		}
		a, b = a[:len(a)-size], b[:len(b)-size]
	}
	la, na := lettersOf(a)
	lb, nb := lettersOf(b)
	switch {
	case la != na || lb != nb:
		return false
	case na+nb == 1 || na == 1 && nb == 1:
		return true
	case na != 2 || nb != 2:
		return false
	}
	r1, size := utf8.DecodeRuneInString(a)
	s1, sizeB := utf8.DecodeRuneInString(b)
	return a[size:] == string(s1) && b[sizeB:] == string(r1)
}

// numbers returns what may be the plural or the singular of an English word.
func numbers(w string) []string {
	letters, runes := lettersOf(w)
	if letters != runes || runes < 3 {
		return nil
	}
	return inflect.Forms(w)
}

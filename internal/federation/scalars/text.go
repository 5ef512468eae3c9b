package scalars

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// CountCharacters returns how many characters a text has, as length() of SQL
// counts them: each code point is one, and so is a byte that is not UTF-8.
func CountCharacters(s string) int { return utf8.RuneCountInString(s) }

// CountSyllables returns how many syllables a text has in English, by a rule that
// needs no dictionary. Letters lose their accents and their case first. A word is a
// run of the letters a to z; apostrophes in it are left out.
//
//   - Each run of the vowels a, e, i, o, u, y is a syllable, but for a y at the start
//     of a word before another vowel, which is a consonant.
//   - An e at the end of a word after a consonant is silent, unless it follows an l
//     with a consonant before it, as in "table". So is the e of a final "es", but
//     after c, g, s, x, z, ch, sh, and after such an l; and that of a final "ed", but
//     after d and t, and after such an l.
//   - "ia", "io" and "iu" are two syllables, unless c, g, s, t or x is before
//     them, and so is "eo" at the end of a word.
//   - "sm" at the end of a word is one more, as in "prism".
//   - A word has at least one.
//
// A digit is read alone by its English name, so that 0 and 7 have two syllables and
// the others one. All else, letters of other scripts among it, has none, and the
// empty text has none either.
func CountSyllables(s string) int {
	n := 0
	var word []byte
	end := func() {
		if len(word) > 0 {
			n += ofWord(string(word))
			word = word[:0]
		}
	}
	for _, c := range []byte(folded(s)) {
		switch {
		case c >= 'a' && c <= 'z':
			word = append(word, c)
		case c == '\'':
		default:
			end()
			switch {
			case c == '0' || c == '7':
				n += 2
			case c >= '1' && c <= '9':
				n++
			}
		}
	}
	end()
	return n
}

// ofWord is CountSyllables of the letters a to z.
func ofWord(w string) int {
	n := 0
	before := false // a vowel
	for i := range len(w) {
		is := isVowel(w[i]) && (w[i] != 'y' || i > 0 || len(w) == 1 || !isVowel(w[1]))
		switch {
		case !is:
		case !before:
			n++
		case w[i-1] == 'i' && (w[i] == 'a' || w[i] == 'o' || w[i] == 'u') && (i < 2 || !strings.ContainsRune("cgstx", rune(w[i-2]))):
			n++
		case w[i-1] == 'e' && w[i] == 'o' && i == len(w)-1:
			n++
		}
		before = is
	}
	if isSilent(w) {
		n--
	}
	if strings.HasSuffix(w, "sm") {
		n++
	}
	return max(n, 1)
}

// isSilent reports whether the e at the end of a word, or before an s or d there,
// makes no syllable.
func isSilent(w string) bool {
	last := ""
	switch {
	case strings.HasSuffix(w, "e"):
	case strings.HasSuffix(w, "es"), strings.HasSuffix(w, "ed"):
		last = w[len(w)-1:]
	default:
		return false
	}
	stem := strings.TrimSuffix(w, "e"+last)
	if len(stem) == 0 || isVowel(stem[len(stem)-1]) {
		return false
	}
	if n := len(stem); n > 1 && stem[n-1] == 'l' && !isVowel(stem[n-2]) && stem[n-2] != 'l' {
		return false
	}
	switch last {
	case "s":
		return !strings.ContainsAny(stem[len(stem)-1:], "cgsxz") && !strings.HasSuffix(stem, "ch") && !strings.HasSuffix(stem, "sh")
	case "d":
		return !strings.ContainsAny(stem[len(stem)-1:], "dt")
	}
	return true
}

func isVowel(c byte) bool { return strings.IndexByte("aeiouy", c) >= 0 }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// letters are those that are no letter of a to z with an accent, as they are
// written without them. An apostrophe has several shapes.
var letters = strings.NewReplacer(
	"ß", "ss", "ø", "o", "æ", "ae", "œ", "oe", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i", "’", "'", "ʼ", "'", "`", "'")

// folded returns a text in lower case and without accents.
func folded(s string) string {
	if isASCII(s) {
		return strings.ReplaceAll(strings.ToLower(s), "`", "'")
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return letters.Replace(b.String())
}

package oracle

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// tokens returns the words of a text as the tokenizer unicode61 finds them
// (https://www.sqlite.org/fts5.html, section 4.3.1): runs of letters, digits and
// characters for private use, without case, and letters without their diacritic.
func tokens(s string) []string {
	var out []string
	var word strings.Builder
	inside := false
	end := func() {
		if inside {
			out = append(out, word.String())
			word.Reset()
		}
		inside = false
	}
	for at := 0; at < len(s); {
		var r rune
		r, at = decoded(s, at)
		switch {
		case isWord(r):
			inside = true
			word.WriteRune(folded(r))
		case inside && isDiacritic(r): // of the letter before it
		default:
			end()
		}
	}
	end()
	return out
}

// decoded returns the character at a place and the place behind it, of a text that
// need not be UTF-8. SQLite takes all continuation bytes to the character before
// them, and one that has none before it for a character.
func decoded(s string, at int) (rune, int) {
	c := uint32(s[at]) // which forgets the first bytes of too many
	at++
	if c < 0xc0 {
		return rune(c), at
	}
	switch {
	case c < 0xe0:
		c &= 0x1f
	case c < 0xf0:
		c &= 0x0f
	default:
		c &= 0x07
	}
	for at < len(s) && s[at]&0xc0 == 0x80 {
		c = c<<6 | uint32(s[at]&0x3f)
		at++
	}
	switch {
	case c < 0x80 || c&^0x7ff == 0xd800 || c&^1 == 0xfffe:
		return unicode.ReplacementChar, at
	case c > unicode.MaxRune:
		return unicode.MaxRune + 1, at
	}
	return rune(c), at
}

// isWord reports whether a character is part of a word.
func isWord(r rune) bool {
	if r < 0x80 {
		return '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.Co, unicode.Cn, newer) && !unicode.Is(signs, r) || r > unicode.MaxRune
}

// folded returns a letter in lower case and, if it is one of a to z with a single
// diacritic, without that.
func folded(r rune) rune {
	if r < 0x80 {
		return unicode.ToLower(r)
	}
	if unicode.Is(newer, r) {
		return r
	}
	if unicode.SimpleFold(r) != r { // the dotless i has no case
		r = unicode.ToLower(unicode.ToUpper(r))
	}
	if r < 0x80 {
		return r
	}
	parts := []rune(norm.NFD.String(string(r)))
	if len(parts) == 2 && parts[0] < 0x80 && isDiacritic(parts[1]) {
		return unicode.ToLower(parts[0])
	}
	return r
}

// diacritics are the combining marks that letters of a to z have.
var diacritics = ranges(0x300, 0x304, 0x306, 0x30c, 0x30f, 0x30f, 0x311, 0x311, 0x31b, 0x31b, 0x323, 0x328, 0x32d, 0x32e, 0x330, 0x331)

// isDiacritic reports whether a character belongs to the letter before it.
func isDiacritic(r rune) bool { return unicode.Is(diacritics, r) }

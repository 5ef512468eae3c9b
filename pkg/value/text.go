package value

import "strings"

// cstring returns the part of s before its first NUL byte, where most of
// SQLite's text functions stop reading.
func cstring(s string) string {
	if i := strings.IndexByte(s, 0); i >= 0 {
		return s[:i]
	}
	return s
}

const replacement = 0xFFFD

// readChar reads the first character of s, which must not be empty, and
// returns the rest. Invalid UTF-8 is read as SQLite does: a stray continuation
// byte stands for itself, a lead byte takes every continuation byte after it,
// and an overlong form or a surrogate is U+FFFD.
func readChar(s string) (rune, string) {
	c := uint32(s[0])
	if c < 0xC0 {
		return rune(c), s[1:]
	}
	switch {
	case c < 0xE0:
		c &= 0x1F
	case c < 0xF0:
		c &= 0x0F
	case c < 0xF8:
		c &= 0x07
	case c < 0xFC:
		c &= 0x03
	case c < 0xFE:
		c &= 0x01
	default:
		c = 0
	}
	i := 1
	for ; continues(s, i); i++ {
		c = c<<6 + uint32(s[i]&0x3F)
	}
	if c < 0x80 || c&0xFFFFF800 == 0xD800 {
		c = replacement
	}
	return rune(c), s[i:]
}

// continues reports whether s[i] is a UTF-8 continuation byte.
func continues(s string, i int) bool { return i < len(s) && s[i]&0xC0 == 0x80 }

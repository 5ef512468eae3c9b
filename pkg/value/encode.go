package value

import (
	"strings"
	"unicode/utf8"
)

const hexDigits = "0123456789ABCDEF"

// appendHex appends the bytes of s in capital hexadecimal.
func appendHex(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		b = append(b, hexDigits[s[i]>>4], hexDigits[s[i]&15])
	}
	return b
}

func hexText(v Value) Value { return Str(string(appendHex(nil, AsText(v)))) }

// hexValue returns the number of a hexadecimal digit.
func hexValue(c byte) (uint32, bool) {
	switch {
	case isDigit(c):
		return uint32(c - '0'), true
	case c >= 'a' && c <= 'f':
		return uint32(c-'a') + 10, true
	case c >= 'A' && c <= 'F':
		return uint32(c-'A') + 10, true
	}
	return 0, false
}

// unhex decodes pairs of digits. Characters of the second argument may be
// between pairs; anything else makes the result NULL.
func unhex(args []Value) Value {
	ignored := ""
	if len(args) == 2 {
		ignored = AsText(args[1])
	}
	if args[0].kind == Null || len(args) == 2 && args[1].kind == Null {
		return Value{}
	}
	var b []byte
	for s := cstring(AsText(args[0])); s != ""; {
		high, ok := hexValue(s[0])
		if !ok {
			var c rune
			if c, s = readChar(s); !containsChar(ignored, c) {
				return Value{}
			}
			continue
		}
		low, ok := hexValue(at(s, 1))
		if !ok {
			return Value{}
		}
		b = append(b, byte(high<<4|low))
		s = s[2:]
	}
	return Bytes(string(b))
}

func containsChar(set string, want rune) bool {
	for set != "" {
		var c rune
		if c, set = readChar(set); c == want {
			return true
		}
	}
	return false
}

// appendChar appends c in UTF-8. Unlike package utf8 it encodes surrogates,
// as SQLite does.
func appendChar(b []byte, c uint32) []byte {
	if c >= 0xD800 && c < 0xE000 {
		return append(b, 0xE0|byte(c>>12), 0x80|byte(c>>6&0x3F), 0x80|byte(c&0x3F))
	}
	return utf8.AppendRune(b, rune(c))
}

func char(args []Value) Value {
	var b []byte
	for _, v := range args {
		c := ToInt64(v)
		if c < 0 || c > utf8.MaxRune {
			c = replacement
		}
		b = appendChar(b, uint32(c))
	}
	return Str(string(b))
}

func unicode(v Value) Value {
	s := cstring(AsText(v))
	if s == "" {
		return Value{}
	}
	c, _ := readChar(s)
	return Int(int64(c))
}

// unistr decodes \XXXX, \uXXXX, \+XXXXXX, \UXXXXXXXX and \\.
func unistr(args []Value) (Value, error) {
	if args[0].kind == Null {
		return Value{}, nil
	}
	s := AsText(args[0])
	text := cstring(s) // where a backslash is looked for
	var b []byte
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			return Str(string(append(b, s...))), nil
		}
		b = append(b, text[:i]...)
		start, digits := i+2, 0
		switch at(text, i+1) {
		case '\\':
			b = append(b, '\\')
		case '+':
			digits = 6
		case 'u':
			digits = 4
		case 'U':
			digits = 8
		default:
			start, digits = i+1, 4
		}
		var c uint32
		for _, d := range []byte(text[start:min(start+digits, len(text))]) {
			n, ok := hexValue(d)
			if !ok {
				digits = -1
				break
			}
			c = c<<4 | n
		}
		if digits < 0 || start+digits > len(text) {
			return Value{}, &FunctionError{"unistr", "invalid Unicode escape"}
		}
		if digits > 0 {
			b = appendCode(b, c)
		}
		s, text = s[start+digits:], text[start+digits:]
	}
}

// appendCode is appendChar for any number: bits beyond the largest character
// are dropped.
func appendCode(b []byte, c uint32) []byte {
	if c < 0x10000 {
		return appendChar(b, c)
	}
	return append(b, 0xF0|byte(c>>18&7), 0x80|byte(c>>12&0x3F), 0x80|byte(c>>6&0x3F), 0x80|byte(c&0x3F))
}

// quote returns v as an SQL literal. escape writes control characters by
// unistr().
func quote(v Value, escape bool) string {
	switch v.kind {
	case Null:
		return "NULL"
	case Integer:
		return AsText(v)
	case Real:
		return spec{verb: 'g', precision: 17, bang: true, zero: true}.float(v.Float64())
	case Blob:
		return string(append(appendHex([]byte("X'"), v.str), '\''))
	}
	return spec{verb: 'Q', precision: -1, sharp: escape}.quoted(v)
}

// soundexCodes are the digits of the letters from A; '0' is for the vowels and
// for H, W and Y.
const soundexCodes = "01230120022455012623010202"

func soundex(v Value) Value {
	s := cstring(AsText(v))
	start := 0
	for start < len(s) && !isLetter(s[start]) {
		start++
	}
	if start == len(s) {
		return Str("?000")
	}
	b := []byte{upper(s[start])}
	last := soundexCode(s[start])
	for i := start; i < len(s) && len(b) < 4; i++ {
		code := soundexCode(s[i])
		if code != '0' && code != last {
			b = append(b, code)
		}
		last = code
	}
	return Str(string(b) + "000"[len(b)-1:])
}

func isLetter(c byte) bool { return upper(c) >= 'A' && upper(c) <= 'Z' }

// soundexCode ignores the top bit of c, as SQLite does.
func soundexCode(c byte) byte {
	c &= 0x7F
	if !isLetter(c) {
		return '0'
	}
	return soundexCodes[upper(c)-'A']
}

func zeroblob(args []Value) (Value, error) {
	n := max(ToInt64(args[0]), 0)
	if n > MaxLength {
		return Value{}, tooBig("zeroblob")
	}
	return Bytes(strings.Repeat("\x00", int(n))), nil
}

package calltext

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// closing returns the quotes that end the string which begins here, "" if none
// does.
func (r *reader) closing() string {
	rest := r.text[r.pos:]
	for _, quotes := range [][2]string{{`"""`, `"""`}, {`'''`, `'''`}, {`"`, `"`}, {`'`, `'`}, {"“", "”"}, {"‘", "’"}} {
		if strings.HasPrefix(rest, quotes[0]) {
			return quotes[1]
		}
	}
	return ""
}

// str reads a string, which may have line breaks in it.
func (r *reader) str() (any, bool) {
	closing := r.closing()
	if r.pos++; closing != `"` && closing != `'` {
		r.pos += len(closing) - 1 // the quotes that begin are as long
	}
	var b strings.Builder
	for r.pos < len(r.text) {
		rest := r.text[r.pos:]
		if strings.HasPrefix(rest, closing) {
			r.pos += len(closing)
			return b.String(), true
		}
		if rest[0] == '\\' {
			b.WriteString(r.escape())
			continue
		}
		_, size := utf8.DecodeRuneInString(rest)
		b.WriteString(rest[:size])
		r.pos += size
	}
	return r.fail()
}

// simple are the escapes of one letter. \_ and \$ are Markdown's.
var simple = map[byte]string{
	'"': `"`, '\'': `'`, '\\': `\`, '/': "/", '_': "_", '$': "$", '\n': "",
	'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t",
}

// escape reads what is behind a backslash. An escape that is unknown is
// itself, as in Python.
func (r *reader) escape() string {
	r.pos++
	if r.pos == len(r.text) {
		return ""
	}
	letter := r.text[r.pos]
	if s, ok := simple[letter]; ok {
		r.pos++
		return s
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[letter]
	if c, ok := r.hex(1, digits); ok {
		r.pos += 1 + digits
		if utf16.IsSurrogate(c) && strings.HasPrefix(r.text[r.pos:], `\u`) {
			if low, ok := r.hex(2, 4); ok && utf16.DecodeRune(c, low) != unicode.ReplacementChar {
				r.pos += 6
				c = utf16.DecodeRune(c, low)
			}
		}
		return string(c)
	}
	return `\`
}

// hex reads so many hexadecimal digits a little ahead.
func (r *reader) hex(ahead, digits int) (rune, bool) {
	from, to := r.pos+ahead, r.pos+ahead+digits
	if digits == 0 || to > len(r.text) {
		return 0, false
	}
	n, err := strconv.ParseUint(r.text[from:to], 16, 31)
	return rune(n), err == nil
}

// number reads a number of JSON or Python and returns it as JSON has it, digit
// by digit.
func (r *reader) number() (any, bool) {
	start := r.pos
	sign := ""
	if r.take('-') {
		sign = "-"
	} else {
		r.take('+')
	}
	if rest := r.text[r.pos:]; r.pos > start && strings.HasPrefix(rest, "Infinity") {
		r.pos += len("Infinity")
		return json.Number(sign + "1e999"), true
	} else if strings.HasPrefix(rest, "0x") || strings.HasPrefix(rest, "0X") {
		r.pos += 2
		digits := r.digits("0123456789abcdefABCDEF")
		n, err := strconv.ParseUint(digits, 16, 64)
		return json.Number(sign + strconv.FormatUint(n, 10)), err == nil && r.endsNumber()
	}
	whole, fraction := r.digits(decimal), ""
	point := r.take('.')
	if point {
		fraction = r.digits(decimal)
	}
	if whole+fraction == "" || len(whole) > 1 && whole[0] == '0' {
		r.pos = start
		return nil, false
	}
	number := sign + whole
	if whole == "" {
		number += "0"
	}
	if point {
		number += "." + fraction
	}
	if point && fraction == "" {
		number += "0"
	}
	if r.is('e') || r.is('E') {
		begin := r.pos
		r.pos++
		if !r.take('-') {
			r.take('+')
		}
		r.digits(decimal)
		number += r.text[begin:r.pos]
	}
	last := number[len(number)-1]
	return json.Number(number), last >= '0' && last <= '9' && r.endsNumber()
}

const decimal = "0123456789"

// digits steps over digits, and over what Python allows between them.
func (r *reader) digits(set string) string {
	rest := r.text[r.pos:]
	n := 0
	for n < len(rest) && (strings.IndexByte(set, rest[n]) >= 0 || rest[n] == '_' && n > 0) {
		n++
	}
	r.pos += n
	return strings.ReplaceAll(rest[:n], "_", "")
}

// endsNumber reports whether a number ends here, and no word goes on.
func (r *reader) endsNumber() bool {
	next, _ := utf8.DecodeRuneInString(r.text[r.pos:])
	return !unicode.IsLetter(next) && !unicode.IsDigit(next) && next != '_' && next != '-'
}

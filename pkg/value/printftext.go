package value

import "strings"

// padText is pad, except that the ! flag makes it count characters.
func (s spec) padText(text string) string {
	if s.bang && s.width > 0 {
		for i := range len(text) {
			if continues(text, i) {
				s.width++
			}
		}
	}
	return s.pad(text)
}

// cut shortens text to the precision, in characters if the ! flag is given.
func (s spec) cut(text string) string {
	if s.precision < 0 {
		return text
	}
	if !s.bang {
		return text[:min(s.precision, len(text))]
	}
	n := 0
	for left := s.precision; left > 0 && n < len(text); left-- {
		n += skipLead(text[n:])
	}
	return text[:n]
}

// char renders the first character of a text, the precision times. An empty
// text gives a NUL.
func (s spec) char(v Value) string {
	text := cstring(AsText(v))
	c := "\x00"
	if text != "" {
		n := 1
		for text[0] >= 0xC0 && n < 4 && continues(text, n) {
			n++
		}
		c = text[:n]
	}
	s.bang = true
	if s.precision <= 1 {
		return s.padText(c)
	}
	before := ""
	s.width -= s.precision - 1
	if s.width > 1 && !s.minus {
		before = strings.Repeat(" ", s.width-1)
		s.width = 0
	}
	return before + strings.Repeat(c, s.precision-1) + s.padText(c)
}

// quoted renders an SQL literal (%Q), its inside (%q) or the inside of an
// identifier (%w). With # control characters are written by unistr().
func (s spec) quoted(v Value) string {
	text, quotes := cstring(AsText(v)), s.verb == 'Q'
	if v.kind == Null {
		quotes = false
		text = "(NULL)"
		if s.verb == 'Q' {
			text = "NULL"
		}
	}
	text = s.cut(text)
	mark := byte('\'')
	if s.verb == 'w' {
		mark = '"'
	}
	control := strings.IndexFunc(text, func(r rune) bool { return r < ' ' }) >= 0
	escape := s.sharp && s.verb != 'w' && (control || s.verb == 'q')
	var b strings.Builder
	switch {
	case escape && s.verb == 'Q':
		b.WriteString("unistr('")
	case quotes:
		b.WriteByte('\'')
	}
	for _, c := range []byte(text) {
		switch {
		case c == mark, escape && c == '\\':
			b.WriteByte(c)
			b.WriteByte(c)
		case escape && c < ' ':
			b.WriteString(`\u00` + string(lowerHex(c)))
		default:
			b.WriteByte(c)
		}
	}
	if quotes || escape && s.verb == 'Q' {
		b.WriteByte('\'')
	}
	if escape && s.verb == 'Q' {
		b.WriteByte(')')
	}
	return b.String()
}

func lowerHex(c byte) []byte {
	return []byte{lower(hexDigits[c>>4]), lower(hexDigits[c&15])}
}

// json renders the inside of a JSON string (%j) or a JSON value (%J).
func (s spec) json(v Value) string {
	var b strings.Builder
	if s.verb == 'J' && v.kind == Null {
		return s.padText("null")
	}
	if s.verb == 'J' {
		b.WriteByte('"')
	}
	for _, c := range []byte(s.cutJSON(cstring(AsText(v)))) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= ' ':
			b.WriteByte(c)
		case strings.IndexByte("\b\t\n\f\r", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte("btn?fr"[c-'\b'])
		default:
			b.WriteString(`\u00` + string(lowerHex(c)))
		}
	}
	if s.verb == 'J' {
		b.WriteByte('"')
	}
	return s.padText(b.String())
}

// cutJSON is cut, except that stray continuation bytes do not count.
func (s spec) cutJSON(text string) string {
	if s.precision < 0 || !s.bang {
		return s.cut(text)
	}
	left := s.precision
	for i := range len(text) {
		if continues(text, i) {
			continue
		}
		if left == 0 {
			return text[:i]
		}
		left--
	}
	return text
}

package value

import (
	"strings"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// parseJSON reads one element, as JSON5, up to the first NUL. plain says that
// it is JSON without extensions. It is the parser of SQLite's json.c, which
// differs from JSON5 in places.
func parseJSON(text string) (root *jsonNode, plain, ok bool) {
	p := &jsonParser{text: cstring(text), plain: true}
	p.space()
	if root, ok = p.element(1); !ok {
		return nil, false, false
	}
	p.space()
	return root, p.plain, p.at == len(p.text)
}

type jsonParser struct {
	text  string
	at    int
	plain bool
}

// peek returns the byte so far ahead, 0 beyond the end.
func (p *jsonParser) peek(ahead int) byte { return byteAt(p.text, p.at+ahead) }

func byteAt(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

func (p *jsonParser) rest() string { return p.text[p.at:] }

// space skips white space and comments.
func (p *jsonParser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\n\r", p.text[p.at]) >= 0 {
		p.at++
	}
	if n := json5Space(p.rest()); n > 0 {
		p.at += n
		p.plain = false
	}
}

// element reads an element of that depth, from its first byte on.
func (p *jsonParser) element(depth int) (*jsonNode, bool) {
	switch c := p.peek(0); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return p.quoted()
	case c == '\'':
		p.plain = false
		return p.quoted()
	case c == '+' || c == '-' || c == '.' || isDigit(c):
		return p.number()
	}
	return p.word()
}

func (p *jsonParser) object(depth int) (*jsonNode, bool) {
	n := &jsonNode{kind: jsonObject}
	if depth > maxJSONDepth {
		return nil, false
	}
	for p.at++; ; p.at++ {
		p.space()
		if p.peek(0) == '}' {
			break
		}
		label, ok := p.label(depth)
		if !ok {
			return nil, false
		}
		p.space()
		if p.peek(0) != ':' {
			return nil, false
		}
		p.at++
		p.space()
		value, ok := p.element(depth + 1)
		if !ok {
			return nil, false
		}
		n.kids = append(n.kids, label, value)
		p.space()
		if p.peek(0) != ',' {
			break
		}
	}
	return n, p.end('}', len(n.kids) > 0)
}

func (p *jsonParser) array(depth int) (*jsonNode, bool) {
	n := &jsonNode{kind: jsonArray}
	if depth > maxJSONDepth {
		return nil, false
	}
	for p.at++; ; p.at++ {
		p.space()
		if p.peek(0) == ']' {
			break
		}
		value, ok := p.element(depth + 1)
		if !ok {
			return nil, false
		}
		n.kids = append(n.kids, value)
		p.space()
		if p.peek(0) != ',' {
			break
		}
	}
	return n, p.end(']', len(n.kids) > 0)
}

// end reads the mark that ends an object or array. A comma before it is an
// extension.
func (p *jsonParser) end(mark byte, any bool) bool {
	if p.peek(0) != mark {
		return false
	}
	before := strings.TrimRight(p.text[:p.at], " \t\n\r")
	if any && strings.HasSuffix(before, ",") {
		p.plain = false
	}
	p.at++
	return true
}

// label reads a string, or a name without quotes.
func (p *jsonParser) label(depth int) (*jsonNode, bool) {
	back := *p
	n, ok := p.element(depth + 1)
	if ok {
		return n, n.kind >= jsonText && n.kind <= jsonTextRaw
	}
	*p = back
	kind, start := jsonText, p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case c == '\\' && p.peek(1) == 'u' && hexDigitsAt(p.text, p.at+2, 4):
			kind = jsonTextJ
		case !isNameByte(c) || p.at == start && isDigit(c) || p.at > start && json5Space(p.rest()) > 0:
			p.plain = false
			return &jsonNode{kind: kind, text: p.text[start:p.at]}, p.at > start
		}
		p.at++
	}
	return nil, false // a ':' is missing
}

// isNameByte reports whether c may be in a name: SQLite's identifiers.
func isNameByte(c byte) bool { return isAlnum(c) || c == '_' || c == '$' || c >= 0x80 }

func isAlnum(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// hexDigitsAt reports whether n hexadecimal digits are at a place.
func hexDigitsAt(s string, at, n int) bool {
	for i := range n {
		if !isHex(byteAt(s, at+i)) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// quoted reads a string in either kind of quotes.
func (p *jsonParser) quoted() (*jsonNode, bool) {
	mark := p.peek(0)
	p.at++
	start, kind := p.at, jsonText
	for ; ; p.at++ {
		switch c := p.peek(0); {
		case c == mark:
			n := &jsonNode{kind: kind, text: p.text[start:p.at]}
			p.at++
			return n, true
		case p.at >= len(p.text):
			return nil, false
		case c == '\\':
			p.at++
			plain, ok := p.escape()
			if !ok {
				return nil, false
			}
			if !plain {
				kind, p.plain = jsonText5, false
			} else if kind == jsonText {
				kind = jsonTextJ
			}
		case c < ' ':
			kind, p.plain = jsonText5, false
		case c == '"':
			kind = jsonText5
		}
	}
}

// escape reads what follows a backslash, but for its last byte at most.
func (p *jsonParser) escape() (plain, ok bool) {
	switch c := p.peek(0); {
	case c != 0 && strings.IndexByte(`"\/bfnrt`, c) >= 0, c == 'u' && hexDigitsAt(p.text, p.at+1, 4):
		return true, true
	case c == '\r':
		if p.peek(1) == '\n' {
			p.at++
		}
		return false, true
	case c == '\'', c == 'v', c == '0' && !isDigit(p.peek(1)), c == 'x' && hexDigitsAt(p.text, p.at+1, 2):
		return false, true
	}
	return false, escapedNewline(p.rest()) > 0
}

// jsonWords are the words that are elements, but for true, false and null, in
// any case of the letters.
var jsonWords = []struct {
	word string
	node jsonNode
}{
	{"inf", jsonNode{kind: jsonFloat, text: "9e999"}},
	{"infinity", jsonNode{kind: jsonFloat, text: "9e999"}},
	{"nan", jsonNode{kind: jsonNull}}, {"qnan", jsonNode{kind: jsonNull}}, {"snan", jsonNode{kind: jsonNull}},
}

func (p *jsonParser) word() (*jsonNode, bool) {
	for _, kind := range []jsonKind{jsonNull, jsonTrue, jsonFalse} {
		word := kind.String()
		if strings.HasPrefix(p.rest(), word) && !isAlnum(p.peek(len(word))) {
			p.at += len(word)
			return &jsonNode{kind: kind}, true
		}
	}
	for _, w := range jsonWords {
		if hasPrefixFold(p.rest(), w.word) && !isAlnum(p.peek(len(w.word))) {
			p.at += len(w.word)
			p.plain = false
			n := w.node
			return &n, true
		}
	}
	return nil, false
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && spelling.Lower(s[:len(prefix)]) == prefix
}

// number reads a number as json.c does: a sign +, a point without digits around
// it, hexadecimal digits and infinity are extensions.
func (p *jsonParser) number() (*jsonNode, bool) {
	start, sign := p.at, byte(0)
	if c := p.peek(0); c == '+' || c == '-' {
		sign = c
		p.at++
		if hasPrefixFold(p.rest(), "inf") {
			return p.infinity(sign)
		}
	}
	if sign == '+' {
		start++
		p.plain = false
	}
	switch {
	case p.peek(0) == '0' && (p.peek(1) == 'x' || p.peek(1) == 'X') && isHex(p.peek(2)):
		for p.at += 3; isHex(p.peek(0)); p.at++ {
		}
		p.plain = false
		return &jsonNode{kind: jsonInt5, text: p.text[start:p.at]}, true
	case p.peek(0) == '0' && isDigit(p.peek(1)):
		return nil, false
	}
	return p.decimal(start)
}

func (p *jsonParser) infinity(sign byte) (*jsonNode, bool) {
	p.plain = false
	p.at += len("inf")
	if hasPrefixFold(p.rest(), "inity") {
		p.at += len("inity")
	}
	text := "9e999"
	if sign == '-' {
		text = "-9e999"
	}
	return &jsonNode{kind: jsonFloat, text: text}, true
}

// decimal reads digits, a point and an exponent.
func (p *jsonParser) decimal(start int) (*jsonNode, bool) {
	digits := func() int {
		from := p.at
		for isDigit(p.peek(0)) {
			p.at++
		}
		return p.at - from
	}
	whole, fraction, extended := digits(), 0, false
	kind := jsonInt
	if p.peek(0) == '.' {
		p.at++
		kind = jsonFloat
		fraction = digits()
		extended = whole == 0 || fraction == 0
	}
	if whole == 0 && fraction == 0 {
		return nil, false
	}
	if c := p.peek(0); c == 'e' || c == 'E' {
		p.at++
		kind = jsonFloat
		if c := p.peek(0); c == '+' || c == '-' {
			p.at++
		}
		if digits() == 0 {
			return nil, false
		}
		if c := p.peek(0); c == '.' || c == 'e' || c == 'E' {
			return nil, false
		}
	}
	if p.peek(0) == '.' {
		return nil, false
	}
	if extended {
		kind, p.plain = jsonFloat5, false
	}
	return &jsonNode{kind: kind, text: p.text[start:p.at]}, true
}

// json5Space returns the bytes of white space and comments that s begins with.
func json5Space(s string) int {
	n := 0
	for n < len(s) {
		rest := s[n:]
		switch {
		case strings.IndexByte("\t\n\v\f\r ", rest[0]) >= 0:
			n++
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return n
			}
			n += end + 4
		case strings.HasPrefix(rest, "//"):
			n += lineComment(rest)
		default:
			size := unicodeSpace(rest)
			if size == 0 {
				return n
			}
			n += size
		}
	}
	return n
}

// lineComment returns the bytes of a comment, with the end of its line.
func lineComment(s string) int {
	for i := range len(s) {
		switch {
		case s[i] == '\n' || s[i] == '\r':
			return i + 1
		case escapedNewline(s[i:]) > 0:
			return i + 3
		}
	}
	return len(s)
}

// unicodeSpace returns the bytes of the space beyond ASCII that s begins with.
func unicodeSpace(s string) int {
	for _, r := range "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff" {
		if strings.HasPrefix(s, string(r)) {
			return len(string(r))
		}
	}
	return 0
}

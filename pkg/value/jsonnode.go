package value

import (
	"strconv"
	"strings"
)

// jsonKind is what an element is, and how its text is written. The numbers are
// those of SQLite's JSONB (https://www.sqlite.org/jsonb.html, section 3).
type jsonKind uint8

const (
	jsonNull    jsonKind = iota
	jsonTrue             //
	jsonFalse            //
	jsonInt              // as in plain JSON
	jsonInt5             // in hexadecimal
	jsonFloat            // as in plain JSON
	jsonFloat5           // without a digit before or behind the point
	jsonText             // without escapes
	jsonTextJ            // with escapes of plain JSON
	jsonText5            // with escapes of JSON5
	jsonTextRaw          // the characters themselves
	jsonArray
	jsonObject
)

// String returns what json_type() answers.
func (k jsonKind) String() string {
	return [...]string{"null", "true", "false", "integer", "integer", "real", "real", "text", "text", "text", "text", "array", "object"}[k]
}

// jsonNode is an element. An object's kids are a label and its value in turns.
type jsonNode struct {
	kind jsonKind
	text string // of a number or text, without quotes
	kids []*jsonNode
}

// maxJSONDepth is JSON_MAX_DEPTH.
const maxJSONDepth = 1000

// write appends the element in minimal form. It is false where a text is not
// well-formed or the element is nested too deep, as only editing makes them.
func (n *jsonNode) write(b *strings.Builder, depth int) bool {
	switch n.kind {
	case jsonNull, jsonTrue, jsonFalse:
		b.WriteString(n.kind.String())
	case jsonInt, jsonFloat:
		b.WriteString(n.text)
	case jsonInt5:
		b.WriteString(decimalOfHex(n.text))
	case jsonFloat5:
		writeFloat5(b, n.text)
	case jsonText, jsonTextJ:
		b.WriteString(`"` + n.text + `"`)
	case jsonText5:
		return writeText5(b, n.text)
	case jsonTextRaw:
		writeJSONString(b, n.text)
	default:
		return n.writeKids(b, depth+1)
	}
	return true
}

func (n *jsonNode) writeKids(b *strings.Builder, depth int) bool {
	if depth > maxJSONDepth {
		return false
	}
	marks := "[]"
	if n.kind == jsonObject {
		marks = "{}"
	}
	b.WriteByte(marks[0])
	for i, kid := range n.kids {
		switch {
		case i == 0:
		case n.kind == jsonObject && i%2 == 1:
			b.WriteByte(':')
		default:
			b.WriteByte(',')
		}
		if !kid.write(b, depth) {
			return false
		}
	}
	b.WriteByte(marks[1])
	return true
}

// decimalOfHex writes 0xFF as 255.
func decimalOfHex(text string) string {
	sign := ""
	if text[0] == '-' {
		sign, text = "-", text[1:]
	}
	u, err := strconv.ParseUint(text[2:], 16, 64)
	if err != nil {
		return sign + "9.0e999"
	}
	return sign + strconv.FormatUint(u, 10)
}

// writeFloat5 adds the digits that JSON5 lets out.
func writeFloat5(b *strings.Builder, text string) {
	if text[0] == '-' {
		b.WriteByte('-')
		text = text[1:]
	}
	if text[0] == '.' {
		b.WriteByte('0')
	}
	for i := range len(text) {
		b.WriteByte(text[i])
		if text[i] == '.' && !(i+1 < len(text) && isDigit(text[i+1])) {
			b.WriteByte('0')
		}
	}
}

// writeText5 writes a JSON5 string with the escapes of plain JSON. It is false
// for an escape that is cut off, which only a path can hold.
func writeText5(b *strings.Builder, text string) bool {
	b.WriteByte('"')
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			b.WriteString(`\"`)
			continue
		case c < ' ':
			writeControl(b, c)
			continue
		case c != '\\':
			b.WriteByte(c)
			continue
		case i+1 == len(text):
			return false
		}
		i++
		switch c := text[i]; c {
		case '\'':
			b.WriteByte('\'')
		case 'v':
			b.WriteString(`\u000b`)
		case '0':
			b.WriteString(`\u0000`)
		case 'x':
			if i+2 >= len(text) {
				return false
			}
			b.WriteString(`\u00` + text[i+1:i+3])
			i += 2
		case '\n', '\r', 0xE2:
			// A newline after a backslash stands for nothing.
			skip := escapedNewline(text[i:])
			if skip == 0 {
				return false
			}
			i += skip - 1
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return true
}

// escapedNewline returns the bytes of the newline that s begins with, 0 for
// none.
func escapedNewline(s string) int {
	switch {
	case strings.HasPrefix(s, "\r\n"):
		return 2
	case strings.HasPrefix(s, "\n"), strings.HasPrefix(s, "\r"):
		return 1
	case strings.HasPrefix(s, "\u2028"), strings.HasPrefix(s, "\u2029"):
		return 3
	}
	return 0
}

// writeJSONString quotes a text.
func writeJSONString(b *strings.Builder, s string) {
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ':
			writeControl(b, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
}

func writeControl(b *strings.Builder, c byte) {
	if i := strings.IndexByte("\b\t\n\f\r", c); i >= 0 {
		b.WriteByte('\\')
		b.WriteByte("btnfr"[i])
		return
	}
	b.WriteString(`\u00` + string(lowerHex(c)))
}

// value is the SQL value of an element that is neither array nor object. It is
// false for a hexadecimal number of more than 64 bits.
func (n *jsonNode) value() (Value, bool) {
	switch n.kind {
	case jsonTrue:
		return Int(1), true
	case jsonFalse:
		return Int(0), true
	case jsonInt:
		if i, status := parseInt(n.text); status == intWhole {
			return Int(i), true
		}
		return Float(parseReal(n.text).value), true
	case jsonInt5:
		return hexNumber(n.text)
	case jsonFloat, jsonFloat5:
		return Float(parseReal(n.text).value), true
	case jsonText, jsonTextRaw:
		return Str(n.text), true
	case jsonTextJ, jsonText5:
		return Str(unescapeJSON(n.text)), true
	}
	return Value{}, true
}

func hexNumber(text string) (Value, bool) {
	digits, negative := strings.CutPrefix(text, "-")
	u, err := strconv.ParseUint(digits[2:], 16, 64)
	sign := int64(1)
	if negative {
		sign = -1
	}
	if u>>63 != 0 {
		return Float(float64(sign) * float64(u)), err == nil
	}
	return Int(sign * int64(u)), err == nil
}

// size returns the bytes of the element in JSONB, with its header, by which
// json_each() numbers elements.
func (n *jsonNode) size() int {
	payload := n.payload()
	return headerSize(payload) + payload
}

func (n *jsonNode) payload() int {
	payload := len(n.text)
	for _, kid := range n.kids {
		payload += kid.size()
	}
	return payload
}

// headerSize returns the bytes before so many bytes of payload.
func headerSize(payload int) int {
	switch {
	case payload <= 11:
		return 1
	case payload <= 0xFF:
		return 2
	case payload <= 0xFFFF:
		return 3
	}
	return 5
}

// looksLikeJSONB reports whether SQLite may take a value for JSONB: a BLOB
// whose first bytes give its own length.
func looksLikeJSONB(v Value) bool {
	if v.kind != Blob || v.str == "" || jsonKind(v.str[0]&15) > jsonObject {
		return false
	}
	size, length := int(v.str[0]>>4), 0
	if size > 11 {
		length = 1 << (size - 12)
		if len(v.str) <= length {
			return false
		}
		size = 0
		for i := 1; i <= length; i++ {
			if size = size<<8 | int(v.str[i]); size > len(v.str) {
				return false
			}
		}
	}
	isWord := jsonKind(v.str[0]&15) <= jsonFalse
	return 1+length+size == len(v.str) && (!isWord || size == 0)
}

package evaluate

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/birdcall/birdcall/pkg/tools"
)

// pythonText returns what str() makes of a JSON value in Python, which the code
// of Elder et al. compares values by: 1 is "1" and so is "1", but True is "True".
func pythonText(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	var b strings.Builder
	pythonRepr(&b, v)
	return b.String()
}

// pythonRepr writes what repr() makes of a JSON value
// (https://docs.python.org/3/library/functions.html#repr).
func pythonRepr(b *strings.Builder, v any) {
	switch v := v.(type) {
	case nil:
		b.WriteString("None")
	case bool:
		b.WriteString(map[bool]string{true: "True", false: "False"}[v])
	case json.Number:
		b.WriteString(pythonNumber(v))
	case string:
		pythonQuote(b, v)
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			pythonRepr(b, item)
		}
		b.WriteByte(']')
	case tools.Arguments:
		b.WriteByte('{')
		for i, a := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			pythonQuote(b, a.Name)
			b.WriteString(": ")
			pythonRepr(b, a.Value)
		}
		b.WriteByte('}')
	}
}

// pythonNumber writes an int as it is, and a float as the shortest text that is
// read back as it, with an exponent from 1e16 up and below 1e-4.
func pythonNumber(n json.Number) string {
	text := n.String()
	if !strings.ContainsAny(text, ".eE") {
		if text == "-0" {
			return "0"
		}
		return text
	}
	x, err := n.Float64()
	if err != nil && !math.IsInf(x, 0) {
		return text
	}
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	if magnitude := math.Abs(x); magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e16) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	text = strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// pythonQuote writes a text between quotes: single ones, unless it has such and
// no double ones.
func pythonQuote(b *strings.Builder, text string) {
	quote := '\''
	if strings.Contains(text, "'") && !strings.Contains(text, `"`) {
		quote = '"'
	}
	b.WriteRune(quote)
	for _, r := range text {
		switch {
		case r == quote || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == ' ' || unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			b.WriteString(`\x` + hexadecimal(r, 2))
		case r < 0x10000:
			b.WriteString(`\u` + hexadecimal(r, 4))
		default:
			b.WriteString(`\U` + hexadecimal(r, 8))
		}
	}
	b.WriteRune(quote)
}

func hexadecimal(r rune, digits int) string {
	text := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", max(digits-len(text), 0)) + text
}

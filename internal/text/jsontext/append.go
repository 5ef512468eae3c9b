package jsontext

import (
	"math"
	"strconv"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// AppendText writes a text as a JSON string, or, if it is not UTF-8, as
// {"text": hex}.
func AppendText(b, raw []byte) []byte {
	if !utf8.Valid(raw) {
		return AppendHex(append(b, `{"text":"`...), raw, `"}`)
	}
	return AppendString(b, raw)
}

// AppendHex writes bytes in hexadecimal digits, and end after them.
func AppendHex(b, raw []byte, end string) []byte {
	for _, c := range raw {
		b = append(b, hexDigits[c>>4], hexDigits[c&15])
	}
	return append(b, end...)
}

// AppendString writes UTF-8 text as a JSON string.
func AppendString(b, raw []byte) []byte {
	b = append(b, '"')
	from := 0
	for i, c := range raw {
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b = append(b, raw[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, `\n`...)
		case '\t':
			b = append(b, `\t`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(append(b, raw[from:]...), '"')
}

// AppendReal writes the shortest digits that give the same number again, with a
// point or an exponent. Infinity, which JSON does not have, is Inf.
func AppendReal(b []byte, f float64) []byte {
	if math.IsInf(f, 0) {
		if f < 0 {
			b = append(b, '-')
		}
		return append(b, "Inf"...)
	}
	start := len(b)
	b = strconv.AppendFloat(b, f, 'g', -1, 64)
	for _, c := range b[start:] {
		if c == '.' || c == 'e' {
			return b
		}
	}
	return append(b, ".0"...)
}

// AppendQuoted writes a text as CSV has it in quotation marks.
func AppendQuoted(b, raw []byte) []byte {
	b = append(b, '"')
	for _, c := range raw {
		if c == '"' {
			b = append(b, '"')
		}
		b = append(b, c)
	}
	return append(b, '"')
}

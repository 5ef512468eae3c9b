package table

import (
	"strconv"
	"strings"
	"unicode"
)

// Dash stands for what has no value.
const Dash = "–"

// Decimal writes a score with two decimals, or a dash for nil.
func Decimal(f *float64) string {
	if f == nil {
		return Dash
	}
	return strconv.FormatFloat(*f, 'f', 2, 64)
}

// Share writes n/of with two decimals, or a dash if of is 0.
func Share(n, of int) string {
	if of == 0 {
		return Dash
	}
	f := float64(n) / float64(of)
	return Decimal(&f)
}

// Count writes an integer with a comma between thousands.
func Count(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Plain returns a text on one line without what a terminal obeys or what
// changes the direction of writing. It may come from a model.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}

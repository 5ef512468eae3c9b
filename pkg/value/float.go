package value

import "strings"

// spec is one conversion of a format string: the flags, the width, the
// precision and the verb (printf.html).
type spec struct {
	verb      byte
	width     int
	precision int // -1 if not given
	minus     bool
	sharp     bool
	bang      bool
	zero      bool
	comma     bool
	sign      byte // '+', ' ' or 0
}

// maxFloatPrecision bounds the digits after the point.
const maxFloatPrecision = 100000000

// float renders f by %e, %f or %g, padded to the width.
func (s spec) float(f float64) string {
	precision := s.precision
	if precision < 0 {
		precision = 6
	}
	precision = min(precision, maxFloatPrecision)
	verb := lower(s.verb)
	round := precision + 1
	switch verb {
	case 'f':
		round = -precision
	case 'g':
		precision = max(precision, 1)
		round = precision
	}
	limit := 16
	if s.bang {
		limit = 20
	}
	d := decode(f, round, limit)
	if d.infinite {
		if !s.zero {
			return s.pad(s.infinity(d.negative))
		}
		// With a zero flag SQLite shows infinity as a very large number.
		d.digits, d.point = []byte{'9'}, 1000
	}
	prefix := s.sign
	if d.negative && (!s.sharp || s.sign != 0 || verb != 'f' || d.point > round) {
		prefix = '-'
	} else if d.negative {
		prefix = 0
	}
	trim := s.bang
	if verb == 'g' {
		precision--
		trim = !s.sharp
		if exp := d.point - 1; exp < -4 || exp > precision {
			verb = 'e'
		} else {
			precision -= exp
			verb = 'f'
		}
	}
	var b strings.Builder
	if prefix != 0 {
		b.WriteByte(prefix)
	}
	b.WriteString(s.mantissa(d, verb, precision, trim))
	if verb == 'e' {
		b.WriteString(exponent(d.point-1, s.verb))
	}
	text := b.String()
	if missing := s.width - len(text); missing > 0 && s.zero && !s.minus {
		signed := 0
		if prefix != 0 {
			signed = 1
		}
		return text[:signed] + strings.Repeat("0", missing) + text[signed:]
	}
	return s.pad(text)
}

func (s spec) infinity(negative bool) string {
	switch {
	case negative:
		return "-Inf"
	case s.sign != 0:
		return string(rune(s.sign)) + "Inf"
	}
	return "Inf"
}

// mantissa writes the digits around the decimal point. precision is the number
// of digits after it; trim drops trailing zeros.
func (s spec) mantissa(d decimal, verb byte, precision int, trim bool) string {
	var b strings.Builder
	exp := 0
	if verb != 'e' {
		exp = d.point - 1
	}
	used := 0
	if exp < 0 {
		b.WriteByte('0')
	}
	for ; exp >= 0; exp-- {
		if used < len(d.digits) {
			b.WriteByte(d.digits[used])
			used++
		} else {
			b.WriteByte('0')
		}
		if s.comma && exp%3 == 0 && exp > 1 {
			b.WriteByte(',')
		}
	}
	if precision <= 0 && !s.sharp && !s.bang {
		return b.String()
	}
	b.WriteByte('.')
	if gap := min(-1-exp, precision); gap > 0 {
		b.WriteString(strings.Repeat("0", gap))
		precision -= gap
	}
	if n := min(len(d.digits)-used, precision); n > 0 {
		b.Write(d.digits[used : used+n])
		precision -= n
	}
	if !trim {
		b.WriteString(strings.Repeat("0", max(precision, 0)))
		return b.String()
	}
	text := strings.TrimRight(b.String(), "0")
	if strings.HasSuffix(text, ".") {
		if s.bang {
			return text + "0"
		}
		text = text[:len(text)-1]
	}
	return text
}

// exponent writes "e+20": at least two digits, and the letter in the verb's
// case.
func exponent(exp int, verb byte) string {
	b := []byte{'e', '+'}
	if verb == upper(verb) {
		b[0] = 'E'
	}
	if exp < 0 {
		b[1] = '-'
		exp = -exp
	}
	if exp >= 100 {
		b = append(b, byte('0'+exp/100))
		exp %= 100
	}
	return string(append(b, byte('0'+exp/10), byte('0'+exp%10)))
}

// pad fills text with spaces up to the width in bytes.
func (s spec) pad(text string) string {
	missing := s.width - len(text)
	switch {
	case missing <= 0:
		return text
	case s.minus:
		return text + strings.Repeat(" ", missing)
	}
	return strings.Repeat(" ", missing) + text
}

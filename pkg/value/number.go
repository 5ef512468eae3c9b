package value

import "math"

// isSpace reports whether SQLite skips c as white space around a number.
func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// at returns s[i], and 0 from the end of s on, as in a C string.
func at(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// realText is what parseReal found at the start of a text.
type realText struct {
	value float64
	found bool // there is a number
	whole bool // nothing but white space follows it
	real  bool // it has a decimal point or an exponent
}

// parseReal reads the number that a text starts with, white space skipped. As
// in SQLite, a NUL byte ends the text.
func parseReal(s string) realText {
	// A mantissa below this bound can take one more digit.
	const full = (math.MaxUint64 - 9) / 10
	var r realText
	i := 0
	for isSpace(at(s, i)) {
		i++
	}
	negative := at(s, i) == '-'
	if negative || at(s, i) == '+' {
		i++
	}
	var mantissa uint64
	exp := 0
	for ; isDigit(at(s, i)); i++ {
		r.found = true
		if mantissa < full {
			mantissa = mantissa*10 + uint64(s[i]-'0')
		} else {
			exp++
		}
	}
	if at(s, i) == '.' && (r.found || isDigit(at(s, i+1))) {
		r.found, r.real = true, true
		for i++; isDigit(at(s, i)); i++ {
			if mantissa < full {
				mantissa = mantissa*10 + uint64(s[i]-'0')
				exp--
			}
		}
	}
	if !r.found {
		return r
	}
	if n, e, ok := parseExponent(s[i:]); ok {
		r.real = true
		exp += e
		i += n
	}
	if mantissa != 0 {
		r.value = fromDecimal(mantissa, exp)
	}
	if negative {
		r.value = -r.value
	}
	for isSpace(at(s, i)) {
		i++
	}
	r.whole = at(s, i) == 0
	return r
}

// parseExponent reads "e-12" and the like: its length and its number, which
// saturates far outside the range of a real.
func parseExponent(s string) (length, exp int, ok bool) {
	if c := at(s, 0); c != 'e' && c != 'E' {
		return 0, 0, false
	}
	i := 1
	sign := at(s, i)
	if sign == '-' || sign == '+' {
		i++
	}
	if !isDigit(at(s, i)) {
		return 0, 0, false
	}
	for ; isDigit(at(s, i)); i++ {
		if exp < 10000 {
			exp = exp*10 + int(s[i]-'0')
		} else {
			exp = 10000
		}
	}
	if sign == '-' {
		exp = -exp
	}
	return i, exp, true
}

// intStatus says how the text given to parseInt compares with its result.
type intStatus uint8

const (
	intNone     intStatus = iota // no digits; the result is 0
	intWhole                     // an integer and nothing else
	intPrefix                    // other text follows the integer
	intOverflow                  // saturated
	intJustOver                  // saturated from 9223372036854775808 itself
)

// parseInt reads the integer that a text starts with, white space skipped,
// saturating at the limits of 64 bits. Unlike parseReal it takes a NUL byte
// for text that follows the number.
func parseInt(s string) (int64, intStatus) {
	i := 0
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	negative := at(s, i) == '-'
	if negative || at(s, i) == '+' {
		i++
	}
	start := i
	var u uint64
	over := false
	for ; i < len(s) && isDigit(s[i]); i++ {
		c := uint64(s[i] - '0')
		if u > math.MaxInt64/10 || u*10+c > math.MaxInt64+1 {
			over = true
		}
		if !over {
			u = u*10 + c
		}
	}
	status := intWhole
	if i == start {
		status = intNone
	}
	for _, c := range []byte(s[i:]) {
		if !isSpace(c) && status == intWhole {
			status = intPrefix
			break
		}
	}
	switch {
	case over && negative:
		return math.MinInt64, intOverflow
	case over:
		return math.MaxInt64, intOverflow
	case negative:
		return -int64(u), status
	case u > math.MaxInt64:
		return math.MaxInt64, intJustOver
	}
	return int64(u), status
}

// realToInt truncates towards zero and saturates.
func realToInt(f float64) int64 {
	const edge = 1<<63 - 1024 // the largest real below 2^63
	switch {
	case f < -edge:
		return math.MinInt64
	case f > edge:
		return math.MaxInt64
	}
	return int64(f)
}

// sameAsInt reports whether f is exactly i and small enough that SQLite
// replaces the one by the other without a second look.
func sameAsInt(f float64, i int64) bool {
	const small = 1 << 51
	return f == 0 || f == float64(i) && i >= -small && i < small
}

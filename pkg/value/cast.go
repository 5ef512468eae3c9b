package value

import (
	"strconv"
	"strings"
)

// Cast returns CAST(v AS type) for a type of affinity a (lang_expr.html, "CAST
// expressions"). NULL stays NULL. A text or blob is read up to where it stops
// being a number, integers saturate at 64 bits, and AffinityNone is taken for
// AffinityBlob.
func Cast(v Value, a Affinity) Value {
	if v.kind == Null {
		return v
	}
	switch a {
	case AffinityText:
		return Str(AsText(v))
	case AffinityNumeric:
		return castNumeric(v)
	case AffinityInteger:
		return Int(ToInt64(v))
	case AffinityReal:
		return Float(ToFloat64(v))
	}
	return Bytes(AsText(v))
}

func castNumeric(v Value) Value {
	if v.kind != Text && v.kind != Blob {
		return v
	}
	r := parseReal(v.str)
	if !r.real {
		if i, status := parseInt(v.str); status <= intPrefix {
			return Int(i)
		}
	}
	if i := realToInt(r.value); sameAsInt(r.value, i) {
		return Int(i)
	}
	return Float(r.value)
}

// ToNumeric returns the number that the arithmetic operators use for v
// (lang_expr.html, "Operators"): numbers and NULL as they are, and for a text
// or blob the number it starts with, 0 if with none.
func ToNumeric(v Value) Value {
	if v.kind != Text && v.kind != Blob {
		return v
	}
	r := parseReal(v.str)
	if !r.real {
		i, status := parseInt(v.str)
		if status == intWhole || status <= intPrefix && !(r.found && r.whole) {
			return Int(i)
		}
	}
	return Float(r.value)
}

// ToInt64 returns v as CAST(v AS INTEGER) gives it, and 0 for NULL. A real is
// truncated and a text is read as digits only, so that '9.5e2' is 9.
func ToInt64(v Value) int64 {
	switch v.kind {
	case Integer:
		return v.Int64()
	case Real:
		return realToInt(v.Float64())
	}
	i, _ := parseInt(v.str)
	return i
}

// ToFloat64 returns v as CAST(v AS REAL) gives it, and 0 for NULL.
func ToFloat64(v Value) float64 {
	if v.kind == Integer || v.kind == Real {
		return v.Float64()
	}
	return parseReal(v.str).value
}

// InfinityOf returns 1 or -1 if SQLite writes an infinite number as text, in letters
// of either case and with any spaces after it, as collations may compare it; else 0.
// SQLite does not read such a text as a number.
func InfinityOf(text string) int {
	switch text = strings.TrimRight(text, " "); {
	case strings.EqualFold(text, "Inf"):
		return 1
	case strings.EqualFold(text, "-Inf"):
		return -1
	}
	return 0
}

// AsText returns v as CAST(v AS TEXT) gives it, and "" for NULL. A real has up
// to 17 significant digits and always a point ("1.0", "1.0e+20"), and an
// infinite one is "Inf" or "-Inf". The bytes of a blob are taken as they are.
func AsText(v Value) string {
	switch v.kind {
	case Integer:
		return strconv.FormatInt(v.Int64(), 10)
	case Real:
		return spec{verb: 'g', precision: 17, bang: true}.float(v.Float64())
	}
	return v.str
}

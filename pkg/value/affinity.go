package value

import (
	"math"
	"strings"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// Affinity is the type that a column or an expression prefers
// (datatype3.html, section 3).
type Affinity uint8

// The affinities. AffinityNone is that of an expression which has none, such
// as a literal or a function's result; AffinityBlob is that of a column with
// the type BLOB or no type at all. They differ only in Coerce.
const (
	AffinityNone Affinity = iota
	AffinityBlob
	AffinityText
	AffinityNumeric
	AffinityInteger
	AffinityReal
)

// String returns the name in SQLite's documentation, and "NONE" for an
// expression without affinity.
func (a Affinity) String() string {
	return [...]string{"NONE", "BLOB", "TEXT", "NUMERIC", "INTEGER", "REAL"}[a]
}

// AffinityOf returns the affinity of a column declared with that type
// (datatype3.html, section 3.1): the first of INT; CHAR, CLOB or TEXT; BLOB or
// nothing; REAL, FLOA or DOUB that the type contains decides, and anything
// else is NUMERIC.
func AffinityOf(declared string) Affinity {
	d := spelling.Lower(declared)
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(d, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("int"):
		return AffinityInteger
	case has("char", "clob", "text"):
		return AffinityText
	case d == "", has("blob"):
		return AffinityBlob
	case has("real", "floa", "doub"):
		return AffinityReal
	}
	return AffinityNumeric
}

// Numeric reports whether a is NUMERIC, INTEGER or REAL.
func (a Affinity) Numeric() bool { return a >= AffinityNumeric }

// Apply returns v as a column of affinity a stores it (datatype3.html, section
// 3): TEXT turns numbers into text, NUMERIC and INTEGER turn texts that are
// numbers into numbers and whole reals into integers, REAL turns both into
// reals. NULL and blobs never change, nor does a text that is not a number.
func (a Affinity) Apply(v Value) Value {
	switch a {
	case AffinityText:
		if v.kind == Integer || v.kind == Real {
			return Str(AsText(v))
		}
	case AffinityNumeric, AffinityInteger:
		return wholeToInt(textToNumber(v))
	case AffinityReal:
		// By way of an integer, as SQLite packs whole reals: -0.0 becomes 0.0.
		v = wholeToInt(textToNumber(v))
		if v.kind == Integer {
			return Float(v.Float64())
		}
	}
	return v
}

// textToNumber turns a text that is nothing but a number into that number and
// returns any other value as it is.
func textToNumber(v Value) Value {
	if v.kind != Text {
		return v
	}
	r := parseReal(v.str)
	if !r.found || !r.whole {
		return v
	}
	if !r.real {
		if i := realToInt(r.value); sameAsInt(r.value, i) {
			return Int(i)
		}
		if i, status := parseInt(v.str); status == intWhole {
			return Int(i)
		}
	}
	return Float(r.value)
}

// wholeToInt turns a real that is an integer of less than 64 bits into it.
func wholeToInt(v Value) Value {
	if v.kind != Real {
		return v
	}
	f := v.Float64()
	if i := realToInt(f); float64(i) == f && i > math.MinInt64 && i < math.MaxInt64 {
		return Int(i)
	}
	return v
}

// Coerce returns the operands of a comparison, whose affinities are aa and ba,
// as SQLite converts them before it compares (datatype3.html, section 4.2): a
// numeric affinity on either side turns the other side's numeric text into a
// number; TEXT against an expression without affinity turns numbers into text;
// anything else is left alone.
func Coerce(a, b Value, aa, ba Affinity) (Value, Value) {
	switch {
	case aa.Numeric() || ba.Numeric():
		return textToNumber(a), textToNumber(b)
	case aa == AffinityText && ba == AffinityNone, aa == AffinityNone && ba == AffinityText:
		return AffinityText.Apply(a), AffinityText.Apply(b)
	}
	return a, b
}

// DType returns the JSON type of the values of a column declared with that type,
// by its affinity: integer, number or string. Dates are strings.
func DType(declared string) string {
	d := spelling.Lower(declared)
	if strings.Contains(d, "date") || strings.Contains(d, "time") {
		return "string"
	}
	switch AffinityOf(declared) {
	case AffinityInteger:
		return "integer"
	case AffinityReal, AffinityNumeric:
		return "number"
	}
	return "string"
}

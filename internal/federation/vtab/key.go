package vtab

import (
	"math"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
)

// keyer makes texts of a column's values that are equal where SQLite may find the
// values equal. It looks at each row again, so that two values may share a text
// that are different, but not the other way around.
type keyer struct {
	affinity  value.Affinity
	collation value.Collation
}

func newKeyer(c apis.Column) keyer {
	collation, _ := value.CollationNamed(c.Collation)
	return keyer{value.AffinityOf(c.Type), collation}
}

// isTyped reports whether the column's own affinity says how its values compare
// with those that an API can be asked for: those of a TEXT column with texts, those
// of a numeric one as numbers.
func (k keyer) isTyped() bool { return k.affinity > value.AffinityBlob }

// sent appends a text that two values share only if the API has the same rows for
// both: those of a TEXT column may differ by its collation, and those of a numeric
// one by how the number is written.
func (k keyer) sent(b []byte, v value.Value) []byte {
	switch {
	case k.affinity == value.AffinityText && v.Kind() == value.Text:
		return k.text(b, v.Raw())
	case k.affinity.Numeric():
		v = value.AffinityNumeric.Apply(v)
	}
	return identity(b, v)
}

// loose appends the text of a value whatever it is compared with: a text in a TEXT
// column is compared as a number with a column of numbers, and a number as its text
// with a column of texts (https://www.sqlite.org/datatype3.html, section 4.2).
func (k keyer) loose(b []byte, v value.Value) []byte {
	if v.Kind() == value.Text && mayBeNumber(v.Raw()) {
		v = value.AffinityNumeric.Apply(v)
	}
	switch v.Kind() {
	case value.Integer:
		if i := v.Int64(); i > -exact && i < exact {
			b = append(strconv.AppendInt(append(b, 'n'), i, 10), 0)
		} else {
			b = appendReal(b, float64(i))
		}
	case value.Real:
		b = appendReal(b, v.Float64())
	case value.Text:
		if sign := value.InfinityOf(v.Raw()); sign != 0 {
			b = appendReal(b, math.Inf(sign))
		} else {
			b = k.text(b, v.Raw())
		}
	case value.Blob:
		b = strconv.AppendQuote(append(b, 'b'), v.Raw())
	default:
		b = append(b, '0', 0)
	}
	return b
}

// exact is up to where each integer is a float64.
const exact = 1 << 53

func appendReal(b []byte, f float64) []byte {
	b = append(b, 'n')
	if f == math.Trunc(f) && math.Abs(f) < exact {
		return append(strconv.AppendInt(b, int64(f), 10), 0)
	}
	return append(strconv.AppendFloat(b, f, 'g', -1, 64), 0)
}

func (k keyer) text(b []byte, s string) []byte {
	switch k.collation {
	case value.NoCase:
		s = spelling.Lower(s)
	case value.RTrim:
		s = strings.TrimRight(s, " ")
	}
	// The length keeps texts of several columns apart.
	return append(append(strconv.AppendInt(append(b, 't'), int64(len(s)), 10), ':'), s...)
}

// mayBeNumber reports whether a text can be one that SQLite takes for a number.
func mayBeNumber(s string) bool {
	if s == "" {
		return false
	}
	c := s[0]
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c <= ' '
}

// identity appends the text of a value that no other value has.
func identity(b []byte, v value.Value) []byte {
	b = append(b, byte('0'+v.Kind()))
	switch v.Kind() {
	case value.Integer:
		return append(strconv.AppendInt(b, v.Int64(), 10), 0)
	case value.Real:
		return append(strconv.AppendUint(b, math.Float64bits(v.Float64()), 16), 0)
	}
	s := v.Raw()
	return append(append(strconv.AppendInt(b, int64(len(s)), 10), ':'), s...)
}

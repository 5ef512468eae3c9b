package value

import (
	"strings"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// Collation is one of SQLite's three built-in text orders
// (datatype3.html, section 7).
type Collation uint8

// The built-in collations. Binary compares bytes, NoCase folds the 26 ASCII
// letters, RTrim ignores trailing spaces.
const (
	Binary Collation = iota
	NoCase
	RTrim
)

var collationNames = [...]string{"BINARY", "NOCASE", "RTRIM"}

// String returns SQLite's name of the collation, in capitals.
func (c Collation) String() string { return collationNames[c] }

// CollationNamed returns the built-in collation of that name, in any case, and
// whether there is one.
func CollationNamed(name string) (Collation, bool) {
	for i, n := range collationNames {
		if spelling.Same(n, name) {
			return Collation(i), true
		}
	}
	return Binary, false
}

// Compare returns -1, 0 or 1: the order of a and b in ORDER BY, where NULL
// comes first, then numbers, texts and blobs (datatype3.html, section 4.1). An
// integer and a real are compared exactly, neither being rounded. c orders
// texts only. NULL equals NULL here; the comparison operators answer NULL
// instead, which is for the caller to decide.
func Compare(a, b Value, c Collation) int {
	ra, rb := rank(a), rank(b)
	if ra != rb {
		return order(ra, rb)
	}
	switch ra {
	case rankNumber:
		return compareNumbers(a, b)
	case rankText:
		return compareTexts(a.str, b.str, c)
	case rankBlob:
		return strings.Compare(a.str, b.str)
	}
	return 0
}

// The order of the storage classes; integers and reals are of one class.
const (
	rankNull = iota
	rankNumber
	rankText
	rankBlob
)

func rank(v Value) int {
	switch v.kind {
	case Null:
		return rankNull
	case Text:
		return rankText
	case Blob:
		return rankBlob
	}
	return rankNumber
}

func order[T int | int64 | float64 | byte](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func compareNumbers(a, b Value) int {
	switch {
	case a.kind == Integer && b.kind == Integer:
		return order(a.Int64(), b.Int64())
	case a.kind == Real && b.kind == Real:
		return order(a.Float64(), b.Float64())
	case a.kind == Integer:
		return compareIntReal(a.Int64(), b.Float64())
	}
	return -compareIntReal(b.Int64(), a.Float64())
}

func compareIntReal(i int64, f float64) int {
	switch {
	case f < -(1 << 63):
		return 1
	case f >= 1<<63:
		return -1
	}
	if whole := int64(f); i != whole {
		return order(i, whole)
	}
	return order(float64(i), f)
}

func compareTexts(a, b string, c Collation) int {
	switch c {
	case NoCase:
		return compareFolded(a, b)
	case RTrim:
		return strings.Compare(strings.TrimRight(a, " "), strings.TrimRight(b, " "))
	}
	return strings.Compare(a, b)
}

// compareFolded compares letters by their lower case. SQLite stops reading at
// a NUL that both texts have at one place and looks only at the lengths then.
func compareFolded(a, b string) int {
	n := min(len(a), len(b))
	for i := 0; i < n; i++ {
		if x, y := lower(a[i]), lower(b[i]); x != y {
			return order(x, y)
		} else if x == 0 {
			break
		}
	}
	return order(len(a), len(b))
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}

// Key returns a canonical form of v: the keys of two values are == in Go if
// and only if Compare finds the values equal under c. It serves maps that
// group, join or drop duplicates. A key of a text may differ from the text
// itself, so show the value and not its key.
func Key(v Value, c Collation) Value {
	switch v.kind {
	case Real:
		f := v.Float64()
		if f >= -(1<<63) && f < 1<<63 && f == float64(int64(f)) {
			return Int(int64(f))
		}
	case Text:
		switch c {
		case NoCase:
			return Str(noCase(v.str))
		case RTrim:
			return Str(strings.TrimRight(v.str, " "))
		}
	}
	return v
}

// noCase lowers ASCII letters and, as compareFolded does not look past a NUL,
// blanks what follows one.
func noCase(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; lower(c) == c && c != 0 {
			continue
		}
		b := []byte(s)
		for ; i < len(b); i++ {
			if b[i] == 0 {
				clear(b[i:])
				break
			}
			b[i] = lower(b[i])
		}
		return string(b)
	}
	return s
}

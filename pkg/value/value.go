package value

import "math"

// Kind is the storage class of a value, as typeof() names it
// (https://www.sqlite.org/datatype3.html, section 2). The order of the
// constants is the order in which SQLite sorts storage classes, except that
// Integer and Real compare with each other by number.
type Kind uint8

// The five storage classes.
const (
	Null Kind = iota
	Integer
	Real
	Text
	Blob
)

// String returns what SQLite's typeof() answers: "null", "integer", "real",
// "text" or "blob".
func (k Kind) String() string {
	return [...]string{"null", "integer", "real", "text", "blob"}[k]
}

// Value is one immutable SQLite value. The zero Value is NULL. Values are
// comparable with ==, which means identity (same storage class, same bits),
// not SQL equality: use Compare for that.
type Value struct {
	kind Kind
	num  uint64 // integer, or the bits of a real
	str  string // text, or the bytes of a blob
}

// NullValue returns NULL.
func NullValue() Value { return Value{} }

// Int returns an INTEGER.
func Int(i int64) Value { return Value{kind: Integer, num: uint64(i)} }

// Float returns a REAL; NaN becomes NULL, as SQLite stores it.
func Float(f float64) Value {
	if math.IsNaN(f) {
		return Value{}
	}
	return Value{kind: Real, num: math.Float64bits(f)}
}

// Bool returns 1 or 0, SQLite's true and false.
func Bool(b bool) Value {
	if b {
		return Int(1)
	}
	return Int(0)
}

// Str returns a TEXT.
func Str(s string) Value { return Value{kind: Text, str: s} }

// Bytes returns a BLOB holding the bytes of s.
func Bytes(s string) Value { return Value{kind: Blob, str: s} }

// Kind returns the storage class.
func (v Value) Kind() Kind { return v.kind }

// IsNull reports whether v is NULL.
func (v Value) IsNull() bool { return v.kind == Null }

// Int64 returns the integer; it is meaningful only for Integer.
func (v Value) Int64() int64 { return int64(v.num) }

// Float64 returns the number of an Integer or Real, and 0 otherwise.
func (v Value) Float64() float64 {
	switch v.kind {
	case Integer:
		return float64(int64(v.num))
	case Real:
		return math.Float64frombits(v.num)
	}
	return 0
}

// Raw returns the bytes of a Text or Blob and "" otherwise. For the text that
// SQLite would print for any value, use AsText.
func (v Value) Raw() string { return v.str }

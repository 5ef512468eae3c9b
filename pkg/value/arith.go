package value

import "math"

// The operators of lang_expr.html. NULL on either side gives NULL. Texts and
// blobs count as ToNumeric or, for the operators on bits, ToInt64 has them.

// Add returns a + b. Integers that overflow give a real.
func Add(a, b Value) Value {
	return arithmetic(a, b, func(x, y int64) (int64, bool) {
		sum := x + y
		return sum, (x < 0) != (y < 0) || (sum < 0) == (x < 0)
	}, func(x, y float64) float64 { return x + y })
}

// Subtract returns a - b. Integers that overflow give a real.
func Subtract(a, b Value) Value {
	return arithmetic(a, b, func(x, y int64) (int64, bool) {
		diff := x - y
		return diff, (x < 0) == (y < 0) || (diff < 0) == (x < 0)
	}, func(x, y float64) float64 { return x - y })
}

// Multiply returns a * b. Integers that overflow give a real.
func Multiply(a, b Value) Value {
	return arithmetic(a, b, multiplyInts, func(x, y float64) float64 { return x * y })
}

func multiplyInts(x, y int64) (int64, bool) {
	if x == 0 || y == 0 {
		return 0, true
	}
	p := x * y
	wraps := x == -1 && y == math.MinInt64 || y == -1 && x == math.MinInt64
	return p, !wraps && p/y == x
}

// Divide returns a / b: truncated towards zero for two integers, NULL if b is
// zero.
func Divide(a, b Value) Value {
	if a.kind == Null || b.kind == Null || ToNumeric(b).Float64() == 0 {
		return Value{}
	}
	return arithmetic(a, b, func(x, y int64) (int64, bool) {
		if x == math.MinInt64 && y == -1 {
			return 0, false
		}
		return x / y, true
	}, func(x, y float64) float64 { return x / y })
}

// Modulo returns a % b, with the sign of a, NULL if b is zero. Operands that
// are not integers are cast to them, and the result is a real then.
func Modulo(a, b Value) Value {
	if a.kind == Null || b.kind == Null {
		return Value{}
	}
	a, b, isReal := integers(a, b)
	if b.Int64() == 0 {
		return Value{}
	}
	rest := int64(0)
	if b.Int64() != -1 { // where Go's result would overflow
		rest = a.Int64() % b.Int64()
	}
	if isReal {
		return Float(float64(rest))
	}
	return Int(rest)
}

// integers returns the operands of % as integers, and whether one of them was
// not an integer before.
func integers(a, b Value) (Value, Value, bool) {
	x, y := ToNumeric(a), ToNumeric(b)
	if x.kind == Integer && y.kind == Integer {
		return x, y, false
	}
	return Int(ToInt64(a)), Int(ToInt64(b)), true
}

// arithmetic applies ints to two integers, unless that overflows, and reals to
// anything else. A result that is not a number is NULL.
func arithmetic(a, b Value, ints func(x, y int64) (int64, bool), reals func(x, y float64) float64) Value {
	if a.kind == Null || b.kind == Null {
		return Value{}
	}
	a, b = ToNumeric(a), ToNumeric(b)
	if a.kind == Integer && b.kind == Integer {
		if i, ok := ints(a.Int64(), b.Int64()); ok {
			return Int(i)
		}
	}
	return Float(reals(a.Float64(), b.Float64()))
}

// Negate returns -a, which SQLite computes as 0 - a: -(0.0) is 0.0.
func Negate(a Value) Value { return Subtract(Int(0), a) }

// BitAnd returns a & b.
func BitAnd(a, b Value) Value {
	return bitwise(a, b, func(x, y int64) int64 { return x & y })
}

// BitOr returns a | b.
func BitOr(a, b Value) Value {
	return bitwise(a, b, func(x, y int64) int64 { return x | y })
}

// BitNot returns ~a.
func BitNot(a Value) Value {
	return bitwise(a, a, func(x, _ int64) int64 { return ^x })
}

// ShiftLeft returns a << b. A negative b shifts right.
func ShiftLeft(a, b Value) Value { return bitwise(a, b, shift) }

// ShiftRight returns a >> b, which keeps the sign of a. A negative b shifts
// left.
func ShiftRight(a, b Value) Value {
	return bitwise(a, b, func(x, by int64) int64 {
		if by == math.MinInt64 {
			by++ // as far as 64 bits allow; -by would overflow
		}
		return shift(x, -by)
	})
}

func shift(x, by int64) int64 {
	if by >= 0 {
		return x << uint64(by)
	}
	return x >> uint64(-by)
}

func bitwise(a, b Value, op func(x, y int64) int64) Value {
	if a.kind == Null || b.kind == Null {
		return Value{}
	}
	return Int(op(ToInt64(a), ToInt64(b)))
}

// Concat returns a || b, always a text.
func Concat(a, b Value) Value {
	if a.kind == Null || b.kind == Null {
		return Value{}
	}
	return Str(AsText(a) + AsText(b))
}

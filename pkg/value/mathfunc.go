package value

import (
	"math"
	"math/big"
)

// numberOf returns the number that the mathematical functions see: a number
// itself, or a text that is nothing but one.
func numberOf(v Value) (Value, bool) {
	v = textToNumber(v)
	return v, v.kind == Integer || v.kind == Real
}

func math1(f func(float64) float64) builtin {
	return unary(func(v Value) Value {
		n, ok := numberOf(v)
		if !ok {
			return Value{}
		}
		return Float(f(n.Float64()))
	})
}

func math2(f func(x, y float64) float64) builtin {
	return binary(func(a, b Value) Value {
		x, okX := numberOf(a)
		y, okY := numberOf(b)
		if !okX || !okY {
			return Value{}
		}
		return Float(f(x.Float64(), y.Float64()))
	})
}

// whole is ceil(), floor() or trunc(), which leave integers alone.
func whole(f func(float64) float64) func(Value) Value {
	return func(v Value) Value {
		n, ok := numberOf(v)
		switch {
		case !ok:
			return Value{}
		case n.kind == Integer:
			return n
		}
		return Float(f(n.Float64()))
	}
}

// logarithm is NULL for what is not a positive number.
func logarithm(f func(float64) float64) builtin {
	return unary(func(v Value) Value {
		x, ok := positive(v)
		if !ok {
			return Value{}
		}
		return Float(f(x))
	})
}

func positive(v Value) (float64, bool) {
	n, ok := numberOf(v)
	return n.Float64(), ok && n.Float64() > 0
}

// logFunction is log(X), to base 10, or log(B, X).
func logFunction(args []Value) Value {
	x, ok := positive(args[0])
	if !ok {
		return Value{}
	}
	if len(args) == 1 {
		return Float(log10(x))
	}
	base := ln(x)
	// Unlike the base, X may be a text that only starts with a number.
	x = ToFloat64(args[1])
	if base <= 0 || x <= 0 {
		return Value{}
	}
	return Float(ln(x) / base)
}

// ln and log10 are package math's, which on some machines is far off for the
// reals below the smallest normal one.
func ln(x float64) float64 { return belowNormal(math.Log, math.Ln2, x) }

// log10 is exact for the powers of ten, too.
func log10(x float64) float64 {
	y := belowNormal(math.Log10, math.Ln2/math.Ln10, x)
	if n := math.Round(y); math.Abs(y-n) < 1e-9 && math.Pow(10, n) == x {
		return n
	}
	return y
}

// belowNormal applies a logarithm, scaling x up first where it is very small;
// two is the logarithm of 2.
func belowNormal(log func(float64) float64, two, x float64) float64 {
	const smallestNormal, shift = 0x1p-1022, 54
	if x < smallestNormal {
		return log(x*(1<<shift)) - shift*two
	}
	return log(x)
}

// pow rounds once where the exponent is an integer of sensible size; math.Pow
// rounds at every multiplication.
func pow(x, y float64) float64 {
	const maxExponent, precision = 1 << 20, 256
	result := math.Pow(x, y)
	if y != math.Trunc(y) || math.Abs(y) > maxExponent || result == 0 || math.IsInf(x, 0) || math.IsInf(result, 0) || math.IsNaN(result) {
		return result
	}
	one := new(big.Float).SetPrec(precision).SetInt64(1)
	product := new(big.Float).Set(one)
	factor := new(big.Float).SetPrec(precision).SetFloat64(x)
	for n := int(math.Abs(y)); n > 0; n >>= 1 {
		if n&1 != 0 {
			product.Mul(product, factor)
		}
		factor.Mul(factor, factor)
	}
	if y < 0 {
		product.Quo(one, product)
	}
	exact, _ := product.Float64()
	return exact
}

func abs(args []Value) (Value, error) {
	v := args[0]
	switch {
	case v.kind == Null:
		return v, nil
	case v.kind != Integer:
		f := ToFloat64(v)
		if f < 0 {
			f = -f
		}
		return Float(f), nil
	case v.Int64() == math.MinInt64:
		return Value{}, &FunctionError{"abs", "integer overflow"}
	}
	return Int(max(v.Int64(), -v.Int64())), nil
}

func sign(v Value) Value {
	n, ok := numberOf(v)
	if !ok {
		return Value{}
	}
	return Int(int64(order(n.Float64(), 0)))
}

// round takes the digits from the decimal text of the number, so that halves
// go away from zero as that text shows them.
func round(args []Value) Value {
	digits := int64(0)
	if len(args) == 2 {
		if args[1].kind == Null {
			return Value{}
		}
		digits = min(max(ToInt64(args[1]), 0), 30)
	}
	if args[0].kind == Null {
		return Value{}
	}
	const noFraction = 1 << 52
	f := ToFloat64(args[0])
	switch {
	case f < -noFraction || f > noFraction:
		return Float(f)
	case digits > 0:
		return Float(parseReal(spec{verb: 'f', precision: int(digits), bang: true}.float(f)).value)
	case f < 0:
		return Float(float64(int64(f - 0.5)))
	}
	return Float(float64(int64(f + 0.5)))
}

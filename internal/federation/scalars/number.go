package scalars

import (
	"errors"
	"math"
	"math/big"
)

// ErrDivisor says that a divisor is 0.
var ErrDivisor = errors.New("the divisor is 0, which divides nothing")

// IsDivisible reports whether divisor divides n without a rest, whatever the signs.
// A divisor of 0 is ErrDivisor.
func IsDivisible(n, divisor int64) (bool, error) {
	switch divisor {
	case 0:
		return false, ErrDivisor
	case -1:
		return true, nil // the least number divided by it does not fit
	}
	return n%divisor == 0, nil
}

// IsPrime reports whether n is a prime number: one greater than 1 that only 1 and it
// itself divide.
func IsPrime(n int64) bool {
	return n > 1 && big.NewInt(n).ProbablyPrime(0) // which is exact below 2^64
}

// IsPerfectSquare reports whether n is the square of a whole number. 0 and 1 are.
func IsPerfectSquare(n int64) bool {
	if n < 0 {
		return false
	}
	root := int64(math.Sqrt(float64(n))) // at most one off
	for r := max(root-1, 0); r <= root+1; r++ {
		if r <= math.MaxInt32*2 && r*r == n {
			return true
		}
	}
	return false
}

// IsFibonacci reports whether n is a Fibonacci number: 0, 1, 1, 2, 3, 5, and on,
// each the sum of the two before. No negative number is.
func IsFibonacci(n int64) bool {
	a, b := int64(0), int64(1)
	for a < n && b > 0 {
		a, b = b, a+b // beyond the greatest number b becomes negative
	}
	return a == n
}

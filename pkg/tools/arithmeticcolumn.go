package tools

import (
	"context"
	"math"

	"github.com/birdcall/birdcall/pkg/value"
)

// blockOperator computes an arithmetic operator on blocks of numbers, where NULL
// is 0; what it makes of that is not kept.
type blockOperator struct {
	// ints returns false where a result is no INTEGER.
	ints func(out block[int64], x, y []int64) bool
	// reals may leave NaN for NULL. It may be missing.
	reals func(out block[float64], x, y []float64)
}

var (
	addBlocks      = blockOperator{addInts, addReals}
	subtractBlocks = blockOperator{subtractInts, subtractReals}
	multiplyBlocks = blockOperator{multiplyInts, multiplyReals}
	divideBlocks   = blockOperator{divideInts, divideReals}
	moduloBlocks   = blockOperator{ints: moduloInts}
)

// calculation is the typed form of an arithmetic operator.
type calculation struct {
	blockOperator
	place   int // of the operand; -1 stands for the constant 0
	swapped bool
}

// column implements typedForm.
func (c *calculation) column(ctx context.Context, e *expression, n int) (*Column, error) {
	x, y := e.left, bound{constant: true, value: value.Int(0)}
	if c.place >= 0 {
		y = e.operands[c.place]
	}
	if c.swapped {
		x, y = y, x
	}
	switch {
	case !areNumbers(x, y):
		return nil, errUntyped
	case x.layout() == layoutInt && y.layout() == layoutInt:
		return computePairs(ctx, n, x, y, readInts, c.ints)
	case c.reals == nil:
		return nil, errUntyped
	}
	return computePairs(ctx, n, x, y, readReals, func(out block[float64], x, y []float64) bool {
		c.reals(out, x, y)
		for i, f := range out.cells {
			if math.IsNaN(f) {
				out.setNull(i)
			}
		}
		return true
	})
}

// computePairs is computeBlocks for an operator on two operands.
func computePairs[T number](ctx context.Context, n int, x, y bound, read func(bound) *blockReader[T], operator func(out block[T], x, y []T) bool) (*Column, error) {
	return computeBlocks(ctx, n, func() func(out block[T], from, to int) bool {
		left, right := read(x), read(y)
		return func(out block[T], from, to int) bool {
			p, q := left.rows(from, to), right.rows(from, to)
			if !operator(out, p.cells, q.cells) {
				return false
			}
			out.setNulls(p.nulls, q.nulls)
			return true
		}
	})
}

// addInts adds without a look at each sum: the sign of overflow is that of any
// sum which has neither the sign of x nor that of y.
func addInts(out block[int64], x, y []int64) bool {
	x, y = x[:len(out.cells)], y[:len(out.cells)]
	overflow := int64(0)
	for i := range out.cells {
		sum := x[i] + y[i]
		overflow |= (x[i] ^ sum) & (y[i] ^ sum)
		out.cells[i] = sum
	}
	return overflow >= 0
}

// subtractInts does as addInts: a difference overflows where x and y have
// different signs and it has not that of x.
func subtractInts(out block[int64], x, y []int64) bool {
	x, y = x[:len(out.cells)], y[:len(out.cells)]
	overflow := int64(0)
	for i := range out.cells {
		difference := x[i] - y[i]
		overflow |= (x[i] ^ y[i]) & (x[i] ^ difference)
		out.cells[i] = difference
	}
	return overflow >= 0
}

// multiplyInts leaves to value.Multiply what is not of 32 bits.
func multiplyInts(out block[int64], x, y []int64) bool {
	x, y = x[:len(out.cells)], y[:len(out.cells)]
	for i := range out.cells {
		p, q := x[i], y[i]
		out.cells[i] = p * q
		if int64(int32(p)) == p && int64(int32(q)) == q {
			continue
		}
		if value.Multiply(value.Int(p), value.Int(q)).Kind() != value.Integer {
			return false
		}
	}
	return true
}

func divideInts(out block[int64], x, y []int64) bool {
	x, y = x[:len(out.cells)], y[:len(out.cells)]
	for i := range out.cells {
		switch {
		case y[i] == 0:
			out.setNull(i)
		case y[i] == -1 && x[i] == math.MinInt64:
			return false
		default:
			out.cells[i] = x[i] / y[i]
		}
	}
	return true
}

func moduloInts(out block[int64], x, y []int64) bool {
	x, y = x[:len(out.cells)], y[:len(out.cells)]
	for i := range out.cells {
		if y[i] == 0 {
			out.setNull(i)
		} else {
			out.cells[i] = x[i] % y[i]
		}
	}
	return true
}

func addReals(out block[float64], x, y []float64) {
	x, y = x[:len(out.cells)], y[:len(out.cells)]
	for i := range out.cells {
		out.cells[i] = x[i] + y[i]
	}
}

func subtractReals(out block[float64], x, y []float64) {
	x, y = x[:len(out.cells)], y[:len(out.cells)]
	for i := range out.cells {
		out.cells[i] = x[i] - y[i]
	}
}

func multiplyReals(out block[float64], x, y []float64) {
	x, y = x[:len(out.cells)], y[:len(out.cells)]
	for i := range out.cells {
		out.cells[i] = x[i] * y[i]
	}
}

func divideReals(out block[float64], x, y []float64) {
	x, y = x[:len(out.cells)], y[:len(out.cells)]
	for i := range out.cells {
		out.cells[i] = x[i] / y[i]
		if y[i] == 0 {
			out.setNull(i)
		}
	}
}

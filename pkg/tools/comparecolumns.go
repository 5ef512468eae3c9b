package tools

import (
	"context"
	"slices"

	"github.com/birdcall/birdcall/pkg/value"
)

// comparison is the typed form of a comparison operator.
type comparison struct {
	place   int
	answers [3]value.Truth // for less, equal, greater
}

// keepsNumbers reports whether numbers are compared as they are, and not as
// texts.
func (c *comparator) keepsNumbers() bool {
	if !c.coerce {
		return true
	}
	x, y := value.Coerce(value.Int(0), value.Int(0), c.left, c.right)
	return x.Kind() == value.Integer && y.Kind() == value.Integer
}

// truths answers for the rows from one, at the start of a block, to before
// another of the same block. The answers last until the next call.
type truths func(from, to int) []value.Truth

// truths returns what compares the expression's numbers; it serves one
// goroutine.
func (c *comparison) truths(e *expression) truths {
	left, right := e.left, e.operands[c.place]
	switch l, r := left.layout(), right.layout(); {
	case l == layoutInt && r == layoutInt:
		return blockTruths(readInts(left), readInts(right), answerSame[int64], c.answers)
	case l == layoutReal && r == layoutReal:
		return blockTruths(readReals(left), readReals(right), answerSame[float64], c.answers)
	case l == layoutInt:
		return blockTruths(readInts(left), readReals(right), answerMixed, c.answers)
	}
	mirrored := [3]value.Truth{c.answers[2], c.answers[1], c.answers[0]}
	return blockTruths(readInts(right), readReals(left), answerMixed, mirrored)
}

func blockTruths[X, Y number](left *blockReader[X], right *blockReader[Y], compare func([]value.Truth, []X, []Y, [3]value.Truth), answers [3]value.Truth) truths {
	out := make([]value.Truth, blockRows)
	return func(from, to int) []value.Truth {
		x, y := left.rows(from, to), right.rows(from, to)
		out := out[:to-from]
		compare(out, x.cells, y.cells, answers)
		for _, nulls := range [][]uint64{x.nulls, y.nulls} {
			for i := range eachBit(nulls) {
				out[i] = value.Unknown
			}
		}
		return out
	}
}

// answerSame compares numbers of one type, without a jump: which answer comes
// next cannot be predicted.
func answerSame[T number](out []value.Truth, x, y []T, answers [3]value.Truth) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		less, greater := 0, 0
		if x[i] < y[i] {
			less = 1
		}
		if x[i] > y[i] {
			greater = 1
		}
		out[i] = answers[1-less+greater]
	}
}

// answerMixed compares an INTEGER with a REAL, neither being rounded. Rounding
// the INTEGER to a REAL may make the two equal, but never turns their order.
func answerMixed(out []value.Truth, x []int64, y []float64, answers [3]value.Truth) {
	const exact = 1 << 53 // to here, each INTEGER is a REAL
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		real := float64(x[i])
		less, greater := 0, 0
		if real < y[i] {
			less = 1
		}
		if real > y[i] {
			greater = 1
		}
		order := greater - less
		if uint64(x[i]+exact) > 2*exact {
			order = value.Compare(value.Int(x[i]), value.Float(y[i]), value.Binary)
		}
		out[i] = answers[1+order]
	}
}

// selected returns the rows, of n, where the comparison is true. The error may
// be errUntyped.
func (c *comparison) selected(ctx context.Context, e *expression, n int) ([]int32, error) {
	if !areNumbers(e.left, e.operands[c.place]) {
		return nil, errUntyped
	}
	parts := splitBlocks(n)
	found := make([][]int32, len(parts))
	err := together(parts, func(part int, run span) error {
		truths, rows := c.truths(e), []int32{}
		err := run.eachBlock(ctx, func(from, to int) error {
			rows = appendTrue(rows, from, truths(from, to))
			return nil
		})
		found[part] = rows
		return err
	})
	if err != nil || len(found) == 1 {
		return found[0], err
	}
	return slices.Concat(found...), nil
}

// appendTrue appends the numbers of the rows whose answer is True, without a
// jump. The first row has the number from.
func appendTrue(rows []int32, from int, truths []value.Truth) []int32 {
	n := len(rows)
	rows = slices.Grow(rows, len(truths))[:n+len(truths)]
	for i, t := range truths {
		rows[n] = int32(from + i)
		if t == value.True {
			n++
		}
	}
	return rows[:n]
}

// column implements typedForm: 1, 0 and NULL.
func (c *comparison) column(ctx context.Context, e *expression, n int) (*Column, error) {
	if !areNumbers(e.left, e.operands[c.place]) {
		return nil, errUntyped
	}
	return computeBlocks(ctx, n, func() func(out block[int64], from, to int) bool {
		truths := c.truths(e)
		return func(out block[int64], from, to int) bool {
			for i, t := range truths(from, to) {
				out.cells[i] = int64(t)
				if t == value.Unknown {
					out.setNull(i)
				}
			}
			return true
		}
	})
}

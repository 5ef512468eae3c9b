package tools

import (
	"context"
	"errors"
	"iter"
	"math/bits"
)

// The fast paths for columns of numbers read them block by block: slices
// instead of values, and few enough that they stay in the nearest cache.

// blockRows is the number of rows of a block. It is a multiple of 64, so that
// a block begins with a word of a bitmap.
const blockRows = 1 << 10

// number is what a column of numbers keeps.
type number interface{ int64 | float64 }

// block is the numbers of at most blockRows rows. It lasts until its reader
// reads the next.
type block[T number] struct {
	cells []T
	nulls []uint64 // bitmap; nil without NULLs
}

// blockReader reads the numbers of an operand as blocks.
type blockReader[T number] struct {
	operand bound
	column  []T
	ints    *blockReader[int64] // of INTEGERs that are read as REALs
	cells   [blockRows]T
	nulls   [blockRows / 64]uint64
}

// readInts returns a reader of an operand whose layout is layoutInt.
func readInts(b bound) *blockReader[int64] {
	r := &blockReader[int64]{operand: b}
	if b.constant {
		r.fill(b.value.Int64())
	} else {
		r.column = b.view.column.ints
	}
	return r
}

// readReals returns a reader of an operand whose layout is layoutInt or
// layoutReal; it rounds INTEGERs as arithmetic with a REAL does.
func readReals(b bound) *blockReader[float64] {
	r := &blockReader[float64]{operand: b}
	switch {
	case b.constant:
		r.fill(b.value.Float64())
	case b.view.column.layout == layoutInt:
		r.ints = readInts(b)
	default:
		r.column = b.view.column.reals
	}
	return r
}

func (r *blockReader[T]) fill(constant T) {
	for i := range r.cells {
		r.cells[i] = constant
	}
}

// layout is how the values of the operand are stored, layoutMixed for a
// constant NULL.
func (b *bound) layout() layout {
	if b.constant {
		return layoutOf(b.value.Kind())
	}
	return b.view.column.layout
}

// isNumber reports whether the layout is one of numbers.
func (l layout) isNumber() bool { return l == layoutInt || l == layoutReal }

// areNumbers reports whether both operands can be read as blocks and one of
// them is a column.
func areNumbers(x, y bound) bool {
	return x.layout().isNumber() && y.layout().isNumber() && !(x.constant && y.constant)
}

// rows reads consecutive rows, from a multiple of 64 on.
func (r *blockReader[T]) rows(from, to int) block[T] {
	view := r.operand.view
	switch {
	case r.operand.constant:
		return block[T]{cells: r.cells[:to-from]}
	case r.ints != nil:
		whole := r.ints.rows(from, to)
		cells := r.cells[:len(whole.cells)]
		for i, v := range whole.cells {
			cells[i] = T(v)
		}
		return block[T]{cells, whole.nulls}
	case view.rows != nil:
		return r.gather(view.rows[from:to])
	case view.column.nulls != nil:
		return block[T]{r.column[from:to], view.column.nulls[from>>6 : (to+63)>>6]}
	}
	return block[T]{cells: r.column[from:to]}
}

// gather reads the rows of the column that have these numbers; -1 is NULL.
func (r *blockReader[T]) gather(rows []int32) block[T] {
	cells, nulls := r.cells[:len(rows)], []uint64(nil)
	for i, row := range rows {
		if row < 0 || r.operand.view.column.isNull(int(row)) {
			if nulls == nil {
				nulls = r.nulls[:(len(rows)+63)>>6]
				clear(nulls)
			}
			nulls[i>>6] |= 1 << (i & 63)
			cells[i] = 0
			continue
		}
		cells[i] = r.column[row]
	}
	return block[T]{cells, nulls}
}

// setNull makes a cell NULL.
func (b block[T]) setNull(i int) {
	b.nulls[i>>6] |= 1 << (i & 63)
	b.cells[i] = 0
}

// setNulls makes the cells of some bitmaps NULL.
func (b block[T]) setNulls(bitmaps ...[]uint64) {
	for _, bitmap := range bitmaps {
		for i := range eachBit(bitmap) {
			b.setNull(i)
		}
	}
}

// eachBit yields the places of the bits that are set.
func eachBit(bitmap []uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range bitmap {
			for ; word != 0; word &= word - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// errUntyped says that a typedForm is not for these operands or results, so
// that the values have to be computed one by one.
var errUntyped = errors.New("not only numbers of one type")

// computeBlocks returns the column of n rows whose blocks are filled in by what
// start returns, which serves one goroutine. A false from that is errUntyped.
func computeBlocks[T number](ctx context.Context, n int, start func() func(out block[T], from, to int) bool) (*Column, error) {
	cells, nulls := make([]T, n), make([]uint64, (n+63)>>6)
	err := together(splitBlocks(n), func(_ int, run span) error {
		fill := start()
		return run.eachBlock(ctx, func(from, to int) error {
			if !fill(block[T]{cells[from:to], nulls[from>>6 : (to+63)>>6]}, from, to) {
				return errUntyped
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return numberColumn(cells, nulls), nil
}

// numberColumn returns the column of these numbers, in the layout that a
// ColumnBuilder would pick.
func numberColumn[T number](cells []T, nulls []uint64) *Column {
	missing := 0
	for _, word := range nulls {
		missing += bits.OnesCount64(word)
	}
	c := &Column{length: len(cells)}
	if missing == len(cells) {
		return c
	}
	if missing > 0 {
		c.nulls = nulls
	}
	switch cells := any(cells).(type) {
	case []int64:
		c.layout, c.ints = layoutInt, cells
	case []float64:
		c.layout, c.reals = layoutReal, cells
	}
	return c
}

// eachBlock calls f for the blocks of some rows, which begin at one, until an
// error or that of the context.
func (s span) eachBlock(ctx context.Context, f func(from, to int) error) error {
	for from := s.from; from < s.to; from += blockRows {
		if err := stopped(ctx, from); err != nil {
			return err
		}
		if err := f(from, min(from+blockRows, s.to)); err != nil {
			return err
		}
	}
	return nil
}

// splitBlocks is split for work that goes block by block: no two parts share
// one.
func splitBlocks(n int) []span {
	parts := split(n)
	for i := range parts[1:] {
		edge := parts[i].to &^ (blockRows - 1)
		parts[i].to, parts[i+1].from = edge, edge
	}
	return parts
}

package tools

import (
	"context"
	"math"
	"math/bits"
	"slices"
)

// arrangement is rows sorted by several keys, which are lists of ranks.
type arrangement struct {
	keys [][]uint64
	n    int
	rows []int32 // in their order; nil for 0, 1, 2, ...
	// numbers hold the pieces of all keys of each row and below them, in the
	// lowest low bits, the row. They are nil if the keys do not fit.
	numbers []uint64
	pieces  []piece
	low     int
}

// arrange sorts n rows by the first key, then the second, and so on. Rows that
// are equal throughout keep their order.
//
// The keys of a row are packed into one number, in as few bits as distinguish them
// apart, and the place of the row below them. So there is but one list of
// numbers to sort, and no two of them are equal. What does not fit into one
// number is sorted in several turns, by the last bits first.
func arrange(ctx context.Context, n int, keys [][]uint64) (*arrangement, error) {
	a := &arrangement{keys: keys, n: n}
	if n < 2 {
		return a, ctx.Err()
	}
	a.low = bits.Len(uint(n - 1))
	turns := pack(keys, a.low)
	for _, pieces := range turns {
		numbers, err := a.fill(ctx, pieces)
		if err != nil {
			return nil, err
		}
		if !slices.IsSorted(numbers) {
			last := pieces[len(pieces)-1]
			if numbers, err = radixSort(ctx, numbers, a.low, last.at+last.width); err != nil {
				return nil, err
			}
			a.follow(numbers)
		}
		if len(turns) == 1 {
			a.numbers, a.pieces = numbers, pieces
		}
	}
	return a, ctx.Err()
}

// piece is some bits of a key and where they go in a number.
type piece struct {
	key     int
	minRank uint64 // to be taken off each rank
	shift   int    // the first bit
	width   int    // how many
	at      int    // where they go
}

// pack distributes the bits of the keys to numbers from bit low on: the last key
// to the first number and the lowest bits.
func pack(keys [][]uint64, low int) [][]piece {
	var turns [][]piece
	at := 64
	for key, ranks := range slices.Backward(keys) {
		minRank, shift, width := measure(ranks)
		for width > 0 {
			if at == 64 {
				turns, at = append(turns, nil), low
			}
			p := piece{key: key, minRank: minRank, shift: shift, width: min(width, 64-at), at: at}
			turns[len(turns)-1] = append(turns[len(turns)-1], p)
			shift, width, at = shift+p.width, width-p.width, at+p.width
		}
	}
	return turns
}

// measure returns the smallest rank and which bits distinguish ranks once it is taken
// off: width of them from shift on.
func measure(ranks []uint64) (minRank uint64, shift, width int) {
	low, high, differ := uint64(math.MaxUint64), uint64(0), uint64(0)
	for _, rank := range ranks {
		low, high = min(low, rank), max(high, rank)
		differ |= rank ^ ranks[0]
	}
	if differ == 0 {
		return low, 0, 0
	}
	shift = bits.TrailingZeros64(differ)
	return low, shift, bits.Len64((high - low) >> shift)
}

// fill makes the numbers for one turn: pieces of the keys and the place.
func (a *arrangement) fill(ctx context.Context, pieces []piece) ([]uint64, error) {
	numbers := make([]uint64, a.n)
	return numbers, together(split(a.n), func(_ int, places span) error {
		for i := places.from; i < places.to; i++ {
			numbers[i] = uint64(i)
		}
		for _, p := range pieces {
			ranks, mask := a.keys[p.key], uint64(1)<<p.width-1
			for i := places.from; i < places.to; i++ {
				row := i
				if a.rows != nil {
					row = int(a.rows[i])
				}
				numbers[i] |= (ranks[row] - p.minRank) >> (p.shift & 63) & mask << (p.at & 63)
			}
		}
		return ctx.Err()
	})
}

// follow moves the rows to where their places went.
func (a *arrangement) follow(numbers []uint64) {
	rows, mask := make([]int32, len(numbers)), uint64(1)<<a.low-1
	for i, number := range numbers {
		rows[i] = int32(number & mask)
	}
	if a.rows != nil {
		rows = gather(a.rows, rows)
	}
	a.rows = rows
}

// change says how a row differs from the one before it.
type change uint8

const (
	unchanged  change = iota // equal in all keys
	otherPeers               // different, but not in a leading key
	otherGroup               // different in a leading key
)

// changes says for each place how its row differs from the one before it, when
// so many keys are leading. The first row is of another group than none.
func (a *arrangement) changes(ctx context.Context, leading int) ([]change, error) {
	out := make([]change, a.n)
	differ := a.keysDiffer
	if a.numbers != nil {
		differ = a.numbersDiffer
	}
	err := together(split(a.n), func(_ int, places span) error {
		differ(out, places, leading)
		return ctx.Err()
	})
	if a.n > 0 {
		out[0] = otherGroup
	}
	return out, err
}

// numbersDiffer finds changes by the numbers.
func (a *arrangement) numbersDiffer(out []change, places span, leading int) {
	first := 64 // bit of the leading keys
	for _, p := range slices.Backward(a.pieces) {
		if p.key < leading {
			first = p.at
		}
	}
	for i := max(1, places.from); i < places.to; i++ {
		switch differ := a.numbers[i] ^ a.numbers[i-1]; {
		case differ>>first != 0:
			out[i] = otherGroup
		case differ>>a.low != 0:
			out[i] = otherPeers
		}
	}
}

// keysDiffer finds changes by the keys, row by row.
func (a *arrangement) keysDiffer(out []change, places span, leading int) {
	for i := max(1, places.from); i < places.to; i++ {
		row, before := i, i-1
		if a.rows != nil {
			row, before = int(a.rows[i]), int(a.rows[i-1])
		}
		for key, ranks := range a.keys {
			if ranks[row] == ranks[before] {
				continue
			}
			out[i] = otherPeers
			if key < leading {
				out[i] = otherGroup
			}
			break
		}
	}
}

package tools

import (
	"context"
	"slices"
)

const (
	// digitBits is how many bits one pass of radixSort sorts by: the most for
	// which the place of each digit's next number stays in the nearest cache.
	digitBits = 11
	// radixRows is the length from which radixSort is faster than comparing.
	radixRows = 1 << digitBits
)

// radixSort sorts numbers that have high bits and ascend in the lowest low ones,
// fewer than high, at which it need not look. The result is numbers itself or
// another list.
func radixSort(ctx context.Context, numbers []uint64, low, high int) ([]uint64, error) {
	if len(numbers) < radixRows {
		slices.Sort(numbers)
		return numbers, ctx.Err()
	}
	// Passes over about the same number of bits have the fewest places in all.
	passes := (high - low + digitBits - 1) / digitBits
	width := (high - low + passes - 1) / passes
	parts := split(len(numbers))
	places := make([][1 << digitBits]int32, len(parts))
	from, to := numbers, make([]uint64, len(numbers))
	for shift := low; shift < high; shift += width {
		d := digit{shift: shift, mask: 1<<width - 1}
		if err := together(parts, func(part int, rows span) error {
			d.count(&places[part], from[rows.from:rows.to])
			return ctx.Err()
		}); err != nil {
			return nil, err
		}
		if !allot(places, len(numbers)) {
			continue
		}
		if err := together(parts, func(part int, rows span) error {
			d.move(&places[part], from[rows.from:rows.to], to)
			return ctx.Err()
		}); err != nil {
			return nil, err
		}
		from, to = to, from
	}
	return from, nil
}

// digit is the part of a number that one pass sorts by.
type digit struct {
	shift int
	mask  uint64
}

// of returns the digit of a number. The masks that change nothing show the
// compiler what it need not check.
func (d digit) of(number uint64) uint64 {
	return number >> (d.shift & 63) & d.mask & (1<<digitBits - 1)
}

// count counts how often each digit occurs.
func (d digit) count(counts *[1 << digitBits]int32, numbers []uint64) {
	clear(counts[:])
	for _, number := range numbers {
		counts[d.of(number)]++
	}
}

// move puts each number at the next place of its digit.
func (d digit) move(places *[1 << digitBits]int32, from, to []uint64) {
	for _, number := range from {
		place := &places[d.of(number)]
		to[*place] = number
		*place++
	}
}

// allot turns the counts of each part into the places of its first numbers: by
// digit, and by part among equal digits. It reports whether there is more than
// one digit, that is, anything to move.
func allot(parts [][1 << digitBits]int32, n int) bool {
	next := int32(0)
	for digit := range parts[0] {
		begin := next
		for part := range parts {
			parts[part][digit], next = next, next+parts[part][digit]
		}
		if next-begin == int32(n) {
			return false
		}
	}
	return true
}

package tools

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/pkg/value"
)

// ordering says how one column takes part in a sort.
type ordering struct {
	descending bool
	nullsLast  bool // at the end of the result, whatever the direction
	collation  value.Collation
}

// ranks returns a number for each row such that rows sorted by it are sorted
// by the column as https://www.sqlite.org/datatype3.html, section 4.1, says.
// Equal values, and only those, have equal numbers.
func ranks(ctx context.Context, v View, o ordering) ([]uint64, error) {
	out, ok, err := plainRanks(ctx, v, o)
	if err != nil || ok {
		return out, err
	}
	return valueRanks(ctx, v, o)
}

// plainRanks computes ranks without comparing values, where the layout of the
// column allows it.
func plainRanks(ctx context.Context, v View, o ordering) (out []uint64, ok bool, err error) {
	var rank func(out []uint64, v View, rows span) (nulls bool)
	switch c := v.column; c.layout {
	case layoutNull:
		return make([]uint64, v.length), true, nil
	case layoutInt:
		rank = rankIntegers
	case layoutReal:
		rank = rankReals
	case layoutText:
		if len(c.dict) > v.length {
			return nil, false, nil
		}
		places := dictionaryRanks(c.dict, o.collation)
		rank = func(out []uint64, v View, rows span) bool { return rankTexts(out, v, rows, places) }
	default:
		return nil, false, nil
	}
	out = make([]uint64, v.length)
	parts := split(v.length)
	nulls := make([]bool, len(parts))
	err = together(parts, func(part int, rows span) error {
		nulls[part] = rank(out, v, rows)
		if o.descending {
			for row := rows.from; row < rows.to; row++ {
				out[row] = ^out[row]
			}
		}
		return ctx.Err()
	})
	if err != nil || !slices.Contains(nulls, true) {
		return out, err == nil, err
	}
	return out, rankNulls(out, v, o.nullsLast), nil
}

// rankIntegers ranks rows of a column of integers and reports whether it left
// out some that are NULL.
func rankIntegers(out []uint64, v View, part span) (nulls bool) {
	c, rows := v.column, v.rows
	for row := part.from; row < part.to; row++ {
		at := place(rows, row)
		if at < 0 || c.isNull(at) {
			nulls = true
			continue
		}
		out[row] = uint64(c.ints[at]) ^ 1<<63
	}
	return nulls
}

// rankReals is rankIntegers for reals.
func rankReals(out []uint64, v View, part span) (nulls bool) {
	c, rows := v.column, v.rows
	for row := part.from; row < part.to; row++ {
		at := place(rows, row)
		if at < 0 || c.isNull(at) {
			nulls = true
			continue
		}
		out[row] = realRank(c.reals[at])
	}
	return nulls
}

// rankTexts is rankIntegers for texts, whose codes have the given ranks.
func rankTexts(out []uint64, v View, part span, ranks []uint64) (nulls bool) {
	c, rows := v.column, v.rows
	for row := part.from; row < part.to; row++ {
		at := place(rows, row)
		if at < 0 || c.codes[at] < 0 {
			nulls = true
			continue
		}
		out[row] = ranks[c.codes[at]]
	}
	return nulls
}

// rankNulls gives NULLs a rank before or after all others that takes no more bits
// than it must. It reports whether there is one.
func rankNulls(out []uint64, v View, last bool) bool {
	low, high := uint64(math.MaxUint64), uint64(0)
	all, some := low, high // bits that all ranks have, and that some have
	for row, rank := range out {
		if !v.absent(row) {
			low, high = min(low, rank), max(high, rank)
			all, some = all&rank, some|rank
		}
	}
	differ := some &^ all
	step := max(differ&-differ, 1) // the last bit that distinguishes ranks
	null := low - step
	if last {
		null = high + step
	}
	for row := range out {
		if v.absent(row) {
			out[row] = null
		}
	}
	return last && null > high || !last && null < low
}

// absent reports whether a row of a typed column is NULL.
func (v View) absent(row int) bool {
	at := place(v.rows, row)
	switch {
	case at < 0:
		return true
	case v.column.layout == layoutText:
		return v.column.codes[at] < 0
	}
	return v.column.isNull(at)
}

// realRank maps reals to integers of the same order, -0.0 to that of 0.0. The bits
// that are 0 at the end of all reals are so in all ranks, too.
func realRank(f float64) uint64 {
	if f == 0 {
		f = 0
	}
	bits := math.Float64bits(f)
	if bits>>63 != 0 {
		return -bits
	}
	return bits | 1<<63
}

// dictionaryRanks gives each text of a dictionary its place in the order,
// counted from 1; 0 is left for NULL.
func dictionaryRanks(dict []string, collation value.Collation) []uint64 {
	compare := func(a, b int32) int {
		return value.Compare(value.Str(dict[a]), value.Str(dict[b]), collation)
	}
	if collation == value.Binary {
		compare = func(a, b int32) int { return strings.Compare(dict[a], dict[b]) }
	}
	order := count(len(dict))
	slices.SortFunc(order, compare)
	out := make([]uint64, len(dict))
	rank := uint64(1)
	for i, code := range order {
		if i > 0 && compare(order[i-1], code) != 0 {
			rank++
		}
		out[code] = rank
	}
	return out
}

// valueRanks computes ranks by sorting the values themselves.
func valueRanks(ctx context.Context, v View, o ordering) ([]uint64, error) {
	values := make([]value.Value, v.length)
	for row := range values {
		if err := stopped(ctx, row); err != nil {
			return nil, err
		}
		values[row] = v.At(row)
	}
	compare := func(a, b int32) int {
		x, y := values[a], values[b]
		if x.IsNull() != y.IsNull() {
			if x.IsNull() == o.nullsLast {
				return 1
			}
			return -1
		}
		if o.descending {
			x, y = y, x
		}
		return value.Compare(x, y, o.collation)
	}
	order := count(v.length)
	slices.SortFunc(order, compare)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := make([]uint64, v.length)
	rank := uint64(0)
	for i, row := range order {
		if i > 0 && compare(order[i-1], row) != 0 {
			rank++
		}
		out[row] = rank
	}
	return out, nil
}

// count returns 0, 1, ..., n-1.
func count(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

package tools

import (
	"cmp"
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
	c := v.column
	var rank func(at int) uint64
	switch c.layout {
	case layoutNull:
		return make([]uint64, v.length), true, nil
	case layoutInt:
		rank = func(at int) uint64 { return uint64(c.ints[at]) ^ 1<<63 }
	case layoutReal:
		rank = func(at int) uint64 { return realRank(c.reals[at]) }
	case layoutText:
		if len(c.dict) > v.length {
			return nil, false, nil
		}
		codes := dictionaryRanks(c.dict, o.collation)
		rank = func(at int) uint64 { return codes[c.codes[at]] }
	default:
		return nil, false, nil
	}
	null := uint64(0)
	if o.nullsLast {
		null = math.MaxUint64
	}
	out = make([]uint64, v.length)
	nulls, clash := false, false
	for row := range out {
		if err := stopped(ctx, row); err != nil {
			return nil, false, err
		}
		at := row
		if v.rows != nil {
			at = int(v.rows[row])
		}
		if at < 0 || c.absent(at) {
			out[row], nulls = null, true
			continue
		}
		r := rank(at)
		if o.descending {
			r = ^r
		}
		out[row] = r
		clash = clash || r == null
	}
	return out, !nulls || !clash, nil
}

// absent reports whether the value at position i of a typed column is NULL.
func (c *Column) absent(i int) bool {
	if c.layout == layoutText {
		return c.codes[i] < 0
	}
	return c.isNull(i)
}

// realRank maps reals to integers of the same order; -0.0 equals 0.0.
func realRank(f float64) uint64 {
	if f == 0 {
		f = 0
	}
	bits := math.Float64bits(f)
	if bits>>63 != 0 {
		return ^bits
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

// sorted returns the rows in the order of their ranks: by the first list, then
// the second, and so on. Rows that are equal throughout keep their order.
func sorted(ctx context.Context, n int, keys [][]uint64) ([]int32, error) {
	type item struct {
		rank uint64
		row  int32
	}
	items := make([]item, n)
	for row := range items {
		items[row] = item{keys[0][row], int32(row)}
	}
	slices.SortFunc(items, func(a, b item) int {
		if a.rank != b.rank {
			return cmp.Compare(a.rank, b.rank)
		}
		for _, k := range keys[1:] {
			if k[a.row] != k[b.row] {
				return cmp.Compare(k[a.row], k[b.row])
			}
		}
		return cmp.Compare(a.row, b.row)
	})
	order := make([]int32, n)
	for i := range items {
		order[i] = items[i].row
	}
	return order, ctx.Err()
}

package tools

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// cells are values of each layout of a column, and of several at once.
var cells = [][]value.Value{
	{value.NullValue()},
	{value.Int(math.MinInt64), value.Int(math.MaxInt64), value.Int(0), value.NullValue()},
	{value.Int(math.MinInt64), value.Int(math.MinInt64 + 1), value.Int(math.MaxInt64)},
	{value.Int(math.MinInt64), value.Int(-1), value.NullValue()},
	{value.Int(math.MaxInt64), value.Int(1<<53 + 1), value.Int(1 << 53), value.NullValue()},
	{value.Int(1), value.Int(2), value.Int(3), value.Int(5)},
	{value.Float(0), value.Float(math.Copysign(0, -1)), value.Float(-1.5), value.Float(1e-300), value.NullValue()},
	{value.Float(math.Inf(1)), value.Float(math.Inf(-1)), value.Float(math.MaxFloat64), value.Float(0.5), value.NullValue()},
	{value.Str("a"), value.Str("A"), value.Str("a "), value.Str(""), value.Str("é"), value.NullValue()},
	{value.Int(1<<53 + 1), value.Float(1 << 53), value.Int(1 << 53), value.Float(1), value.Str("1"), value.Bytes("1"), value.NullValue()},
}

// drawnKey is a column seen through a list of rows, and how it is sorted.
type drawnKey struct {
	view  View
	order ordering
}

// compare orders two rows by value.
func (k drawnKey) compare(a, b int32) int {
	x, y := k.view.At(int(a)), k.view.At(int(b))
	switch {
	case x.IsNull() && y.IsNull():
		return 0
	case x.IsNull() == k.order.nullsLast && y.IsNull() != k.order.nullsLast:
		return 1
	case y.IsNull() == k.order.nullsLast && x.IsNull() != k.order.nullsLast:
		return -1
	case k.order.descending:
		return value.Compare(y, x, k.order.collation)
	}
	return value.Compare(x, y, k.order.collation)
}

// anyKey draws a key of n rows.
func anyKey(t *rapid.T, n int) drawnKey {
	random := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
	from := rapid.SampledFrom(cells).Draw(t, "cells")
	length := n
	var rows []int32 // nil also for no rows of a column that has some
	if rapid.Bool().Draw(t, "rows") {
		length = n/2 + 1
		for range n {
			rows = append(rows, int32(random.IntN(length+1)-1))
		}
	}
	var b ColumnBuilder
	for range length {
		b.Append(from[random.IntN(len(from))])
	}
	return drawnKey{View{column: b.Column(), rows: rows, length: n}, ordering{
		descending: rapid.Bool().Draw(t, "descending"),
		nullsLast:  rapid.Bool().Draw(t, "nulls last"),
		collation:  rapid.SampledFrom([]value.Collation{value.Binary, value.NoCase, value.RTrim}).Draw(t, "collation"),
	}}
}

// TestArrange compares the order of rows by ranks, and the places at which keys
// change, with a stable sort of the values themselves.
func TestArrange(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 2, 9, 60, radixRows + 9}).Draw(t, "length")
		drawn := make([]drawnKey, rapid.IntRange(0, 4).Draw(t, "keys"))
		keys := make([][]uint64, len(drawn))
		for i := range drawn {
			drawn[i] = anyKey(t, n)
			var err error
			if keys[i], err = ranks(ctx, drawn[i].view, drawn[i].order); err != nil {
				t.Fatal(err)
			}
		}
		leading := rapid.IntRange(0, len(keys)).Draw(t, "leading")
		want := count(n)
		slices.SortStableFunc(want, func(a, b int32) int {
			for _, k := range drawn {
				if c := k.compare(a, b); c != 0 {
					return c
				}
			}
			return 0
		})
		a, err := arrange(ctx, n, keys)
		if err != nil {
			t.Fatal(err)
		}
		got := a.rows
		if got == nil {
			got = count(n)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("rows in the order %v, want %v", got, want)
		}
		changes, err := a.changes(ctx, leading)
		if err != nil {
			t.Fatal(err)
		}
		for i, change := range changes {
			expected := unchanged
			if i == 0 {
				expected = otherGroup
			}
			for at, k := range slices.Backward(drawn) {
				if i > 0 && k.compare(want[i-1], want[i]) != 0 {
					expected = otherPeers
					if at < leading {
						expected = otherGroup
					}
				}
			}
			if change != expected {
				t.Fatalf("change %d at place %d, want %d", change, i, expected)
			}
		}
	})
}

// TestArrangeTurns shows how many turns keys take, which is one where a row and
// all that distinguishes its keys have 64 bits.
func TestArrangeTurns(t *testing.T) {
	wide := []uint64{0, math.MaxUint64, 7, 7}
	narrow := []uint64{1 << 60, 1<<60 + 1, 1 << 60, 1<<60 + 3}
	// Reals of few digits end in bits that are 0, also with NULL.
	reals := func(values ...value.Value) []uint64 {
		out, err := ranks(context.Background(), View{column: NewColumn(values...), length: len(values)}, ordering{})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, test := range []struct {
		keys [][]uint64
		want int
	}{
		{nil, 0},
		{[][]uint64{{5, 5, 5, 5}}, 0},
		{[][]uint64{narrow}, 1},
		{[][]uint64{narrow, narrow, {0, 1, 2, 3}}, 1},
		{[][]uint64{wide}, 2},
		{[][]uint64{wide, wide}, 3},
		{[][]uint64{reals(value.Float(-2), value.Float(2), value.Float(1.5), value.Float(0))}, 1},
		{[][]uint64{reals(value.Float(-2), value.Float(2), value.Float(1.5), value.NullValue())}, 1},
		{[][]uint64{reals(value.Float(-2), value.Float(2), value.Float(1), value.Float(0.1))}, 2},
	} {
		if got := len(pack(test.keys, 2)); got != test.want {
			t.Errorf("%x: %d turns, want %d", test.keys, got, test.want)
		}
	}
}

// TestCoresDoNotShow sorts and ranks enough rows for several cores: the result is
// that of one.
func TestCoresDoNotShow(t *testing.T) {
	ctx := context.Background()
	random := rand.New(rand.NewPCG(1, 2))
	var builders [4]ColumnBuilder
	for range 3*partRows + 5 {
		for i, from := range [][]value.Value{cells[5], cells[6], cells[8], cells[1]} {
			builders[i].Append(from[random.IntN(len(from))])
		}
	}
	fields, columns := make([]Field, len(builders)), make([]*Column, len(builders))
	for i := range builders {
		fields[i], columns[i] = Field{Key: string(rune('a' + i))}, builders[i].Column()
	}
	table, err := NewTable(fields, columns)
	if err != nil {
		t.Fatal(err)
	}
	type results struct {
		order, groups, distinct []int32
		ranks                   []int64
		parts                   []float64
	}
	var want *results
	cores(t, func(t *testing.T) {
		sorted, err := SortData(ctx, table, SortArgs{Keys: []string{"c", "b", "d"}, Descending: true})
		if err != nil {
			t.Fatal(err)
		}
		grouped, err := GroupDataBy(ctx, table, GroupArgs{Keys: []string{"a", "c"}})
		if err != nil {
			t.Fatal(err)
		}
		distinct, err := RetrieveData(ctx, table, RetrieveArgs{Keys: []string{"b", "c"}, Distinct: true})
		if err != nil {
			t.Fatal(err)
		}
		window := func(f WindowFunction) *Column {
			out, err := WindowData(ctx, sorted, WindowArgs{Function: f, PartitionBy: []string{"a"}, OrderBy: []string{"b", "d"}})
			if err != nil {
				t.Fatal(err)
			}
			v, err := out.Column(ctx, len(columns))
			if err != nil {
				t.Fatal(err)
			}
			return v.column
		}
		got := &results{sorted.positions, grouped.groups.members, distinct.positions, window(Rank).ints, window(CumeDist).reals}
		if want == nil {
			want = got
			return
		}
		if !slices.Equal(got.order, want.order) || !slices.Equal(got.groups, want.groups) || !slices.Equal(got.distinct, want.distinct) ||
			!slices.Equal(got.ranks, want.ranks) || !slices.Equal(got.parts, want.parts) {
			t.Error("the result depends on the number of cores")
		}
	})
}

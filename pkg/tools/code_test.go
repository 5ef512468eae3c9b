package tools

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// TestRowCodes compares the numbers of rows with those that a map of their values
// gives, for columns of every layout and several of them.
func TestRowCodes(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 9, 300}).Draw(t, "length")
		table := &Table{rows: n}
		drawn := make([]drawnKey, rapid.IntRange(1, 3).Draw(t, "keys"))
		for i := range drawn {
			drawn[i] = anyKey(t, n)
			table.fields = append(table.fields, field{Field: Field{Collation: drawn[i].order.collation}, source: &lazyColumn{column: drawn[i].view.column}, vector: i})
			table.vectors = append(table.vectors, drawn[i].view.rows)
		}
		known, want := map[[3]value.Value]int32{}, make([]int32, n)
		for row := range want {
			var key [3]value.Value
			for i, k := range drawn {
				key[i] = value.Key(k.view.At(row), k.order.collation)
			}
			if _, ok := known[key]; !ok {
				known[key] = int32(len(known))
			}
			want[row] = known[key]
		}
		got, size, err := table.rowCodes(ctx, table.all())
		if err != nil || !slices.Equal(got, want) || int(size) != len(known) {
			t.Fatalf("numbers %v below %d, %v; want %v below %d", got, size, err, want, len(known))
		}
	})
}

// TestEncodeLooksUp numbers the values of a first column and then looks up those
// of a second, as a join does: what the first does not have gets -1, and so does
// NULL unless it is a value like any other.
func TestEncodeLooksUp(t *testing.T) {
	ctx := context.Background()
	null, i, s := value.NullValue(), value.Int, value.Str
	for _, test := range []struct {
		first, second []value.Value
		nulls         bool
		want          []int32
	}{
		{[]value.Value{i(7), i(5), i(7)}, []value.Value{i(5), i(6), i(7), i(1 << 40), i(-1 << 40)}, false, []int32{1, -1, 0, -1, -1}},
		{[]value.Value{i(7), i(1 << 60)}, []value.Value{i(1 << 60), i(8)}, false, []int32{1, -1}},
		{[]value.Value{null, i(7)}, []value.Value{i(7), null}, false, []int32{0, -1}},
		{[]value.Value{null, i(7)}, []value.Value{i(7), null}, true, []int32{1, 0}},
		{[]value.Value{i(7)}, []value.Value{null, i(7)}, true, []int32{-1, 0}},
		{[]value.Value{s("a"), null, s("b")}, []value.Value{s("B"), s("c"), null, s("a")}, true, []int32{2, -1, 1, 0}},
		{[]value.Value{i(1), s("1")}, []value.Value{value.Float(1), value.Bytes("1"), s("1")}, true, []int32{0, -1, 1}},
	} {
		book := newCodebook()
		rules := coding{collation: value.NoCase, nulls: test.nulls, add: true}
		if _, err := book.encode(ctx, View{column: NewColumn(test.first...), length: len(test.first)}, rules); err != nil {
			t.Fatal(err)
		}
		rules.add = false
		got, err := book.encode(ctx, View{column: NewColumn(test.second...), length: len(test.second)}, rules)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%v among %v: %v, %v; want %v", test.second, test.first, got, err, test.want)
		}
	}
}

package tools

import (
	"context"
	"math"

	"github.com/birdcall/birdcall/pkg/value"
)

// codebook numbers distinct values 0, 1, 2, ... in the order of their first
// appearance. Values are distinct when their value.Key differs.
type codebook struct {
	ints   map[int64]int32
	direct []int32 // numbers, plus one, of the integers from base on
	base   int64
	others map[value.Value]int32
	null   int32 // number, plus one, of NULL
	size   int32
}

func newCodebook() *codebook {
	return &codebook{ints: map[int64]int32{}, others: map[value.Value]int32{}}
}

// expect prepares for integers of a small range.
func (b *codebook) expect(low, high int64, rows int) {
	if span := uint64(high - low); span < uint64(4*rows+1024) {
		b.base, b.direct = low, make([]int32, span+1)
	}
}

// newPairs returns a codebook for the pairs of two lists of numbers below the
// given sizes.
func newPairs(first, second int32, rows int) *codebook {
	b := newCodebook()
	b.expect(0, max(0, int64(first)*int64(second)-1), rows)
	return b
}

// integer returns the number of an integer, which it gives a new one if it is
// not known and add is true; otherwise -1.
func (b *codebook) integer(i int64, add bool) int32 {
	if at := uint64(i - b.base); at < uint64(len(b.direct)) {
		if b.direct[at] == 0 && add {
			b.size++
			b.direct[at] = b.size
		}
		return b.direct[at] - 1
	}
	code, known := b.ints[i]
	if known {
		return code
	}
	if !add {
		return -1
	}
	b.ints[i] = b.size
	b.size++
	return b.size - 1
}

// key is integer for any value.Key.
func (b *codebook) key(k value.Value, add bool) int32 {
	switch {
	case k.Kind() == value.Integer:
		return b.integer(k.Int64(), add)
	case k.IsNull():
		if b.null == 0 && add {
			b.size++
			b.null = b.size
		}
		return b.null - 1
	}
	code, known := b.others[k]
	if known {
		return code
	}
	if !add {
		return -1
	}
	b.others[k] = b.size
	b.size++
	return b.size - 1
}

// coding says how values become keys.
type coding struct {
	collation value.Collation
	// convert is applied to each value first; nil leaves it alone.
	convert func(value.Value) value.Value
	// nulls says whether NULL is a value like any other or gets -1.
	nulls bool
	// add says whether unknown values get a number or -1.
	add bool
}

// code returns the number of a value.
func (b *codebook) code(v value.Value, rules coding) int32 {
	if rules.convert != nil {
		v = rules.convert(v)
	}
	if v.IsNull() && !rules.nulls {
		return -1
	}
	return b.key(value.Key(v, rules.collation), rules.add)
}

// encode returns the number of each row's value.
func (b *codebook) encode(ctx context.Context, v View, rules coding) ([]int32, error) {
	switch c := v.column; {
	case c.layout == layoutInt && rules.convert == nil:
		return b.encodeIntegers(ctx, v, rules)
	case c.layout == layoutText && len(c.dict) <= v.length:
		return b.encodeTexts(ctx, v, rules)
	}
	out := make([]int32, v.length)
	for row := range out {
		if err := stopped(ctx, row); err != nil {
			return nil, err
		}
		out[row] = b.code(v.At(row), rules)
	}
	return out, nil
}

// encodeIntegers is encode for a column of integers that are not converted.
func (b *codebook) encodeIntegers(ctx context.Context, v View, rules coding) ([]int32, error) {
	if rules.add && b.size == 0 {
		if low, high := extent(v); low <= high {
			b.expect(low, high, v.length)
		}
	}
	c, rows, out := v.column, v.rows, make([]int32, v.length)
	if rows == nil && c.nulls == nil {
		return out, b.encodePlain(ctx, c.ints[:v.length], rules.add, out)
	}
	for row := range out {
		if err := stopped(ctx, row); err != nil {
			return nil, err
		}
		if at := place(rows, row); at < 0 || c.isNull(at) {
			out[row] = b.code(value.NullValue(), rules)
		} else {
			out[row] = b.integer(c.ints[at], rules.add)
		}
	}
	return out, nil
}

// encodePlain writes the numbers of integers to out, those that are known
// directly without a call.
func (b *codebook) encodePlain(ctx context.Context, ints []int64, add bool, out []int32) error {
	direct, base := b.direct, b.base
	for row, i := range ints {
		if err := stopped(ctx, row); err != nil {
			return err
		}
		if from := uint64(i - base); from < uint64(len(direct)) && direct[from] > 0 {
			out[row] = direct[from] - 1
			continue
		}
		out[row] = b.integer(i, add)
	}
	return nil
}

// extent returns the least and the greatest integer that a view shows; the first
// is greater if there is none.
func extent(v View) (low, high int64) {
	low, high = math.MaxInt64, math.MinInt64
	c, rows := v.column, v.rows
	if rows == nil && c.nulls == nil {
		for _, i := range c.ints[:v.length] {
			low, high = min(low, i), max(high, i)
		}
		return low, high
	}
	for row := range v.length {
		if at := place(rows, row); at >= 0 && !c.isNull(at) {
			low, high = min(low, c.ints[at]), max(high, c.ints[at])
		}
	}
	return low, high
}

// encodeTexts is encode for a column of texts, each of which it looks up once.
func (b *codebook) encodeTexts(ctx context.Context, v View, rules coding) ([]int32, error) {
	c, rows := v.column, v.rows
	out, known := make([]int32, v.length), make([]int32, len(c.dict)) // numbers, plus two
	for row := range out {
		if err := stopped(ctx, row); err != nil {
			return nil, err
		}
		at := place(rows, row)
		if at < 0 || c.codes[at] < 0 {
			out[row] = b.code(value.NullValue(), rules)
			continue
		}
		code := &known[c.codes[at]]
		if *code == 0 {
			*code = b.code(value.Str(c.dict[c.codes[at]]), rules) + 2
		}
		out[row] = *code - 2
	}
	return out, nil
}

// combine numbers the distinct pairs of two lists of numbers, the second of which
// are below size; a -1 on either side gives -1.
func (b *codebook) combine(ctx context.Context, first, second []int32, size int32, add bool) ([]int32, error) {
	out, direct := make([]int32, len(first)), b.direct
	for i := range out {
		if err := stopped(ctx, i); err != nil {
			return nil, err
		}
		if first[i] < 0 || second[i] < 0 {
			out[i] = -1
			continue
		}
		pair := int64(first[i])*int64(size) + int64(second[i])
		if pair < int64(len(direct)) && direct[pair] > 0 {
			out[i] = direct[pair] - 1
			continue
		}
		out[i] = b.integer(pair, add)
	}
	return out, nil
}

// rowCodes numbers the rows of t by their values in some columns: equal rows
// have equal numbers, which follow the order of first appearance. It returns
// how many numbers there are. Without columns all rows are equal.
func (t *Table) rowCodes(ctx context.Context, columns []int) (codes []int32, size int32, err error) {
	if len(columns) == 0 {
		return make([]int32, t.rows), 1, nil
	}
	for i, c := range columns {
		v, err := t.Column(ctx, c)
		if err != nil {
			return nil, 0, err
		}
		book := newCodebook()
		next, err := book.encode(ctx, v, coding{collation: t.fields[c].Collation, nulls: true, add: true})
		if err != nil {
			return nil, 0, err
		}
		if i == 0 {
			codes, size = next, book.size
			continue
		}
		pairs := newPairs(size, book.size, t.rows)
		if codes, err = pairs.combine(ctx, codes, next, book.size, true); err != nil {
			return nil, 0, err
		}
		size = pairs.size
	}
	return codes, size, nil
}

package tools

import (
	"context"

	"github.com/birdcall/birdcall/pkg/value"
)

// codebook numbers distinct values 0, 1, 2, ... in the order of their first
// appearance. Values are distinct when their value.Key differs.
type codebook struct {
	ints   map[int64]int32
	direct []int32 // numbers, plus one, of the integers from base on
	base   int64
	others map[value.Value]int32
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
	if k.Kind() == value.Integer {
		return b.integer(k.Int64(), add)
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
	// nulls tells whether NULL is a value like any other or gets -1.
	nulls bool
	// add tells whether unknown values get a number or -1.
	add bool
}

// encode returns the number of each row's value.
func (b *codebook) encode(ctx context.Context, v View, how coding) ([]int32, error) {
	out := make([]int32, v.length)
	c := v.column
	if how.convert == nil && c.layout == layoutInt && how.add && b.size == 0 && len(c.ints) > 0 {
		low, high := c.ints[0], c.ints[0]
		for _, i := range c.ints {
			low, high = min(low, i), max(high, i)
		}
		b.expect(low, high, v.length)
	}
	of := func(x value.Value) int32 {
		if how.convert != nil {
			x = how.convert(x)
		}
		if x.IsNull() && !how.nulls {
			return -1
		}
		return b.key(value.Key(x, how.collation), how.add)
	}
	var memo []int32 // numbers, plus two, of the dictionary
	if c.layout == layoutText && len(c.dict) <= v.length {
		memo = make([]int32, len(c.dict))
	}
	for row := range out {
		if err := stopped(ctx, row); err != nil {
			return nil, err
		}
		at := row
		if v.rows != nil {
			at = int(v.rows[row])
		}
		switch {
		case at < 0:
			out[row] = of(value.NullValue())
		case how.convert == nil && c.layout == layoutInt && !c.isNull(at):
			out[row] = b.integer(c.ints[at], how.add)
		case memo != nil && c.codes[at] >= 0:
			code := &memo[c.codes[at]]
			if *code == 0 {
				*code = of(value.Str(c.dict[c.codes[at]])) + 2
			}
			out[row] = *code - 2
		default:
			out[row] = of(c.Value(at))
		}
	}
	return out, nil
}

// combine numbers the distinct pairs of two lists of numbers; a -1 on either
// side gives -1.
func (b *codebook) combine(ctx context.Context, first, second []int32, add bool) ([]int32, error) {
	out := make([]int32, len(first))
	for i := range out {
		if err := stopped(ctx, i); err != nil {
			return nil, err
		}
		if first[i] < 0 || second[i] < 0 {
			out[i] = -1
			continue
		}
		out[i] = b.integer(int64(first[i])<<32|int64(second[i]), add)
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
		size = book.size
		if i == 0 {
			codes = next
			continue
		}
		pairs := newCodebook()
		if codes, err = pairs.combine(ctx, codes, next, true); err != nil {
			return nil, 0, err
		}
		size = pairs.size
	}
	return codes, size, nil
}

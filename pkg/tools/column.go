package tools

import "github.com/birdcall/birdcall/pkg/value"

// layout is the way in which a column stores its values.
type layout uint8

const (
	layoutNull  layout = iota // nothing but NULL
	layoutInt                 // INTEGER or NULL
	layoutReal                // REAL or NULL
	layoutText                // TEXT or NULL, as codes into a dictionary
	layoutMixed               // anything
)

// Column is an immutable list of values. Values of one storage class are kept
// in a typed form: 8 bytes a row for numbers, 4 bytes a row plus each distinct
// text once for text.
type Column struct {
	layout layout
	length int
	ints   []int64   // 0 for NULL
	reals  []float64 // 0 for NULL
	codes  []int32   // positions in dict, -1 for NULL
	dict   []string
	mixed  []value.Value
	nulls  []uint64 // bitmap of layoutInt and layoutReal; nil without NULLs
}

// NewColumn returns a column of the given values.
func NewColumn(values ...value.Value) *Column {
	var b ColumnBuilder
	for _, v := range values {
		b.Append(v)
	}
	return b.Column()
}

// Len returns the number of values.
func (c *Column) Len() int { return c.length }

// Value returns the value at position i, counted from 0.
func (c *Column) Value(i int) value.Value {
	switch c.layout {
	case layoutInt:
		if c.isNull(i) {
			return value.NullValue()
		}
		return value.Int(c.ints[i])
	case layoutReal:
		if c.isNull(i) {
			return value.NullValue()
		}
		return value.Float(c.reals[i])
	case layoutText:
		if c.codes[i] < 0 {
			return value.NullValue()
		}
		return value.Str(c.dict[c.codes[i]])
	case layoutMixed:
		return c.mixed[i]
	}
	return value.NullValue()
}

// isNull reads the bitmap of a numeric column.
func (c *Column) isNull(i int) bool {
	return c.nulls != nil && c.nulls[i>>6]&(1<<(i&63)) != 0
}

// ColumnBuilder collects values and picks the smallest layout that holds them.
// The zero ColumnBuilder is ready for use.
type ColumnBuilder struct {
	column Column
	lookup map[string]int32
	expect int
	bytes  int64 // of texts and of cells of columns of several types
}

// Grow makes room for n values in all, which saves memory where the length of
// the column is known beforehand.
func (b *ColumnBuilder) Grow(n int) { b.expect = n }

// Append adds one value at the end.
func (b *ColumnBuilder) Append(v value.Value) {
	c := &b.column
	if !v.IsNull() && c.layout != layoutMixed {
		if want := layoutOf(v.Kind()); c.layout == layoutNull {
			b.begin(want)
		} else if c.layout != want {
			b.begin(layoutMixed)
		}
	}
	switch c.layout {
	case layoutInt:
		c.ints = append(c.ints, v.Int64())
		b.mark(v)
	case layoutReal:
		c.reals = append(c.reals, v.Float64())
		b.mark(v)
	case layoutText:
		c.codes = append(c.codes, b.code(v))
	case layoutMixed:
		c.mixed = append(c.mixed, v)
		b.bytes += int64(len(v.Raw()))
	}
	c.length++
}

// Bytes returns about how many bytes of memory the values take that were appended.
func (b *ColumnBuilder) Bytes() int64 {
	c := &b.column
	return b.bytes + int64(len(c.ints)+len(c.reals)+len(c.nulls))*numberBytes + int64(len(c.codes))*codeBytes + int64(len(c.mixed))*cellBytes
}

// Column returns the finished column and leaves the builder empty.
func (b *ColumnBuilder) Column() *Column {
	c := b.column
	*b = ColumnBuilder{}
	return &c
}

func layoutOf(k value.Kind) layout {
	switch k {
	case value.Integer:
		return layoutInt
	case value.Real:
		return layoutReal
	case value.Text:
		return layoutText
	}
	return layoutMixed
}

// begin rewrites what was collected so far in another layout.
func (b *ColumnBuilder) begin(to layout) {
	old := b.column
	b.column = Column{layout: to, length: old.length}
	c := &b.column
	room := max(b.expect, old.length)
	switch to {
	case layoutInt:
		c.ints = make([]int64, old.length, room)
	case layoutReal:
		c.reals = make([]float64, old.length, room)
	case layoutText:
		b.lookup = map[string]int32{}
		c.codes = make([]int32, old.length, room)
		for i := range c.codes {
			c.codes[i] = -1
		}
	case layoutMixed:
		b.lookup = nil
		c.mixed = make([]value.Value, old.length, room)
		for i := range c.mixed {
			c.mixed[i] = old.Value(i)
		}
	}
	if to == layoutInt || to == layoutReal {
		for i := range old.length {
			b.markAt(i)
		}
	}
}

// mark notes in the bitmap whether the value being appended is NULL.
func (b *ColumnBuilder) mark(v value.Value) {
	if v.IsNull() {
		b.markAt(b.column.length)
	} else if c := &b.column; c.nulls != nil && len(c.nulls) <= c.length>>6 {
		c.nulls = append(c.nulls, 0)
	}
}

func (b *ColumnBuilder) markAt(i int) {
	c := &b.column
	for len(c.nulls) <= i>>6 {
		c.nulls = append(c.nulls, 0)
	}
	c.nulls[i>>6] |= 1 << (i & 63)
}

func (b *ColumnBuilder) code(v value.Value) int32 {
	if v.IsNull() {
		return -1
	}
	code, ok := b.lookup[v.Raw()]
	if !ok {
		code = int32(len(b.column.dict))
		b.column.dict = append(b.column.dict, v.Raw())
		b.lookup[v.Raw()] = code
		b.bytes += textBytes + int64(len(v.Raw()))
	}
	return code
}

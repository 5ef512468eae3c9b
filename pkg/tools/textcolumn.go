package tools

import (
	"context"

	"github.com/birdcall/birdcall/pkg/value"
)

// A column keeps each of its texts once. An expression about one, whose operands are
// constants, is computed once for each distinct text, and the rows refer to it by
// their codes alone.

// textForm is an expression about a column of texts whose operands are constants.
type textForm struct {
	e     *expression
	args  []value.Value
	codes [blockRows]int32
}

// texts returns the form of the expression for texts, or nil if it has none or few
// rows share a text.
func (e *expression) texts(n int) *textForm {
	if e.left.constant || e.left.view.column.layout != layoutText || len(e.left.view.column.dict) > n/2 {
		return nil
	}
	t := &textForm{e: e, args: make([]value.Value, len(e.operands))}
	for i, o := range e.operands {
		if !o.constant {
			return nil
		}
		t.args[i] = o.value
	}
	return t
}

// result computes the expression for the text of a code, -1 for NULL.
func (t *textForm) result(code int32) (value.Value, error) {
	x := value.NullValue()
	if code >= 0 {
		x = value.Str(t.e.left.view.column.dict[code])
	}
	return t.e.kernel(x, t.args)
}

// block returns the codes of consecutive rows, until it is called again.
func (t *textForm) block(from, to int) []int32 {
	v := t.e.left.view
	if v.rows == nil {
		return v.column.codes[from:to]
	}
	out := t.codes[:to-from]
	for i, row := range v.rows[from:to] {
		out[i] = -1
		if row >= 0 {
			out[i] = v.column.codes[row]
		}
	}
	return out
}

// selected returns the rows, of n, where the expression is true.
func (t *textForm) selected(ctx context.Context, n int) ([]int32, error) {
	const unasked = value.Truth(-1)
	known := make([]value.Truth, len(t.e.left.view.column.dict)+1) // by code, from -1 on
	for i := range known {
		known[i] = unasked
	}
	var truths [blockRows]value.Truth
	rows := []int32{}
	err := span{0, n}.eachBlock(ctx, func(from, to int) error {
		for i, code := range t.block(from, to) {
			if known[code+1] == unasked {
				v, err := t.result(code)
				if err != nil {
					return err
				}
				known[code+1] = truth(v == value.Int(1))
			}
			truths[i] = known[code+1]
		}
		rows = appendTrue(rows, from, truths[:to-from])
		return nil
	})
	return rows, err
}

// column computes the expression for n rows, whose texts m counts.
func (t *textForm) column(ctx context.Context, n int, m meter) (*Column, error) {
	b := resultBuilder{codes: make([]int32, 0, n), lookup: map[value.Value]int32{}}
	known := make([]int32, len(t.e.left.view.column.dict)+1) // by code from -1 on: the result, counted from 1
	err := span{0, n}.eachBlock(ctx, func(from, to int) error {
		for _, code := range t.block(from, to) {
			if known[code+1] == 0 {
				v, err := t.result(code)
				if err != nil {
					return err
				}
				known[code+1] = b.add(v) + 1
			}
			at := known[code+1] - 1
			if err := m.addBytes(b.sizes[at]); err != nil {
				return err
			}
			b.codes = append(b.codes, at)
		}
		return nil
	})
	return b.column(), err
}

// resultBuilder makes a column of few different values.
type resultBuilder struct {
	codes  []int32 // of the rows, into values
	values []value.Value
	sizes  []int // bytes of their texts
	lookup map[value.Value]int32
}

// add returns the code of a value.
func (b *resultBuilder) add(v value.Value) int32 {
	code, ok := b.lookup[v]
	if !ok {
		code = int32(len(b.values))
		b.lookup[v] = code
		b.values, b.sizes = append(b.values, v), append(b.sizes, len(v.Raw()))
	}
	return code
}

// column returns the column, in the layout that a ColumnBuilder would pick.
func (b *resultBuilder) column() *Column {
	hasText, onlyText := false, true
	for _, v := range b.values {
		hasText = hasText || v.Kind() == value.Text
		onlyText = onlyText && (v.Kind() == value.Text || v.IsNull())
	}
	if !hasText || !onlyText {
		var out ColumnBuilder
		out.Grow(len(b.codes))
		for _, code := range b.codes {
			out.Append(b.values[code])
		}
		return out.Column()
	}
	c := &Column{layout: layoutText, length: len(b.codes), codes: b.codes}
	place := make([]int32, len(b.values)) // in the dictionary, which has no NULL
	for i, v := range b.values {
		if place[i] = int32(len(c.dict)); v.IsNull() {
			place[i] = -1
		} else {
			c.dict = append(c.dict, v.Raw())
		}
	}
	if len(c.dict) < len(b.values) {
		for i, code := range c.codes {
			c.codes[i] = place[code]
		}
	}
	return c
}

package tools

import (
	"context"

	"github.com/birdcall/birdcall/pkg/value"
)

// Operand is what stands where a tool expects a value: a literal, the first
// cell or column of another table, another column of the same row, or a list.
// The zero Operand is an argument that was not given.
type Operand struct {
	kind    operandKind
	literal value.Value
	key     string
	table   *Table
	list    []Operand
}

type operandKind uint8

const (
	operandNone operandKind = iota
	operandLiteral
	operandKey
	operandTable
	operandList
)

// Literal is a value that stands for itself. It has no affinity
// (https://www.sqlite.org/datatype3.html, section 3.2).
func Literal(v value.Value) Operand { return Operand{kind: operandLiteral, literal: v} }

// FromKey is the value of another column in the same row.
func FromKey(key string) Operand { return Operand{kind: operandKey, key: key} }

// FromTable is the first cell of a table, NULL if it has no row, with the
// affinity of its column; with in and not_in it is the whole first column.
func FromTable(t *Table) Operand { return Operand{kind: operandTable, table: t} }

// ListOf is a list of operands, for in, between, coalesce and the like.
func ListOf(items ...Operand) Operand { return Operand{kind: operandList, list: items} }

// IsZero reports whether the operand was not given at all.
func (o Operand) IsZero() bool { return o.kind == operandNone }

// bound is an operand that is tied to the rows of a table.
type bound struct {
	constant bool
	value    value.Value // of a constant
	view     View        // of a column
	affinity value.Affinity
	// collation is that of a column; collated tells whether there is one.
	collation value.Collation
	collated  bool
}

func (b *bound) at(row int) value.Value {
	if b.constant {
		return b.value
	}
	return b.view.At(row)
}

// bindColumn binds a column of t.
func bindColumn(ctx context.Context, t *Table, i int) (bound, error) {
	v, err := t.Column(ctx, i)
	f := t.fields[i]
	return bound{view: v, affinity: f.Affinity, collation: f.Collation, collated: !f.Computed}, err
}

// bind resolves a scalar operand for the rows of t.
func (o Operand) bind(ctx context.Context, tool, argument string, t *Table) (bound, error) {
	switch o.kind {
	case operandLiteral:
		return bound{constant: true, value: o.literal}, nil
	case operandKey:
		i, err := t.find(tool, argument, o.key)
		if err != nil {
			return bound{}, err
		}
		return bindColumn(ctx, t, i)
	case operandTable:
		v, err := o.table.first(ctx)
		return bound{constant: true, value: v, affinity: o.table.fields[0].Affinity}, err
	case operandList:
		return bound{}, &ToolError{Tool: tool, Argument: argument, Reason: "a list where one value is expected", Hint: "give one value"}
	}
	return bound{}, missing(tool, argument)
}

// bindList resolves a list operand item by item; one value is a list of one.
func (o Operand) bindList(ctx context.Context, tool, argument string, t *Table) ([]bound, error) {
	items := []Operand{o}
	if o.kind == operandList {
		items = o.list
	}
	out := make([]bound, len(items))
	for i, item := range items {
		b, err := item.bind(ctx, tool, argument, t)
		if err != nil {
			return nil, err
		}
		out[i] = b
	}
	return out, nil
}

func missing(tool, argument string) error {
	return &ToolError{Tool: tool, Argument: argument, Reason: "is missing", Hint: "give it"}
}

// find returns the position of the column named key.
func (t *Table) find(tool, argument, key string) (int, error) {
	if i, ok := t.index[key]; ok {
		return i, nil
	}
	return 0, unknown(tool, argument, "key", key, t.Keys())
}

// findAll returns the positions of several columns, at least one.
func (t *Table) findAll(tool, argument string, keys []string) ([]int, error) {
	if len(keys) == 0 {
		return nil, &ToolError{Tool: tool, Argument: argument, Reason: "names no key", Hint: "name at least one"}
	}
	out := make([]int, len(keys))
	for i, k := range keys {
		c, err := t.find(tool, argument, k)
		if err != nil {
			return nil, err
		}
		out[i] = c
	}
	return out, nil
}

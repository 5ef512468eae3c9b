package tools

import (
	"context"
	"reflect"

	"github.com/birdcall/birdcall/pkg/value"
)

// Operand is what is given where a tool expects a value: a literal, the first
// cell or column of another table, another column of the same row, or a list.
// The zero Operand is an argument that was not given.
type Operand struct {
	kind    operandKind
	literal value.Value
	key     string
	table   *Table
	list    []Operand
	err     error // of a literal that is no value
}

type operandKind uint8

const (
	operandNone operandKind = iota
	operandLiteral
	operandKey
	operandTable
	operandList
)

// Literal is a value that stands for itself: a value.Value or what value.Of
// makes one of. It has no affinity (https://www.sqlite.org/datatype3.html,
// section 3.2). Where value.Of fails, the tool that gets the operand does.
func Literal(v any) Operand {
	literal, err := value.Of(v)
	return Operand{kind: operandLiteral, literal: literal, err: err}
}

// Col is the value of another column in the same row.
func Col(key string) Operand { return Operand{kind: operandKey, key: key} }

// Result is the first cell of a table, NULL if it has no row, with the
// affinity of its column; with In and NotIn it is the whole first column.
func Result(t *Table) Operand { return Operand{kind: operandTable, table: t} }

// List is a list of operands, for In, Between, OpCoalesce and the like. Items
// are what OperandOf takes, but lists.
func List(items ...any) Operand {
	out := Operand{kind: operandList, list: make([]Operand, len(items))}
	for i, item := range items {
		out.list[i] = OperandOf(item)
	}
	return out
}

// OperandOf returns an Operand as it is, a *Table as a Result, a slice (but
// not of bytes, which are a BLOB) as a List and anything else as a Literal.
func OperandOf(v any) Operand {
	switch v := v.(type) {
	case Operand:
		return v
	case *Table:
		return Result(v)
	case nil, []byte, value.Value:
		return Literal(v)
	}
	list := reflect.ValueOf(v)
	if list.Kind() != reflect.Slice || list.Type().Elem().Kind() == reflect.Uint8 {
		return Literal(v)
	}
	items := make([]any, list.Len())
	for i := range items {
		items[i] = list.Index(i).Interface()
	}
	return List(items...)
}

// IsZero reports whether the operand was not given at all.
func (o Operand) IsZero() bool { return o.kind == operandNone }

// bound is an operand that is tied to the rows of a table.
type bound struct {
	constant bool
	value    value.Value // of a constant
	view     View        // of a column
	affinity value.Affinity
	// collation is that of a column; collated says whether there is one.
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
		if o.err != nil {
			return bound{}, &ToolError{Tool: tool, Argument: argument, Reason: o.err.Error()}
		}
		return bound{constant: true, value: o.literal}, nil
	case operandKey:
		i, err := t.find(tool, argument, o.key)
		if err != nil {
			return bound{}, err
		}
		return bindColumn(ctx, t, i)
	case operandTable:
		if err := o.table.check(tool, argument); err != nil {
			return bound{}, err
		}
		v, err := o.table.Scalar(ctx)
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

package tools

import (
	"context"
	"time"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// kernel computes one result from the value it is about and its operands.
type kernel func(x value.Value, args []value.Value) (value.Value, error)

// expression is a kernel tied to the rows of a table.
type expression struct {
	left     bound
	operands []bound
	kernel   kernel
	// typed is a faster form for columns of numbers, nil for none. The kernel
	// is what is meant, and what computes everything else.
	typed typedForm
}

// typedForm is a form of an expression that computes whole columns of numbers.
type typedForm interface {
	// column computes the expression for n rows. The error is errUntyped or
	// that of the context.
	column(ctx context.Context, e *expression, n int) (*Column, error)
}

// each computes the expression for n rows, in order.
func (e *expression) each(ctx context.Context, n int, yield func(row int, v value.Value) error) error {
	args := make([]value.Value, len(e.operands))
	constant := true
	for i := range e.operands {
		args[i] = e.operands[i].value
		constant = constant && e.operands[i].constant
	}
	if constant && e.left.constant {
		v, err := e.kernel(e.left.value, args)
		for row := 0; err == nil && row < n; row++ {
			if err = stopped(ctx, row); err == nil {
				err = yield(row, v)
			}
		}
		return err
	}
	for row := range n {
		if err := stopped(ctx, row); err != nil {
			return err
		}
		if !constant {
			for i := range e.operands {
				args[i] = e.operands[i].at(row)
			}
		}
		v, err := e.kernel(e.left.at(row), args)
		if err == nil {
			err = yield(row, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// binder builds an expression: it resolves named operands for a table.
type binder struct {
	ctx   context.Context
	tool  string
	table *Table
	now   time.Time
	args  map[string]Operand
	expr  expression
	// leftField describes the column that the expression is about.
	leftField Field
}

// operand resolves the operand of that name and returns its place among the
// kernel's arguments. Errors are *ToolError, or those of the database.
func (b *binder) operand(name string) (int, error) {
	o, err := b.args[name].bind(b.ctx, b.tool, name, b.table)
	if err != nil {
		return 0, err
	}
	return b.add(o), nil
}

// operands resolves a list and returns the place of its first item. A list
// that is not given is an empty one.
func (b *binder) operands(name string) (first, count int, err error) {
	first = len(b.expr.operands)
	if b.args[name].IsZero() {
		return first, 0, nil
	}
	list, err := b.args[name].bindList(b.ctx, b.tool, name, b.table)
	b.expr.operands = append(b.expr.operands, list...)
	return first, len(list), err
}

func (b *binder) add(o bound) int {
	b.expr.operands = append(b.expr.operands, o)
	return len(b.expr.operands) - 1
}

// constant resolves an operand that has to be the same for all rows; NULL if
// it is not given.
func (b *binder) constant(name string) (value.Value, error) {
	if b.args[name].IsZero() {
		return value.NullValue(), nil
	}
	o, err := b.args[name].bind(b.ctx, b.tool, name, b.table)
	if err == nil && !o.constant {
		err = &ToolError{Tool: b.tool, Argument: name, Reason: "a column where one value is expected", Hint: "give a literal"}
	}
	return o.value, err
}

// text resolves a constant that is a text, "" if it is not given.
func (b *binder) text(name string) (string, error) {
	v, err := b.constant(name)
	if err == nil && !v.IsNull() && v.Kind() != value.Text {
		err = &ToolError{Tool: b.tool, Argument: name, Reason: "is not a text", Hint: `give a text in quotes`}
	}
	return v.Raw(), err
}

// flag resolves a constant that is true or false, false if it is not given.
func (b *binder) flag(name string) (bool, error) {
	v, err := b.constant(name)
	return value.TruthOf(v) == value.True, err
}

// integers resolves a list of constants that are integers, none if it is not
// given.
func (b *binder) integers(name string) ([]int64, error) {
	if b.args[name].IsZero() {
		return nil, nil
	}
	list, err := b.args[name].bindList(b.ctx, b.tool, name, b.table)
	out := make([]int64, len(list))
	for i, o := range list {
		if !o.constant || o.value.Kind() != value.Integer {
			return nil, &ToolError{Tool: b.tool, Argument: name, Reason: "is no list of whole numbers", Hint: "give one, as in [1, 2]"}
		}
		out[i] = o.value.Int64()
	}
	return out, err
}

// collation resolves the optional collation argument.
func (b *binder) collation() (c value.Collation, given bool, err error) {
	name, err := b.text(toolname.ArgCollation)
	if err != nil || name == "" {
		return value.Binary, false, err
	}
	c, err = collationNamed(b.tool, CollationName(name))
	return c, true, err
}

func collationNamed(tool string, name CollationName) (value.Collation, error) {
	c, ok := value.CollationNamed(string(name))
	if !ok {
		return c, unknown(tool, toolname.ArgCollation, "collation", string(name), choiceNames(collations))
	}
	return c, nil
}

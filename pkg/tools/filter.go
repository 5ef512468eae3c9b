package tools

import (
	"context"
	"errors"
	"time"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// FilterArgs are the arguments of FilterData.
type FilterArgs struct {
	// Key names the column that is tested.
	Key string
	// Condition is the test.
	Condition Condition
	// Value is what the column is tested against: an operand, a list for In
	// and NotIn (or a table), [low, high] for Between and NotBetween, and
	// nothing for the tests that need none.
	Value Operand
	// Escape is the escape character of Like and NotLike, "" for none.
	Escape string
	// Collation overrides that of the column, "" does not.
	Collation CollationName
}

// FilterData keeps the rows where the condition is true. A row where it is
// NULL is dropped, also by the negative conditions. Comparisons convert their
// operands as https://www.sqlite.org/datatype3.html, sections 4.2 and 4.3,
// say. Of a grouped table it keeps groups. Errors are *ToolError, and those of
// the database and the context.
func FilterData(ctx context.Context, t *Table, a FilterArgs) (*Table, error) {
	const tool = toolname.Filter
	if err := ready(ctx, tool, t); err != nil {
		return nil, err
	}
	c, err := findCondition(tool, a.Condition)
	if err != nil {
		return nil, err
	}
	key, err := t.find(tool, toolname.ArgKeyName, a.Key)
	if err != nil {
		return nil, err
	}
	args := map[string]Operand{toolname.ArgValue: a.Value}
	if a.Escape != "" {
		args[toolname.ArgEscape] = Literal(value.Str(a.Escape))
	}
	if a.Collation != "" {
		args[toolname.ArgCollation] = Literal(value.Str(string(a.Collation)))
	}
	b, err := newBinder(ctx, tool, t, key, args, time.Time{})
	if err != nil {
		return nil, err
	}
	if b.expr.kernel, err = c.kernel(b); err != nil {
		return nil, err
	}
	rows, err := b.expr.selected(ctx, t.rows)
	if err != nil {
		return nil, err
	}
	return t.take(rows), nil
}

// newBinder starts an expression about the column at position key of t, or
// about no column where key is negative.
func newBinder(ctx context.Context, tool string, t *Table, key int, args map[string]Operand, now time.Time) (*binder, error) {
	b := &binder{ctx: ctx, tool: tool, table: t, args: args, now: now, expr: expression{left: bound{constant: true}}}
	if key < 0 {
		return b, nil
	}
	var err error
	b.leftField = t.fields[key].Field
	b.expr.left, err = bindColumn(ctx, t, key)
	return b, err
}

// selected returns the rows, of n, where the expression is true.
func (e *expression) selected(ctx context.Context, n int) ([]int32, error) {
	if c, ok := e.typed.(*comparison); ok {
		if rows, err := c.selected(ctx, e, n); !errors.Is(err, errUntyped) {
			return rows, err
		}
	}
	if t := e.texts(n); t != nil {
		return t.selected(ctx, n)
	}
	rows := []int32{}
	err := e.each(ctx, n, func(row int, v value.Value) error {
		if v == value.Int(1) {
			rows = append(rows, int32(row))
		}
		return nil
	})
	return rows, err
}

package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// TransformArgs are the arguments of TransformData.
type TransformArgs struct {
	// Key names the column that is transformed. It may be "" for a table of
	// one column and for operations that look at none.
	Key string
	// Operation is what is computed; Operations describes its arguments.
	Operation Operation
	// Args are the arguments of the operation by name.
	Args map[string]Operand
	// OutputKey names the result; "" overwrites the column Key.
	OutputKey string
	// Now is the time that 'now' stands for, zero for that of the call.
	Now time.Time
	// MaxBytes bounds the text that is made; 0 is DefaultMaxBytes.
	MaxBytes int
}

// TransformData computes a column from others, row by row, with SQLite's
// functions and operators (https://www.sqlite.org/lang_expr.html and
// lang_corefunc.html). The result has neither an affinity nor a collation,
// except that cast and copy give it the ones they should. Of a grouped table
// it computes a column of the groups. Errors are *ToolError, *LimitError, and
// those of the database and the context.
func TransformData(ctx context.Context, t *Table, a TransformArgs) (*Table, error) {
	const tool = toolname.Transform
	if err := ready(ctx, tool, t); err != nil {
		return nil, err
	}
	if a.Now.IsZero() {
		a.Now = time.Now()
	}
	op, err := findOperation(tool, a.Operation)
	if err != nil {
		return nil, err
	}
	if err := op.check(tool, a.Args); err != nil {
		return nil, err
	}
	key, output, err := op.keys(tool, t, a)
	if err != nil {
		return nil, err
	}
	b, err := newBinder(ctx, tool, t, key, a.Args, a.Now)
	if err != nil {
		return nil, err
	}
	if b.expr.kernel, err = op.build(b); err != nil {
		return nil, err
	}
	f := Field{Computed: true}
	if op.field != nil {
		if f, err = op.field(b); err != nil {
			return nil, err
		}
	}
	f.Key = output
	column, err := b.expr.column(ctx, t.rows, meter{tool: tool, limit: a.MaxBytes})
	if err != nil {
		return nil, err
	}
	return t.with(f, column), nil
}

// column computes the expression for n rows.
func (e *expression) column(ctx context.Context, n int, m meter) (*Column, error) {
	if e.typed != nil { // numbers count for nothing in m
		if c, err := e.typed.column(ctx, e, n); !errors.Is(err, errUntyped) {
			return c, err
		}
	}
	c, err := e.general(ctx, n, m)
	if failure := (*value.FunctionError)(nil); errors.As(err, &failure) {
		return nil, &ToolError{Tool: m.tool, Argument: toolname.ArgOperationArgs, Reason: failure.Error(), Hint: "filter out the rows for which the function fails"}
	}
	return c, err
}

// general computes the expression with its kernel.
func (e *expression) general(ctx context.Context, n int, m meter) (*Column, error) {
	if t := e.texts(n); t != nil {
		return t.column(ctx, n, m)
	}
	var b ColumnBuilder
	b.Grow(n)
	err := e.each(ctx, n, func(_ int, v value.Value) error {
		b.Append(v)
		return m.add(v)
	})
	return b.Column(), err
}

func findOperation(tool string, name Operation) (*operation, error) {
	for i := range operations {
		if operations[i].Name == string(name) {
			return &operations[i], nil
		}
	}
	return nil, unknown(tool, toolname.ArgOperationType, "operation", string(name), choiceNames(operationChoices()))
}

// check compares the arguments with the operation's parameters.
func (o *operation) check(tool string, args map[string]Operand) error {
	for _, p := range o.Parameters {
		if p.Required && args[p.Name].IsZero() {
			return &ToolError{Tool: tool, Argument: toolname.ArgOperationArgs, Reason: fmt.Sprintf("%s needs %s", o.Name, p.Name), Hint: "give " + p.Name + ": " + p.Description}
		}
	}
	names := parameterNames(o.Parameters)
	// The first name in the order of the alphabet, whatever the map's order.
	wrong := ""
	for name := range args {
		if !slices.Contains(names, name) && (wrong == "" || name < wrong) {
			wrong = name
		}
	}
	if wrong == "" {
		return nil
	}
	return &ToolError{Tool: tool, Argument: toolname.ArgOperationArgs, Reason: fmt.Sprintf("%s takes no %s", o.Name, quoted(wrong)), Hint: takes(names)}
}

// keys returns the position of the column to transform, -1 for none, and the
// key of the result.
func (o *operation) keys(tool string, t *Table, a TransformArgs) (key int, output string, err error) {
	output = a.OutputKey
	if a.Key == "" && !o.keyless && len(t.fields) == 1 {
		a.Key = t.fields[0].Key
	}
	if output == "" {
		output = a.Key
	}
	switch {
	case output == "" && o.keyless:
		return 0, "", &ToolError{Tool: tool, Argument: toolname.ArgOutputKey, Reason: "is missing", Hint: "name the key of the result"}
	case a.Key == "" && !o.keyless:
		return 0, "", &ToolError{Tool: tool, Argument: toolname.ArgKeyName, Reason: "is missing", Hint: spelling.Suggest("", t.Keys())}
	case o.keyless:
		return -1, output, nil
	}
	key, err = t.find(tool, toolname.ArgKeyName, a.Key)
	return key, output, err
}

func parameterNames(params []Parameter) []string {
	out := make([]string, len(params))
	for i, p := range params {
		out[i] = p.Name
	}
	return out
}

func takes(names []string) string {
	if len(names) == 0 {
		return "it takes no arguments"
	}
	return "it takes " + strings.Join(names, ", ")
}

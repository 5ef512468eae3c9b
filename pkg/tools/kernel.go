package tools

import (
	"fmt"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// keyPlace stands for the value of the key among the arguments of calling.
const keyPlace = ""

// calling builds a call of a built-in function from the names of its
// arguments. Arguments that are not given are left out; lists are spread.
func calling(name string, arguments ...string) func(*binder) (kernel, error) {
	return func(b *binder) (kernel, error) {
		at := 0
		for _, a := range arguments {
			if a == keyPlace {
				at = len(b.expr.operands)
				continue
			}
			if _, _, err := b.operands(a); err != nil {
				return nil, err
			}
		}
		return b.callAt(name, at, nil)
	}
}

// callAt builds a call with all operands so far, and the value of the key put
// in at a place among them. json are the places of the arguments that are JSON.
func (b *binder) callAt(name string, at int, json []int64) (kernel, error) {
	args := make([]value.Value, len(b.expr.operands)+1)
	if !value.Known(name, len(args)) {
		return nil, &ToolError{Tool: b.tool, Argument: toolname.ArgOperationArgs, Reason: fmt.Sprintf("no function %s of %d arguments", quoted(name), len(args)), Hint: "use a deterministic scalar function of SQLite with the arguments it takes"}
	}
	marked := make([]bool, len(args))
	for _, place := range json {
		if place < 0 || place >= int64(len(args)) {
			return nil, noPlace(b.tool, toolname.ArgJSON, place, len(args))
		}
		marked[place] = true
	}
	now := b.now
	return func(x value.Value, operands []value.Value) (value.Value, error) {
		copy(args, operands[:at])
		args[at] = x
		copy(args[at+1:], operands[at:])
		if len(json) > 0 {
			return value.CallJSON(name, args, marked, now)
		}
		return value.Call(name, args, now)
	}, nil
}

func noPlace(tool, argument string, place int64, args int) error {
	return &ToolError{Tool: tool, Argument: argument, Reason: fmt.Sprintf("%d is no place among %d arguments", place, args), Hint: "count from 0"}
}

// ratio computes CAST(x AS REAL) * scale / value, from left to right, without
// the multiplication where no scale is given.
func ratio(b *binder) (kernel, error) {
	place, err := b.operand(toolname.ArgValue)
	if err != nil {
		return nil, err
	}
	scale := -1
	if !b.args[toolname.ArgScale].IsZero() {
		if scale, err = b.operand(toolname.ArgScale); err != nil {
			return nil, err
		}
	}
	swapped, err := b.flag(toolname.ArgSwap)
	return func(x value.Value, args []value.Value) (value.Value, error) {
		y := args[place]
		if swapped {
			x, y = y, x
		}
		x = value.Cast(x, value.AffinityReal)
		if scale >= 0 {
			x = value.Multiply(x, args[scale])
		}
		return value.Divide(x, y), nil
	}, err
}

// function builds the operation call.
func function(b *binder) (kernel, error) {
	name, err := b.text(toolname.ArgFunction)
	if err != nil {
		return nil, err
	}
	json, err := b.integers(toolname.ArgJSON)
	if err != nil {
		return nil, err
	}
	if _, _, err := b.operands(toolname.ArgArguments); err != nil {
		return nil, err
	}
	position, err := b.constant(toolname.ArgPosition)
	if err != nil {
		return nil, err
	}
	at := value.ToInt64(position)
	if at < 0 || at > int64(len(b.expr.operands)) {
		return nil, noPlace(b.tool, toolname.ArgPosition, at, len(b.expr.operands)+1)
	}
	return b.callAt(name, int(at), json)
}

// substring counts characters from 0 and stops before end_index. An index
// below 0 counts as 0.
func substring(b *binder) (kernel, error) {
	start, err := b.operand(toolname.ArgStartIndex)
	if err != nil {
		return nil, err
	}
	end := -1
	if !b.args[toolname.ArgEndIndex].IsZero() {
		if end, err = b.operand(toolname.ArgEndIndex); err != nil {
			return nil, err
		}
	}
	var buffer [3]value.Value
	return func(x value.Value, args []value.Value) (value.Value, error) {
		if args[start].IsNull() || end >= 0 && args[end].IsNull() {
			return value.NullValue(), nil
		}
		from := max(value.ToInt64(args[start]), 0)
		call := append(buffer[:0], x, value.Add(value.Int(from), value.Int(1)))
		if end >= 0 {
			call = append(call, value.Int(max(value.ToInt64(args[end])-from, 0)))
		}
		return value.Call("substr", call, b.now)
	}, nil
}

// functionCollation is the collation of a function that compares its
// arguments: that of the first one which is a column.
func (b *binder) functionCollation() value.Collation {
	if b.expr.left.collated {
		return b.expr.left.collation
	}
	for _, o := range b.expr.operands {
		if o.collated {
			return o.collation
		}
	}
	return value.Binary
}

func nullif(b *binder) (kernel, error) {
	place, err := b.operand(toolname.ArgValue)
	c := b.functionCollation()
	return func(x value.Value, args []value.Value) (value.Value, error) {
		if value.Compare(x, args[place], c) == 0 {
			return value.NullValue(), nil
		}
		return x, nil
	}, err
}

// extremeOf builds SQLite's min() and max() of several arguments. replaces
// decides by its order whether a later argument replaces the best one.
func extremeOf(replaces func(order int) bool) func(*binder) (kernel, error) {
	return func(b *binder) (kernel, error) {
		if _, _, err := b.operands(toolname.ArgValues); err != nil {
			return nil, err
		}
		c := b.functionCollation()
		return func(x value.Value, args []value.Value) (value.Value, error) {
			for _, y := range args {
				if x.IsNull() || y.IsNull() {
					return value.NullValue(), nil
				}
				if replaces(value.Compare(x, y, c)) {
					x = y
				}
			}
			return x, nil
		}, nil
	}
}

// conditional builds one branch of CASE.
func conditional(b *binder) (kernel, error) {
	name, err := b.text(toolname.ArgCondition)
	if err != nil {
		return nil, err
	}
	c, err := findCondition(b.tool, Condition(name))
	if err != nil {
		return nil, err
	}
	holds, err := c.test(b)
	if err != nil {
		return nil, err
	}
	b.expr.typed = nil // is for the answers, which are not the result here
	then, err := b.operand(toolname.ArgThen)
	if err != nil {
		return nil, err
	}
	otherwise := -1
	if !b.args[toolname.ArgElse].IsZero() {
		if otherwise, err = b.operand(toolname.ArgElse); err != nil {
			return nil, err
		}
	}
	return func(x value.Value, args []value.Value) (value.Value, error) {
		switch {
		case holds(x, args) == value.True:
			return args[then], nil
		case otherwise >= 0:
			return args[otherwise], nil
		}
		return value.NullValue(), nil
	}, nil
}

func constant(b *binder) (kernel, error) {
	v, err := b.constant(toolname.ArgValue)
	return func(value.Value, []value.Value) (value.Value, error) { return v, nil }, err
}

func copying(*binder) (kernel, error) {
	return func(x value.Value, _ []value.Value) (value.Value, error) { return x, nil }, nil
}

func copyField(b *binder) (Field, error) { return b.leftField, nil }

// collateField gives the result the collation, as COLLATE does
// (https://www.sqlite.org/datatype3.html, section 7.1).
func collateField(b *binder) (Field, error) {
	f := b.leftField
	f.Computed = false
	var err error
	f.Collation, _, err = b.collation()
	return f, err
}

func (b *binder) castAffinity() (value.Affinity, error) {
	name, err := b.text(toolname.ArgType)
	if err != nil {
		return value.AffinityNone, err
	}
	return value.AffinityOf(name), oneOf(b.tool, toolname.ArgType, name, castTypes)
}

func cast(b *binder) (kernel, error) {
	a, err := b.castAffinity()
	return func(x value.Value, _ []value.Value) (value.Value, error) { return value.Cast(x, a), nil }, err
}

// castField gives the result the affinity of the type; the collation is still
// that of the column (https://www.sqlite.org/datatype3.html, section 7.1).
func castField(b *binder) (Field, error) {
	f := b.leftField
	f.Type = ""
	var err error
	f.Affinity, err = b.castAffinity()
	return f, err
}

package tools

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/pkg/value"
)

// operation is one way to transform a column that TransformData knows. This
// table drives validation, execution and documentation.
type operation struct {
	Definition
	// keyless operations do not look at a column.
	keyless bool
	build   func(*binder) (kernel, error)
	// field gives the result its affinity and collation; nil stands for the
	// result of a function, which has neither.
	field func(*binder) (Field, error)
}

// operations lists the operations in the order in which they are documented.
var operations = slices.Concat(paperOperations, arithmeticOperations, textOperations, choosingOperations, conditionOperations())

var paperOperations = []operation{
	{Definition: Definition{"substring", "part of the text from one character to before another, both counted from 0", []Parameter{
		{Name: "start_index", Description: "first character, counted from 0", Kind: KindValue, Required: true, Paper: true},
		{Name: "end_index", Description: "character to stop before; the end of the text if left out", Kind: KindValue, Paper: true},
	}, true}, build: substring},
	{Definition: Definition{"strftime", "date or time written by a format such as %Y", []Parameter{
		{Name: "format", Description: "format of SQLite's strftime, e.g. %Y-%m", Kind: KindValue, Required: true, Paper: true},
		modifiers,
	}, true}, build: calling("strftime", "format", keyPlace, "modifiers")},
	{Definition: Definition{"abs", "absolute value", nil, true}, build: calling("abs", keyPlace)},
	{Definition: Definition{"datetime", "date and time, YYYY-MM-DD HH:MM:SS", []Parameter{modifiers}, true}, build: calling("datetime", keyPlace, "modifiers")},
	{Definition: Definition{"date", "date, YYYY-MM-DD", []Parameter{modifiers}, false}, build: calling("date", keyPlace, "modifiers")},
	{Definition: Definition{"time", "time, HH:MM:SS", []Parameter{modifiers}, false}, build: calling("time", keyPlace, "modifiers")},
	{Definition: Definition{"julianday", "date as a REAL number of days", []Parameter{modifiers}, false}, build: calling("julianday", keyPlace, "modifiers")},
	{Definition: Definition{"unixepoch", "date as seconds since 1970", []Parameter{modifiers}, false}, build: calling("unixepoch", keyPlace, "modifiers")},
}

var modifiers = Parameter{Name: "modifiers", Description: `SQLite's date modifiers, e.g. ["+1 day", "start of month"]`, Kind: KindValues}

var arithmeticOperations = []operation{
	arithmetic("add", "sum with the value", value.Add),
	arithmetic("subtract", "difference from the value", value.Subtract),
	arithmetic("multiply", "product with the value", value.Multiply),
	arithmetic("divide", "quotient by the value; two INTEGERs give an INTEGER, and division by zero gives NULL", value.Divide),
	arithmetic("modulo", "remainder of the division by the value", value.Modulo),
	arithmetic("bit_and", "bitwise and with the value", value.BitAnd),
	arithmetic("bit_or", "bitwise or with the value", value.BitOr),
	arithmetic("shift_left", "bits shifted left by the value", value.ShiftLeft),
	arithmetic("shift_right", "bits shifted right by the value", value.ShiftRight),
	arithmetic("concat", "text followed by the text of the value", value.Concat),
	unary("negate", "number with the other sign", value.Negate),
	unary("bit_not", "bitwise complement", value.BitNot),
	unary("not", "1 if the value is 0, 0 if it is another number", func(x value.Value) value.Value { return value.TruthOf(x).Not().Value() }),
	logical("and", "1 if this and the value are true", value.Truth.And),
	logical("or", "1 if this or the value is true", value.Truth.Or),
	{Definition: Definition{"round", "number rounded to some digits, as a REAL", []Parameter{
		{Name: "digits", Description: "digits after the point, 0 if left out", Kind: KindValue},
	}, false}, build: calling("round", keyPlace, "digits")},
}

var textOperations = []operation{
	{Definition: Definition{"upper", "text with ASCII letters in upper case", nil, false}, build: calling("upper", keyPlace)},
	{Definition: Definition{"lower", "text with ASCII letters in lower case", nil, false}, build: calling("lower", keyPlace)},
	{Definition: Definition{"length", "number of characters, of bytes for a BLOB", nil, false}, build: calling("length", keyPlace)},
	{Definition: Definition{"trim", "text without some characters at both ends", []Parameter{characters}, false}, build: calling("trim", keyPlace, "characters")},
	{Definition: Definition{"ltrim", "text without some characters at the start", []Parameter{characters}, false}, build: calling("ltrim", keyPlace, "characters")},
	{Definition: Definition{"rtrim", "text without some characters at the end", []Parameter{characters}, false}, build: calling("rtrim", keyPlace, "characters")},
	{Definition: Definition{"replace", "text with every occurrence of a part replaced", []Parameter{
		{Name: "old", Description: "part to replace", Kind: KindValue, Required: true},
		{Name: "new", Description: "text to put in its place", Kind: KindValue, Required: true},
	}, false}, build: calling("replace", keyPlace, "old", "new")},
	{Definition: Definition{"instr", "place of a text in this one, counted from 1, or 0", []Parameter{
		{Name: "value", Description: "text to look for", Kind: KindValue, Required: true},
	}, false}, build: calling("instr", keyPlace, "value")},
	{Definition: Definition{"substr", "part of the text by SQLite's own counting", []Parameter{
		{Name: "start", Description: "first character, counted from 1, or from the end if negative", Kind: KindValue, Required: true},
		{Name: "length", Description: "number of characters, all if left out", Kind: KindValue},
	}, false}, build: calling("substr", keyPlace, "start", "length")},
	{Definition: Definition{"typeof", "storage class: null, integer, real, text or blob", nil, false}, build: calling("typeof", keyPlace)},
}

var characters = Parameter{Name: "characters", Description: "the characters to remove, spaces if left out", Kind: KindValue}

var choosingOperations = []operation{
	{Definition: Definition{"coalesce", "first of this and the values that is not NULL", []Parameter{
		{Name: "values", Description: "values to try after this one", Kind: KindValues, Required: true},
	}, false}, build: calling("coalesce", keyPlace, "values")},
	{Definition: Definition{"nullif", "NULL if equal to the value, this otherwise", []Parameter{
		{Name: "value", Description: "value to replace by NULL", Kind: KindValue, Required: true},
	}, false}, build: nullif},
	{Definition: Definition{"least", "smallest of this and the values, NULL if any is NULL", []Parameter{
		{Name: "values", Description: "the other values", Kind: KindValues, Required: true},
	}, false}, build: extremeOf(func(order int) bool { return order >= 0 })},
	{Definition: Definition{"greatest", "largest of this and the values, NULL if any is NULL", []Parameter{
		{Name: "values", Description: "the other values", Kind: KindValues, Required: true},
	}, false}, build: extremeOf(func(order int) bool { return order < 0 })},
	{Definition: Definition{"conditional", "one value where a condition on this one is true, another where it is not", []Parameter{
		{Name: "condition", Description: "condition on the value", Kind: KindText, Choices: conditionChoices(), Required: true},
		{Name: "value", Description: "what the condition compares with, as in filter_data", Kind: KindValues},
		{Name: "then", Description: "result where the condition is true", Kind: KindValue, Required: true},
		{Name: "else", Description: "result elsewhere, NULL if left out", Kind: KindValue},
		escape, collation,
	}, false}, build: conditional},
	{Definition: Definition{"constant", "the same value in every row; needs no key", []Parameter{
		{Name: "value", Description: "the value", Kind: KindValue, Required: true},
	}, false}, keyless: true, build: constant},
	{Definition: Definition{"cast", "value converted to a type, as CAST does", []Parameter{
		{Name: "type", Description: "type to convert to", Kind: KindText, Choices: castTypes, Required: true},
	}, false}, build: cast, field: castField},
	{Definition: Definition{"copy", "the same values under another key", nil, false}, build: copying, field: copyField},
	{Definition: Definition{"call", "result of another built-in scalar function of SQLite", []Parameter{
		{Name: "function", Description: "name of the function, e.g. printf", Kind: KindText, Required: true},
		{Name: "arguments", Description: "arguments besides the key's value", Kind: KindValues},
		{Name: "position", Description: "place of the key's value among the arguments, counted from 0", Kind: KindInteger, Default: 0},
	}, false}, build: function},
}

var (
	swap      = Parameter{Name: "swap", Description: "true to put the value before this one", Kind: KindBoolean, Default: false}
	escape    = Parameter{Name: "escape", Description: "escape character of like and not_like", Kind: KindText}
	collation = Parameter{Name: "collation", Description: "text comparison to use instead of the column's own", Kind: KindText, Choices: []Choice{
		{Name: "binary", Description: "byte by byte"},
		{Name: "nocase", Description: "ASCII letters are equal in either case"},
		{Name: "rtrim", Description: "spaces at the end do not count"},
	}}
)

var castTypes = []Choice{
	{Name: "integer", Description: "INTEGER"},
	{Name: "real", Description: "REAL"},
	{Name: "text", Description: "TEXT"},
	{Name: "numeric", Description: "INTEGER or REAL, whichever fits"},
	{Name: "blob", Description: "BLOB"},
}

// conditionOperations makes every condition an operation.
func conditionOperations() []operation {
	var out []operation
	for i := range conditions {
		c := &conditions[i]
		var params []Parameter
		switch c.shape {
		case shapeOne:
			params = []Parameter{{Name: "value", Description: "what to compare with", Kind: KindValue, Required: true}}
		case shapeList:
			params = []Parameter{{Name: "value", Description: "a list, or another result", Kind: KindValues, Required: true}}
		case shapePair:
			params = []Parameter{{Name: "value", Description: "[low, high]", Kind: KindValues, Required: true}}
		}
		if strings.HasSuffix(c.Name, "like") {
			params = append(params, escape)
		}
		if c.shape != shapeNone {
			params = append(params, collation)
		}
		out = append(out, operation{
			Definition: Definition{c.Name, "test that gives 1, 0 or NULL: " + c.Description, params, false},
			build:      c.kernel,
		})
	}
	return out
}

func arithmetic(name, description string, f func(a, b value.Value) value.Value) operation {
	return operation{
		Definition: Definition{name, description, []Parameter{
			{Name: "value", Description: "the other operand", Kind: KindValue, Required: true}, swap,
		}, false},
		build: func(b *binder) (kernel, error) {
			place, err := b.operand("value")
			if err != nil {
				return nil, err
			}
			swapped, err := b.flag("swap")
			return func(x value.Value, args []value.Value) (value.Value, error) {
				if swapped {
					return f(args[place], x), nil
				}
				return f(x, args[place]), nil
			}, err
		},
	}
}

func unary(name, description string, f func(value.Value) value.Value) operation {
	return operation{
		Definition: Definition{name, description, nil, false},
		build: func(*binder) (kernel, error) {
			return func(x value.Value, _ []value.Value) (value.Value, error) { return f(x), nil }, nil
		},
	}
}

func logical(name, description string, f func(a, b value.Truth) value.Truth) operation {
	return operation{
		Definition: Definition{name, description, []Parameter{
			{Name: "value", Description: "the other operand", Kind: KindValue, Required: true},
		}, false},
		build: func(b *binder) (kernel, error) {
			place, err := b.operand("value")
			return func(x value.Value, args []value.Value) (value.Value, error) {
				return f(value.TruthOf(x), value.TruthOf(args[place])).Value(), nil
			}, err
		},
	}
}

package tools

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// operation is one way to transform a column that TransformData knows. This
// table drives validation, execution and documentation.
type operation struct {
	Definition
	// keyless operations do not look at a column.
	keyless bool
	// numeric operations compute with numbers, and with texts as if they were.
	numeric bool
	build   func(*binder) (kernel, error)
	// field gives the result its affinity and collation; nil stands for the
	// result of a function, which has neither.
	field func(*binder) (Field, error)
}

// Numeric reports whether an operation computes with numbers, so that a text which is
// none counts as 0.
func (o Operation) Numeric() bool {
	op, err := findOperation(toolname.Transform, o)
	return err == nil && op.numeric
}

// operations lists the operations in the order in which they are documented.
var operations = slices.Concat(paperOperations, arithmeticOperations, textOperations, choosingOperations, jsonOperations, conditionOperations())

var paperOperations = []operation{
	{Definition: Definition{string(OpSubstring), "part of the text from one character to before another, both counted from 0", []Parameter{
		{Name: toolname.ArgStartIndex, Description: "first character, counted from 0", Kind: KindValue, Required: true, Paper: true},
		{Name: toolname.ArgEndIndex, Description: "character to stop before; the end of the text if left out", Kind: KindValue, Paper: true},
	}, true}, build: substring},
	{Definition: Definition{string(OpStrftime), "date or time written by a format such as %Y", []Parameter{
		{Name: toolname.ArgFormat, Description: "format of SQLite's strftime, e.g. %Y-%m", Kind: KindValue, Required: true, Paper: true},
		modifiers,
	}, true}, build: calling("strftime", toolname.ArgFormat, keyPlace, toolname.ArgModifiers)},
	{Definition: Definition{string(OpAbs), "absolute value", nil, true}, build: calling("abs", keyPlace)},
	{Definition: Definition{string(OpDateTime), "date and time, YYYY-MM-DD HH:MM:SS", []Parameter{modifiers}, true}, build: calling("datetime", keyPlace, toolname.ArgModifiers)},
	{Definition: Definition{string(OpDate), "date, YYYY-MM-DD", []Parameter{modifiers}, false}, build: calling("date", keyPlace, toolname.ArgModifiers)},
	{Definition: Definition{string(OpTime), "time, HH:MM:SS", []Parameter{modifiers}, false}, build: calling("time", keyPlace, toolname.ArgModifiers)},
	{Definition: Definition{string(OpJulianDay), "date as a REAL number of days", []Parameter{modifiers}, false}, build: calling("julianday", keyPlace, toolname.ArgModifiers)},
	{Definition: Definition{string(OpUnixEpoch), "date as seconds since 1970", []Parameter{modifiers}, false}, build: calling("unixepoch", keyPlace, toolname.ArgModifiers)},
}

var modifiers = Parameter{Name: toolname.ArgModifiers, Description: `SQLite's date modifiers, e.g. ["+1 day", "start of month"]`, Kind: KindValues}

var arithmeticOperations = []operation{
	arithmetic(OpAdd, "sum with the value", value.Add, addBlocks),
	arithmetic(OpSubtract, "difference from the value", value.Subtract, subtractBlocks),
	arithmetic(OpMultiply, "product with the value", value.Multiply, multiplyBlocks),
	arithmetic(OpDivide, "quotient by the value; two INTEGERs give an INTEGER, and division by zero gives NULL", value.Divide, divideBlocks),
	{Definition: Definition{string(OpRatio), "quotient by the value as a REAL, whatever the types; division by zero gives NULL", []Parameter{
		{Name: toolname.ArgValue, Description: "what to divide by", Kind: KindValue, Required: true},
		{Name: toolname.ArgScale, Description: "what to multiply by before dividing, e.g. 100 for a percentage", Kind: KindValue, Default: 1}, swap,
	}, false}, numeric: true, build: ratio},
	arithmetic(OpModulo, "remainder of the division by the value", value.Modulo, moduloBlocks),
	arithmetic(OpBitAnd, "bitwise and with the value", value.BitAnd, blockOperator{}),
	arithmetic(OpBitOr, "bitwise or with the value", value.BitOr, blockOperator{}),
	arithmetic(OpShiftLeft, "bits shifted left by the value", value.ShiftLeft, blockOperator{}),
	arithmetic(OpShiftRight, "bits shifted right by the value", value.ShiftRight, blockOperator{}),
	dyadic(OpConcat, "text followed by the text of the value", value.Concat, blockOperator{}),
	{Definition: Definition{string(OpNegate), "number with the other sign", nil, false}, build: negating},
	unary(OpBitNot, "bitwise complement", value.BitNot),
	unary(OpNot, "1 if the value is 0, 0 if it is another number", func(x value.Value) value.Value { return value.TruthOf(x).Not().Value() }),
	logical(OpAnd, "1 if this and the value are true", value.Truth.And),
	logical(OpOr, "1 if this or the value is true", value.Truth.Or),
	{Definition: Definition{string(OpRound), "number rounded to some digits, as a REAL", []Parameter{
		{Name: toolname.ArgDigits, Description: "digits after the point, 0 if left out", Kind: KindValue},
	}, false}, build: calling("round", keyPlace, toolname.ArgDigits)},
}

var textOperations = []operation{
	{Definition: Definition{string(OpUpper), "text with ASCII letters in upper case", nil, false}, build: calling("upper", keyPlace)},
	{Definition: Definition{string(OpLower), "text with ASCII letters in lower case", nil, false}, build: calling("lower", keyPlace)},
	{Definition: Definition{string(OpLength), "number of characters, of bytes for a BLOB", nil, false}, build: calling("length", keyPlace)},
	{Definition: Definition{string(OpTrim), "text without some characters at both ends", []Parameter{characters}, false}, build: calling("trim", keyPlace, toolname.ArgCharacters)},
	{Definition: Definition{string(OpLeftTrim), "text without some characters at the start", []Parameter{characters}, false}, build: calling("ltrim", keyPlace, toolname.ArgCharacters)},
	{Definition: Definition{string(OpRightTrim), "text without some characters at the end", []Parameter{characters}, false}, build: calling("rtrim", keyPlace, toolname.ArgCharacters)},
	{Definition: Definition{string(OpReplace), "text with every occurrence of a part replaced", []Parameter{
		{Name: toolname.ArgOld, Description: "part to replace", Kind: KindValue, Required: true},
		{Name: toolname.ArgNew, Description: "text to put in its place", Kind: KindValue, Required: true},
	}, false}, build: calling("replace", keyPlace, toolname.ArgOld, toolname.ArgNew)},
	{Definition: Definition{string(OpInstr), "place of a text in this one, counted from 1, or 0", []Parameter{
		{Name: toolname.ArgValue, Description: "text to look for", Kind: KindValue, Required: true},
	}, false}, build: calling("instr", keyPlace, toolname.ArgValue)},
	{Definition: Definition{string(OpSubstr), "part of the text by SQLite's own counting", []Parameter{
		{Name: toolname.ArgStart, Description: "first character, counted from 1, or from the end if negative", Kind: KindValue, Required: true},
		{Name: toolname.ArgLength, Description: "number of characters, all if left out", Kind: KindValue},
	}, false}, build: calling("substr", keyPlace, toolname.ArgStart, toolname.ArgLength)},
	{Definition: Definition{string(OpTypeOf), "storage class: null, integer, real, text or blob", nil, false}, build: calling("typeof", keyPlace)},
}

var characters = Parameter{Name: toolname.ArgCharacters, Description: "the characters to remove, spaces if left out", Kind: KindValue}

var choosingOperations = []operation{
	{Definition: Definition{string(OpCoalesce), "first of this and the values that is not NULL", []Parameter{
		{Name: toolname.ArgValues, Description: "values to try after this one", Kind: KindValues, Required: true},
	}, false}, build: calling("coalesce", keyPlace, toolname.ArgValues)},
	{Definition: Definition{string(OpNullIf), "NULL if equal to the value, this otherwise", []Parameter{
		{Name: toolname.ArgValue, Description: "value to replace by NULL", Kind: KindValue, Required: true},
	}, false}, build: nullif},
	{Definition: Definition{string(OpLeast), "smallest of this and the values, NULL if any is NULL", []Parameter{
		{Name: toolname.ArgValues, Description: "the other values", Kind: KindValues, Required: true},
	}, false}, build: extremeOf(func(order int) bool { return order >= 0 })},
	{Definition: Definition{string(OpGreatest), "largest of this and the values, NULL if any is NULL", []Parameter{
		{Name: toolname.ArgValues, Description: "the other values", Kind: KindValues, Required: true},
	}, false}, build: extremeOf(func(order int) bool { return order < 0 })},
	{Definition: Definition{string(OpConditional), "one value where a condition on this one is true, another where it is not", []Parameter{
		{Name: toolname.ArgCondition, Description: "condition on the value", Kind: KindText, Choices: conditionChoices(), Required: true},
		{Name: toolname.ArgValue, Description: "what the condition compares with, as in filter_data", Kind: KindValues},
		{Name: toolname.ArgThen, Description: "result where the condition is true", Kind: KindValue, Required: true},
		{Name: toolname.ArgElse, Description: "result elsewhere, NULL if left out", Kind: KindValue},
		escape, collation,
	}, false}, build: conditional},
	{Definition: Definition{string(OpConstant), "the same value in every row; needs no key", []Parameter{
		{Name: toolname.ArgValue, Description: "the value", Kind: KindValue, Required: true},
	}, false}, keyless: true, build: constant},
	{Definition: Definition{string(OpCast), "value converted to a type, as CAST does", []Parameter{
		{Name: toolname.ArgType, Description: "type to convert to", Kind: KindText, Choices: castTypes, Required: true},
	}, false}, build: cast, field: castField},
	{Definition: Definition{string(OpCopy), "the same values under another key", nil, false}, build: copying, field: copyField},
	{Definition: Definition{string(OpCollate), "the same values, whose texts are compared in another way from here on", []Parameter{
		{Name: toolname.ArgCollation, Description: "text comparison to use instead of the column's own", Kind: KindText, Choices: collations, Required: true},
	}, false}, build: copying, field: collateField},
	{Definition: Definition{string(OpCall), "result of another built-in scalar function of SQLite", []Parameter{
		{Name: toolname.ArgFunction, Description: "name of the function, e.g. printf", Kind: KindText, Required: true},
		{Name: toolname.ArgArguments, Description: "arguments besides the key's value", Kind: KindValues},
		{Name: toolname.ArgPosition, Description: "place of the key's value among the arguments, counted from 0", Kind: KindInteger, Default: 0},
		{Name: toolname.ArgJSON, Description: "places of the arguments that are JSON and no mere text, for functions such as json_array", Kind: KindValues},
	}, false}, build: function},
}

var jsonOperations = []operation{
	{Definition: Definition{string(OpJSONExtract), "part of a JSON text: a value as such, an array or object as JSON, NULL if there is none; of several paths a JSON array", []Parameter{
		{Name: toolname.ArgPath, Description: `path, e.g. "$.name", "$.list[0]", "$.list[#-1]"; several in a list`, Kind: KindValues, Required: true},
	}, false}, build: calling("json_extract", keyPlace, toolname.ArgPath)},
	{Definition: Definition{string(OpJSONQuery), "part of a JSON text, as JSON", []Parameter{jsonPath}, false}, build: calling("->", keyPlace, toolname.ArgPath)},
	{Definition: Definition{string(OpJSONValue), "part of a JSON text, as a value; an array or object as JSON", []Parameter{jsonPath}, false}, build: calling("->>", keyPlace, toolname.ArgPath)},
}

var jsonPath = Parameter{Name: toolname.ArgPath, Description: `path, e.g. "$.list[0]", or a name or an index alone`, Kind: KindValue, Required: true}

var (
	swap      = Parameter{Name: toolname.ArgSwap, Description: "true to put the value before this one", Kind: KindBoolean, Default: false}
	escape    = Parameter{Name: toolname.ArgEscape, Description: "escape character of like and not_like", Kind: KindText}
	collation = Parameter{Name: toolname.ArgCollation, Description: "text comparison to use instead of the column's own", Kind: KindText, Choices: collations}
)

var collations = []Choice{
	{Name: string(CollateBinary), Description: "byte by byte"},
	{Name: string(CollateNoCase), Description: "ASCII letters are equal in either case"},
	{Name: string(CollateRTrim), Description: "spaces at the end do not count"},
}

var castTypes = []Choice{
	{Name: CastInteger, Description: "whole number, cut off at the point"},
	{Name: CastReal, Description: "floating-point number"},
	{Name: CastText, Description: "text"},
	{Name: CastNumeric, Description: "whole or floating-point number, whichever fits"},
	{Name: CastBlob, Description: "bytes"},
}

// conditionOperations makes every condition an operation.
func conditionOperations() []operation {
	var out []operation
	for i := range conditions {
		c := &conditions[i]
		var params []Parameter
		switch c.shape {
		case shapeOne:
			params = []Parameter{{Name: toolname.ArgValue, Description: "what to compare with", Kind: KindValue, Required: true}}
		case shapeList:
			params = []Parameter{{Name: toolname.ArgValue, Description: "a list, or another result", Kind: KindValues, Required: true}}
		case shapePair:
			params = []Parameter{{Name: toolname.ArgValue, Description: "[low, high]", Kind: KindValues, Required: true}}
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

// arithmetic makes an operation of an operator on two numbers.
func arithmetic(name Operation, description string, f func(a, b value.Value) value.Value, blocks blockOperator) operation {
	out := dyadic(name, description, f, blocks)
	out.numeric = true
	return out
}

// dyadic makes an operation of an operator on two values. blocks is the same on blocks
// of numbers, or nothing.
func dyadic(name Operation, description string, f func(a, b value.Value) value.Value, blocks blockOperator) operation {
	return operation{
		Definition: Definition{string(name), description, []Parameter{
			{Name: toolname.ArgValue, Description: "the other operand", Kind: KindValue, Required: true}, swap,
		}, false},
		build: func(b *binder) (kernel, error) {
			place, err := b.operand(toolname.ArgValue)
			if err != nil {
				return nil, err
			}
			swapped, err := b.flag(toolname.ArgSwap)
			if blocks.ints != nil {
				b.expr.typed = &calculation{blocks, place, swapped}
			}
			return func(x value.Value, args []value.Value) (value.Value, error) {
				if swapped {
					return f(args[place], x), nil
				}
				return f(x, args[place]), nil
			}, err
		},
	}
}

func unary(name Operation, description string, f func(value.Value) value.Value) operation {
	return operation{
		Definition: Definition{string(name), description, nil, false},
		build: func(*binder) (kernel, error) {
			return func(x value.Value, _ []value.Value) (value.Value, error) { return f(x), nil }, nil
		},
	}
}

// negating builds 0 - x, which value.Negate is.
func negating(b *binder) (kernel, error) {
	b.expr.typed = &calculation{subtractBlocks, -1, true}
	return func(x value.Value, _ []value.Value) (value.Value, error) { return value.Negate(x), nil }, nil
}

func logical(name Operation, description string, f func(a, b value.Truth) value.Truth) operation {
	return operation{
		Definition: Definition{string(name), description, []Parameter{
			{Name: toolname.ArgValue, Description: "the other operand", Kind: KindValue, Required: true},
		}, false},
		build: func(b *binder) (kernel, error) {
			place, err := b.operand(toolname.ArgValue)
			return func(x value.Value, args []value.Value) (value.Value, error) {
				return f(value.TruthOf(x), value.TruthOf(args[place])).Value(), nil
			}, err
		},
	}
}

package vocabulary

import (
	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Operation is what planning knows of an operation of the tools. The zero values suit
// an operation that SQL has no function or operator for, and that is named by its own
// name.
type Operation struct {
	Op tools.Operation
	// Function is SQL's function that it is, by its canonical name. The operation's
	// parameters are the function's arguments in their order, without the argument at
	// the place Key, which is the column.
	Function string
	Key      int
	// Operator is SQL's operator of two values that it is, Compute what that gives of
	// constants. Commutes is set if the sides can be exchanged.
	Operator sqltree.Op
	Compute  func(a, b value.Value) value.Value
	Commutes bool
	// Suffix is said in a name behind that of the column, Infix between the names of two
	// operands.
	Suffix, Infix string
	// Construct is what SQL calls it.
	Construct string
	// Total is set if it fails for no value, as far as rewriting makes use of that.
	Total bool
}

const arithmetic = "arithmetic"

// operations lists all operations of the tools but the conditions. A test holds it
// against their definitions.
var operations = []Operation{
	{Op: tools.OpSubstring, Total: true},
	{Op: tools.OpStrftime, Function: "strftime", Key: 1, Total: true},
	{Op: tools.OpAbs, Function: "abs", Suffix: "absolute"},
	{Op: tools.OpDateTime, Function: "datetime", Suffix: "as_datetime"},
	{Op: tools.OpDate, Function: "date", Suffix: "as_date"},
	{Op: tools.OpTime, Function: "time", Suffix: "as_time"},
	{Op: tools.OpJulianDay, Function: "julianday", Suffix: "day_number"},
	{Op: tools.OpUnixEpoch, Function: "unixepoch", Suffix: "seconds"},

	{Op: tools.OpAdd, Operator: sqltree.Add, Compute: value.Add, Commutes: true, Infix: "plus", Construct: arithmetic, Total: true},
	{Op: tools.OpSubtract, Operator: sqltree.Subtract, Compute: value.Subtract, Infix: "minus", Construct: arithmetic, Total: true},
	{Op: tools.OpMultiply, Operator: sqltree.Multiply, Compute: value.Multiply, Commutes: true, Infix: "times", Construct: arithmetic, Total: true},
	{Op: tools.OpDivide, Operator: sqltree.Divide, Compute: value.Divide, Infix: "per", Construct: arithmetic, Total: true},
	{Op: tools.OpRatio, Infix: "per", Construct: arithmetic, Total: true},
	{Op: tools.OpModulo, Operator: sqltree.Modulo, Compute: value.Modulo, Infix: "modulo", Construct: arithmetic},
	{Op: tools.OpBitAnd, Operator: sqltree.BitAnd, Compute: value.BitAnd},
	{Op: tools.OpBitOr, Operator: sqltree.BitOr, Compute: value.BitOr},
	{Op: tools.OpShiftLeft, Operator: sqltree.ShiftLeft, Compute: value.ShiftLeft},
	{Op: tools.OpShiftRight, Operator: sqltree.ShiftRight, Compute: value.ShiftRight},
	{Op: tools.OpConcat, Operator: sqltree.Concat, Compute: value.Concat, Infix: "with", Construct: "||"},
	{Op: tools.OpNegate, Suffix: "negated", Construct: arithmetic},
	{Op: tools.OpBitNot},
	{Op: tools.OpNot, Suffix: "is_false"},
	{Op: tools.OpAnd, Infix: "and"},
	{Op: tools.OpOr, Infix: "or"},
	{Op: tools.OpRound, Function: "round", Suffix: "rounded"},

	{Op: tools.OpUpper, Function: "upper", Suffix: "upper", Total: true},
	{Op: tools.OpLower, Function: "lower", Suffix: "lower", Total: true},
	{Op: tools.OpLength, Function: "length", Suffix: "length", Total: true},
	{Op: tools.OpTrim, Function: "trim", Suffix: "trimmed", Total: true},
	{Op: tools.OpLeftTrim, Function: "ltrim", Suffix: "trimmed"},
	{Op: tools.OpRightTrim, Function: "rtrim", Suffix: "trimmed"},
	{Op: tools.OpReplace, Function: "replace", Suffix: "replaced"},
	{Op: tools.OpInstr, Function: "instr", Total: true},
	{Op: tools.OpSubstr, Function: "substr", Total: true},
	{Op: tools.OpTypeOf, Function: "typeof", Suffix: "type"},

	{Op: tools.OpCoalesce, Function: "coalesce", Infix: "or"},
	{Op: tools.OpNullIf, Function: "nullif", Infix: "unless"},
	{Op: tools.OpLeast, Function: "min", Infix: "or_least"},
	{Op: tools.OpGreatest, Function: "max", Infix: "or_greatest"},
	{Op: tools.OpConditional, Construct: "CASE"},
	{Op: tools.OpConstant, Construct: "constant or subquery as a column"},
	{Op: tools.OpCast, Construct: "CAST", Total: true},
	{Op: tools.OpCopy, Suffix: "copy"},
	{Op: tools.OpCollate, Suffix: "compared"},
	{Op: tools.OpCall},

	{Op: tools.OpJSONExtract, Function: "json_extract"},
	{Op: tools.OpJSONQuery, Function: string(sqltree.Arrow)},
	{Op: tools.OpJSONValue, Function: string(sqltree.LongArrow)},
}

var (
	byOp       = index(operations, func(o *Operation) tools.Operation { return o.Op })
	byFunction = index(operations, func(o *Operation) string { return o.Function })
	byOperator = index(operations, func(o *Operation) sqltree.Op { return o.Operator })
	parameters = func() map[tools.Operation][]tools.Parameter {
		out := map[tools.Operation][]tools.Parameter{}
		for _, d := range tools.Operations() {
			out[tools.Operation(d.Name)] = d.Parameters
		}
		return out
	}()
)

// index finds rows by what key returns of them, unless that is empty.
func index[R any, K ~string](rows []R, key func(*R) K) map[K]*R {
	out := map[K]*R{}
	for i := range rows {
		if k := key(&rows[i]); k != "" {
			out[k] = &rows[i]
		}
	}
	return out
}

// Of returns what is known of an operation, and an empty Operation of a condition.
func Of(op tools.Operation) Operation {
	if o := byOp[op]; o != nil {
		return *o
	}
	return Operation{Op: op}
}

// OfFunction returns the operation that a function of SQL is, if it is one.
func OfFunction(name string) (Operation, bool) { return found(byFunction[sqlfunc.Canonical(name)]) }

// OfOperator returns the operation that an operator of two values is, if it is one.
func OfOperator(op sqltree.Op) (Operation, bool) { return found(byOperator[op]) }

func found(o *Operation) (Operation, bool) {
	if o == nil {
		return Operation{}, false
	}
	return *o, true
}

// Parameters are those of the operation's definition.
func (o Operation) Parameters() []tools.Parameter { return parameters[o.Op] }

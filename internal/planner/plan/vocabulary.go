package plan

import (
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
)

// These tables say which of the tools' words SQL's stand for. A test holds them
// against the tools' definitions.

// opposite gives, for each condition, the one that is TRUE where it is FALSE.
// Both are NULL together; the tests of NULL and truth are never NULL.
var opposite = map[tools.Condition]tools.Condition{
	tools.Equal: tools.NotEqual, tools.NotEqual: tools.Equal,
	tools.Less: tools.GreaterOrEqual, tools.GreaterOrEqual: tools.Less,
	tools.Greater: tools.LessOrEqual, tools.LessOrEqual: tools.Greater,
	tools.Like: tools.NotLike, tools.NotLike: tools.Like,
	tools.Glob: tools.NotGlob, tools.NotGlob: tools.Glob,
	tools.In: tools.NotIn, tools.NotIn: tools.In,
	tools.Between: tools.NotBetween, tools.NotBetween: tools.Between,
	tools.IsNull: tools.IsNotNull, tools.IsNotNull: tools.IsNull,
	tools.Is: tools.IsNot, tools.IsNot: tools.Is,
	tools.IsTrue: tools.IsFalse, tools.IsFalse: tools.IsTrue,
}

// mirrored gives, for each comparison, the one that holds with its sides
// exchanged.
var mirrored = map[tools.Condition]tools.Condition{
	tools.Equal: tools.Equal, tools.NotEqual: tools.NotEqual, tools.Is: tools.Is, tools.IsNot: tools.IsNot,
	tools.Less: tools.Greater, tools.Greater: tools.Less,
	tools.LessOrEqual: tools.GreaterOrEqual, tools.GreaterOrEqual: tools.LessOrEqual,
}

// comparisons maps SQL's operators to conditions.
var comparisons = map[sqltree.Op]tools.Condition{
	sqltree.Equal: tools.Equal, sqltree.NotEqual: tools.NotEqual,
	sqltree.Less: tools.Less, sqltree.LessEq: tools.LessOrEqual,
	sqltree.Greater: tools.Greater, sqltree.GreaterEq: tools.GreaterOrEqual,
	sqltree.Is: tools.Is, sqltree.IsNot: tools.IsNot,
}

// patterns maps LIKE and GLOB to conditions.
var patterns = map[sqltree.Op]tools.Condition{sqltree.Like: tools.Like, sqltree.Glob: tools.Glob}

// arithmetic maps SQL's value operators to operations.
var arithmetic = map[sqltree.Op]tools.Operation{
	sqltree.Add: tools.OpAdd, sqltree.Subtract: tools.OpSubtract, sqltree.Multiply: tools.OpMultiply,
	sqltree.Divide: tools.OpDivide, sqltree.Modulo: tools.OpModulo,
	sqltree.BitAnd: tools.OpBitAnd, sqltree.BitOr: tools.OpBitOr,
	sqltree.ShiftLeft: tools.OpShiftLeft, sqltree.ShiftRight: tools.OpShiftRight, sqltree.Concat: tools.OpConcat,
}

// aggregations maps SQL's aggregate functions to aggregations.
var aggregations = map[string]tools.Aggregation{
	"count": tools.Count, "sum": tools.Sum, "total": tools.Total, "avg": tools.Mean,
	"min": tools.Min, "max": tools.Max, "group_concat": tools.Concat, "string_agg": tools.Concat,
}

// windowFunctions maps SQL's window functions (windowfunctions.html, section
// 3); the aggregate functions may stand there too.
var windowFunctions = map[string]tools.WindowFunction{
	"row_number": tools.RowNumber, "rank": tools.Rank, "dense_rank": tools.DenseRank,
	"percent_rank": tools.PercentRank, "cume_dist": tools.CumeDist, "ntile": tools.NTile,
	"lag": tools.Lag, "lead": tools.Lead,
	"first_value": tools.FirstValue, "last_value": tools.LastValue, "nth_value": tools.NthValue,
	"count": tools.WindowCount, "sum": tools.WindowSum, "total": tools.WindowTotal, "avg": tools.WindowMean,
	"min": tools.WindowMin, "max": tools.WindowMax, "group_concat": tools.WindowConcat, "string_agg": tools.WindowConcat,
}

// windowArguments names what follows the first argument of a window function.
var windowArguments = map[tools.WindowFunction][]string{
	tools.Lag: {toolname.ArgOffset, toolname.ArgDefault}, tools.Lead: {toolname.ArgOffset, toolname.ArgDefault}, tools.NthValue: {toolname.ArgOffset},
}

// scalarFunction is an operation that a function of SQL's is, with the names of
// the arguments after the first. A final "*" takes the rest as a list.
type scalarFunction struct {
	op    tools.Operation
	names []string
}

// scalarFunctions are the functions that are operations of their own. The
// others are called by their names.
var scalarFunctions = map[string]scalarFunction{
	"abs": {tools.OpAbs, nil}, "upper": {tools.OpUpper, nil}, "lower": {tools.OpLower, nil},
	"length": {tools.OpLength, nil}, "typeof": {tools.OpTypeOf, nil},
	"trim":  {tools.OpTrim, []string{toolname.ArgCharacters}},
	"ltrim": {tools.OpLeftTrim, []string{toolname.ArgCharacters}}, "rtrim": {tools.OpRightTrim, []string{toolname.ArgCharacters}},
	"replace": {tools.OpReplace, []string{toolname.ArgOld, toolname.ArgNew}}, "instr": {tools.OpInstr, []string{toolname.ArgValue}},
	"round": {tools.OpRound, []string{toolname.ArgDigits}}, "nullif": {tools.OpNullIf, []string{toolname.ArgValue}},
	"coalesce": {tools.OpCoalesce, []string{"*" + toolname.ArgValues}}, "ifnull": {tools.OpCoalesce, []string{"*" + toolname.ArgValues}},
	"min": {tools.OpLeast, []string{"*" + toolname.ArgValues}}, "max": {tools.OpGreatest, []string{"*" + toolname.ArgValues}},
	"substr": {tools.OpSubstr, []string{toolname.ArgStart, toolname.ArgLength}}, "substring": {tools.OpSubstr, []string{toolname.ArgStart, toolname.ArgLength}},
	"date": {tools.OpDate, []string{"*" + toolname.ArgModifiers}}, "time": {tools.OpTime, []string{"*" + toolname.ArgModifiers}},
	"datetime": {tools.OpDateTime, []string{"*" + toolname.ArgModifiers}}, "julianday": {tools.OpJulianDay, []string{"*" + toolname.ArgModifiers}},
	"unixepoch":    {tools.OpUnixEpoch, []string{"*" + toolname.ArgModifiers}},
	"json_extract": {tools.OpJSONExtract, []string{"*" + toolname.ArgPath}},
	"->":           {tools.OpJSONQuery, []string{toolname.ArgPath}}, "->>": {tools.OpJSONValue, []string{toolname.ArgPath}},
}

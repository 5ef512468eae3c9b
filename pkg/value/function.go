package value

import (
	"fmt"
	"math"
	"time"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// MaxLength is the largest number of bytes that a function here returns as one
// text or blob. SQLite's own limit, a thousand million, would let one call
// fill the memory.
const MaxLength = 64 << 20

// maxArguments is SQLite's limit on the arguments of one call.
const maxArguments = 1000

// UnknownFunctionError says that SQLite has no deterministic scalar function,
// or no aggregate, of that name that takes so many arguments.
type UnknownFunctionError struct {
	Name string // as written
	Args int    // how many were given; -1 for an aggregate
}

func (e *UnknownFunctionError) Error() string {
	if e.Args < 0 {
		return fmt.Sprintf("no aggregate function %s: use one of SQLite's or std", e.Name)
	}
	return fmt.Sprintf("no function %s with %d arguments: use a deterministic built-in of SQLite with the arguments it takes", e.Name, e.Args)
}

// FunctionError is the error with which SQLite, too, stops at a call.
type FunctionError struct {
	Name    string // of the function
	Message string // SQLite's message
}

func (e *FunctionError) Error() string { return e.Name + "(): " + e.Message }

// builtin is a function: the number of arguments it takes and what it does.
// now stands for the time at which the statement runs.
type builtin struct {
	minArgs, maxArgs int
	run              func(args []Value, now time.Time) (Value, error)
}

// Call returns the value of a built-in scalar function of SQLite
// (lang_corefunc.html, lang_mathfunc.html, lang_datefunc.html). The name may
// be in any case. now, to the millisecond, is what 'now', the date functions
// without arguments and current_timestamp stand for; local time is UTC here.
//
// min, max and nullif compare texts as Binary does: a caller with another
// collation uses Compare itself. The trigonometric functions, exp, the
// logarithms and powers come from package math, whose last binary digits can
// differ from those of the C library.
//
// The error is an *UnknownFunctionError or a *FunctionError.
func Call(name string, args []Value, now time.Time) (Value, error) {
	b, ok := builtins[spelling.Lower(name)]
	if !ok || len(args) < b.minArgs || len(args) > b.maxArgs {
		return Value{}, &UnknownFunctionError{Name: name, Args: len(args)}
	}
	v, err := b.run(args, now)
	if err != nil {
		return Value{}, err
	}
	if len(v.str) > MaxLength {
		return Value{}, tooBig(spelling.Lower(name))
	}
	return v, nil
}

// Known reports whether Call has a function of that name, in any case, that
// takes nargs arguments.
func Known(name string, nargs int) bool {
	b, ok := builtins[spelling.Lower(name)]
	return ok && nargs >= b.minArgs && nargs <= b.maxArgs
}

func tooBig(name string) error {
	return &FunctionError{Name: name, Message: "string or blob too big"}
}

// The constructors of builtins for the common signatures.

func unary(f func(Value) Value) builtin {
	return pure(1, 1, func(args []Value) Value { return f(args[0]) })
}

func binary(f func(a, b Value) Value) builtin {
	return pure(2, 2, func(args []Value) Value { return f(args[0], args[1]) })
}

func pure(minArgs, maxArgs int, f func([]Value) Value) builtin {
	return fallible(minArgs, maxArgs, func(args []Value) (Value, error) { return f(args), nil })
}

func fallible(minArgs, maxArgs int, f func([]Value) (Value, error)) builtin {
	return builtin{minArgs, maxArgs, func(args []Value, _ time.Time) (Value, error) { return f(args) }}
}

func timed(minArgs, maxArgs int, f func([]Value, time.Time) Value) builtin {
	return builtin{minArgs, maxArgs, func(args []Value, now time.Time) (Value, error) { return f(args, now), nil }}
}

var builtins = map[string]builtin{
	// Choosing among values.
	"coalesce":   pure(2, maxArguments, coalesce),
	"ifnull":     pure(2, 2, coalesce),
	"iif":        pure(2, maxArguments, iif),
	"if":         pure(2, maxArguments, iif),
	"likelihood": pure(2, 2, first),
	"likely":     pure(1, 1, first),
	"unlikely":   pure(1, 1, first),
	"max":        pure(2, maxArguments, largest),
	"min":        pure(2, maxArguments, smallest),
	"nullif":     binary(nullIf),
	"typeof":     unary(func(v Value) Value { return Str(v.kind.String()) }),

	// Text.
	"concat":       fallible(1, maxArguments, concat),
	"concat_ws":    fallible(2, maxArguments, concatWithSeparator),
	"format":       fallible(0, maxArguments, printf),
	"glob":         fallible(2, 2, globFunction),
	"instr":        binary(instr),
	"length":       unary(length),
	"like":         fallible(2, 3, likeFunction),
	"lower":        unary(mapBytes(lower)),
	"ltrim":        pure(1, 2, trimmer(true, false)),
	"octet_length": unary(octetLength),
	"printf":       fallible(0, maxArguments, printf),
	"replace":      fallible(3, 3, replace),
	"rtrim":        pure(1, 2, trimmer(false, true)),
	"substr":       pure(2, 3, substr),
	"substring":    pure(2, 3, substr),
	"trim":         pure(1, 2, trimmer(true, true)),
	"upper":        unary(mapBytes(upper)),

	// Encodings of text and blobs.
	"char":         pure(0, maxArguments, char),
	"hex":          unary(hexText),
	"quote":        unary(func(v Value) Value { return Str(quote(v, false)) }),
	"soundex":      unary(soundex),
	"unhex":        pure(1, 2, unhex),
	"unicode":      unary(unicode),
	"unistr":       fallible(1, 1, unistr),
	"unistr_quote": unary(func(v Value) Value { return Str(quote(v, true)) }),
	"zeroblob":     fallible(1, 1, zeroblob),

	// Numbers.
	"abs":     fallible(1, 1, abs),
	"acos":    math1(math.Acos),
	"acosh":   math1(math.Acosh),
	"asin":    math1(math.Asin),
	"asinh":   math1(math.Asinh),
	"atan":    math1(math.Atan),
	"atan2":   math2(math.Atan2),
	"atanh":   math1(math.Atanh),
	"ceil":    unary(whole(math.Ceil)),
	"ceiling": unary(whole(math.Ceil)),
	"cos":     math1(math.Cos),
	"cosh":    math1(math.Cosh),
	"degrees": math1(func(x float64) float64 { return x * (180 / math.Pi) }),
	"exp":     math1(math.Exp),
	"floor":   unary(whole(math.Floor)),
	"ln":      logarithm(ln),
	"log":     pure(1, 2, logFunction),
	"log10":   logarithm(log10),
	"log2":    logarithm(math.Log2),
	"mod":     math2(math.Mod),
	"pi":      pure(0, 0, func([]Value) Value { return Float(math.Pi) }),
	"pow":     math2(pow),
	"power":   math2(pow),
	"radians": math1(func(x float64) float64 { return x * (math.Pi / 180) }),
	"round":   pure(1, 2, round),
	"sign":    unary(sign),
	"sin":     math1(math.Sin),
	"sinh":    math1(math.Sinh),
	"sqrt":    math1(math.Sqrt),
	"tan":     math1(math.Tan),
	"tanh":    math1(math.Tanh),
	"trunc":   unary(whole(math.Trunc)),

	// JSON.
	"->":                jsonFunction("->", 2, 2, 2, jsonArrow((*jsonCall).text)),
	"->>":               jsonFunction("->>", 2, 2, 2, jsonArrow((*jsonCall).value)),
	"json":              jsonFunction("json", 1, 1, 1, jsonRemove),
	"json_array":        fallible(0, maxArguments, jsonMakeArray),
	"json_array_length": jsonFunction("json_array_length", 1, 1, 2, jsonArrayLength),
	"json_extract":      jsonFunction("json_extract", 0, 2, maxArguments, jsonExtract),
	"json_insert":       jsonFunction("json_insert", 1, 1, maxArguments, jsonPut(editInsert)),
	"json_object":       fallible(0, maxArguments, jsonMakeObject),
	"json_patch":        jsonFunction("json_patch", 2, 2, 2, jsonPatch),
	"json_quote":        fallible(1, 1, jsonQuote),
	"json_remove":       jsonFunction("json_remove", 0, 1, maxArguments, jsonRemove),
	"json_replace":      jsonFunction("json_replace", 1, 1, maxArguments, jsonPut(editReplace)),
	"json_set":          jsonFunction("json_set", 1, 1, maxArguments, jsonPut(editSet)),
	"json_type":         jsonFunction("json_type", 1, 1, 2, jsonType),
	"json_valid":        fallible(1, 2, jsonValid),

	// Dates and times.
	"current_date":      timed(0, 0, dateFunction),
	"current_time":      timed(0, 0, timeFunction),
	"current_timestamp": timed(0, 0, datetimeFunction),
	"date":              timed(0, maxArguments, dateFunction),
	"datetime":          timed(0, maxArguments, datetimeFunction),
	"julianday":         timed(0, maxArguments, juliandayFunction),
	"strftime":          timed(0, maxArguments, strftime),
	"time":              timed(0, maxArguments, timeFunction),
	"timediff":          timed(2, 2, timediff),
	"unixepoch":         timed(0, maxArguments, unixepochFunction),
}

func first(args []Value) Value { return args[0] }

func coalesce(args []Value) Value {
	for _, v := range args {
		if v.kind != Null {
			return v
		}
	}
	return Value{}
}

// iif takes pairs of a condition and a value and, last, the value for when no
// condition is true.
func iif(args []Value) Value {
	i := 0
	for ; i+1 < len(args); i += 2 {
		if TruthOf(args[i]) == True {
			return args[i+1]
		}
	}
	if i < len(args) {
		return args[i]
	}
	return Value{}
}

func largest(args []Value) Value {
	return best(args, func(old, next Value) bool { return Compare(old, next, Binary) < 0 })
}

// smallest prefers the last of equal values, which may differ in class.
func smallest(args []Value) Value {
	return best(args, func(old, next Value) bool { return Compare(old, next, Binary) >= 0 })
}

func best(args []Value, replaces func(old, next Value) bool) Value {
	result := args[0]
	for _, v := range args {
		if v.kind == Null {
			return v
		}
	}
	for _, v := range args[1:] {
		if replaces(result, v) {
			result = v
		}
	}
	return result
}

func nullIf(a, b Value) Value {
	if Compare(a, b, Binary) == 0 {
		return Value{}
	}
	return a
}

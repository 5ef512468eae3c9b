package scalars

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/birdcall/birdcall/pkg/value"
)

// MaxText is how many bytes an argument that is a text may have.
const MaxText = 8 << 10

// Type is what an argument or a result is.
type Type string

// The types. A Number is INTEGER or REAL; what is behind its point is left out.
const (
	Text    Type = "text"
	Number  Type = "number"
	Boolean Type = "boolean" // INTEGER, 1 or 0
	Integer Type = "integer"
	Real    Type = "real"
)

// Function is one of the functions, over values of SQL.
type Function struct {
	Name        string
	Summary     string // one line
	Description string // the exact definition
	Args        []Value
	Result      Value

	of func(args []value.Value) (value.Value, error)
}

// Value describes an argument or a result.
type Value struct {
	Name        string
	Description string
	Type        Type
}

// ArgumentError says what is wrong with an argument.
type ArgumentError struct {
	Function, Argument, Reason, Hint string
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("%s: %s: %s; %s", e.Function, e.Argument, e.Reason, e.Hint)
}

// Call computes the function. NULL among the arguments makes the result NULL, and so
// does a place that is not known. The error is an *ArgumentError.
func (f *Function) Call(args ...value.Value) (value.Value, error) {
	if len(args) != len(f.Args) {
		return value.NullValue(), f.wrong(f.Args[0].Name, fmt.Sprintf("there are %d arguments", len(args)), fmt.Sprintf("give %d", len(f.Args)))
	}
	for i, v := range args {
		if v.IsNull() {
			return v, nil
		}
		if err := f.check(f.Args[i], v); err != nil {
			return value.NullValue(), err
		}
	}
	v, err := f.of(args)
	if errors.Is(err, ErrDivisor) {
		return value.NullValue(), f.wrong("divisor", "it is 0, which divides nothing", "give another number")
	}
	return v, err
}

// check reports what is wrong with one argument.
func (f *Function) check(a Value, v value.Value) error {
	switch {
	case a.Type == Text && v.Kind() != value.Text:
		return f.wrong(a.Name, "it is no text", "give a text")
	case a.Type == Text && len(v.Raw()) > MaxText:
		return f.wrong(a.Name, fmt.Sprintf("it has %d bytes", len(v.Raw())), fmt.Sprintf("give at most %d", MaxText))
	case a.Type == Text && !utf8.ValidString(v.Raw()):
		return f.wrong(a.Name, "it is not UTF-8", "give a text in UTF-8")
	case a.Type == Number && v.Kind() != value.Integer && v.Kind() != value.Real:
		return f.wrong(a.Name, "it is no number", "give a number such as 7 or 7.5")
	case a.Type == Number && v.Kind() == value.Real && !fits(v.Float64()):
		return f.wrong(a.Name, "it is beyond what 64 bits hold", "give a number from "+strconv.FormatInt(math.MinInt64, 10)+" to "+strconv.FormatInt(math.MaxInt64, 10))
	}
	return nil
}

func (f *Function) wrong(argument, reason, hint string) error {
	return &ArgumentError{f.Name, argument, reason, hint}
}

// fits reports whether the whole part of a number has 64 bits.
func fits(x float64) bool { return x >= math.MinInt64 && x < -math.MinInt64 }

// whole returns a number without what is behind its point.
func whole(v value.Value) int64 {
	if v.Kind() == value.Real {
		return int64(v.Float64())
	}
	return v.Int64()
}

// Named returns the function of that name, or nil.
func Named(name string) *Function {
	for i := range functions {
		if functions[i].Name == name {
			return &functions[i]
		}
	}
	return nil
}

// Functions returns all functions, in a fixed order.
func Functions() []*Function {
	all := make([]*Function, len(functions))
	for i := range functions {
		all[i] = &functions[i]
	}
	return all
}

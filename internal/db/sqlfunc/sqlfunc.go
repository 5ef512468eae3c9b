// Package sqlfunc lists the functions of SQL: the class of each, the type of its
// result, whether it reads the clock, and in which respects its result is not
// determined. Package value computes the functions.
//
// It belongs to the databases, since package sqlite needs it as well as the planner
// and the endpoints.
package sqlfunc

import (
	"strings"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// Function is a function of SQL. The zero value is one that the database does not have.
type Function struct {
	Name string // in lower case
	// canonical is the name that is used for a function with several names.
	canonical string
	Class     Class
	// MinArgs and MaxArgs bound the arguments of an aggregate function of SQLite, since
	// min and max are scalar functions of more; a MaxArgs of 0 is no bound.
	MinArgs, MaxArgs int
	Aggregate        AggregateKind
	Result           Result
	Clock            Clock
	Volatility       Volatility
	// PassesOn is set if the result is one of the arguments, unchanged.
	PassesOn bool
	// BreaksTies is set for a window function whose result differs between rows that
	// are equal in what the window is sorted by.
	BreaksTies bool
}

// Class is a set of the roles that a function has.
type Class uint8

// The classes. Every aggregate function is a window function, too; Window is for those
// that are nothing else.
const (
	Scalar Class = 1 << iota
	Aggregate
	Window
	TableValued
)

// AggregateKind says what the result of an aggregate function depends on besides the
// set of values.
type AggregateKind uint8

// The kinds of aggregates.
const (
	NoAggregate AggregateKind = iota
	OfValues                  // nothing else
	Summing                   // the order of the rows if the values are REAL
	Extreme                   // which of several equal values is taken
	Collecting                // the order of the rows
	Arbitrary                 // which row comes first
)

// Result is the type of a function's result other than NULL, as far as the function
// alone determines it.
type Result uint8

// The results.
const (
	AnyType Result = iota
	Integer
	Real
	Text
	FirstArgument // the type of the first argument
	Sum           // a number; an integer if the first argument is one
)

// Clock says how a function reads the clock.
type Clock uint8

// The ways to read the clock.
const (
	NoClock     Clock = iota
	AlwaysClock       // in every call
	ClockFirst        // where the first argument means now or is missing
	ClockSecond       // where the second argument does
)

// Volatility says whether equal calls give equal results.
type Volatility uint8

// The volatilities.
const (
	Deterministic  Volatility = iota
	OfTheStatement            // within one statement on one connection
	Random                    // never
)

// SQLite returns SQLite's function of a name, in any case.
func SQLite(name string) Function { return sqlite[spelling.Lower(name)] }

// Postgres returns Postgres' function of a lower-case name.
func Postgres(name string) Function { return postgres[name] }

// Canonical returns the canonical name of a function of SQLite, such as substr for
// substring, and any other name unchanged.
func Canonical(name string) string {
	if f, ok := sqlite[name]; ok {
		return f.canonical
	}
	return name
}

// Is reports whether a function is of a class.
func (f Function) Is(c Class) bool { return f.Class&c != 0 }

// Aggregates reports whether a call with nargs arguments, or with *, is a call of an
// aggregate function.
func (f Function) Aggregates(nargs int, star bool) bool {
	if !f.Is(Aggregate) {
		return false
	}
	return star || nargs >= f.MinArgs && (nargs <= f.MaxArgs || f.MaxArgs == 0)
}

// TimeArgument returns the index of the time argument of a date function.
func (f Function) TimeArgument() (at int, ok bool) {
	switch f.Clock {
	case ClockFirst:
		return 0, true
	case ClockSecond:
		return 1, true
	}
	return 0, false
}

// MeansNow reports whether a text, as the time of a date function, means the current
// time. modifies reports whether the text can also be a modifier after the time
// (https://www.sqlite.org/lang_datefunc.html, sections 2 and 3).
func MeansNow(text string) (now, modifies bool) {
	switch {
	case strings.EqualFold(text, "now"):
		return true, false
	case strings.EqualFold(text, "subsec"), strings.EqualFold(text, "subsecond"):
		return true, true
	}
	return false, false
}

// table finds functions by their names.
func table(groups ...[]Function) map[string]Function {
	t := map[string]Function{}
	for _, g := range groups {
		for _, f := range g {
			if f.canonical == "" {
				f.canonical = f.Name
			}
			t[f.Name] = f
		}
	}
	return t
}

// each makes functions that differ only in their names.
func each(f Function, names string) []Function {
	var out []Function
	for _, f.Name = range strings.Fields(names) {
		out = append(out, f)
	}
	return out
}

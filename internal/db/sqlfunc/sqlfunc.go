// Package sqlfunc lists the functions of SQL: the class of each, the type of its
// result, whether it reads the clock, and which answers it leaves open. What a
// function computes is for package value to say.
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
	// canonical is the one name of a function that has several.
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

// AggregateKind says what the result of an aggregate function depends on, apart from the
// set of values.
type AggregateKind uint8

// The kinds of aggregates.
const (
	NoAggregate AggregateKind = iota
	OfValues                  // on nothing else
	Summing                   // on the order of the rows where the values are REAL
	Extreme                   // on which of several equal values is taken
	Collecting                // on the order of the rows
	Arbitrary                 // on which row comes first
)

// Result is what the type of a result is known to be from the function alone, NULL aside.
type Result uint8

// The results.
const (
	AnyType Result = iota
	Integer
	Real
	Text
	FirstArgument // the type of the first argument
	Sum           // a number that is an integer if the first argument is
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

// Canonical returns the one name of a function of SQLite that has several, such as
// substr for substring, and any other name as it is.
func Canonical(name string) string {
	if f, ok := sqlite[name]; ok {
		return f.canonical
	}
	return name
}

// Is reports whether a function is of a class.
func (f Function) Is(c Class) bool { return f.Class&c != 0 }

// Aggregates reports whether a call with so many arguments, or with *, is one of an
// aggregate function.
func (f Function) Aggregates(nargs int, star bool) bool {
	if !f.Is(Aggregate) {
		return false
	}
	return star || nargs >= f.MinArgs && (nargs <= f.MaxArgs || f.MaxArgs == 0)
}

// TimeArgument returns the place of the argument of a date function that is the time.
func (f Function) TimeArgument() (at int, ok bool) {
	switch f.Clock {
	case ClockFirst:
		return 0, true
	case ClockSecond:
		return 1, true
	}
	return 0, false
}

// MeansNow reports whether a text, as the time of a date function, is the current time,
// and whether it is a modifier as well, which goes on to count behind an instant
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

// each makes functions that differ in nothing but their names.
func each(f Function, names string) []Function {
	var out []Function
	for _, f.Name = range strings.Fields(names) {
		out = append(out, f)
	}
	return out
}

// Package value holds one SQLite value and SQLite's exact rules on it:
// comparison and collations, column affinity, casts, arithmetic, three-valued
// logic, LIKE and GLOB, the built-in scalar functions and the aggregates.
//
// Every rule is that of SQLite 3.54 as modernc.org/sqlite builds it, so that
// an expression computed here is the one that the database would have
// computed, storage class included. The package is pure: it keeps no state, and
// reads neither the clock nor the environment. All functions are safe for
// concurrent use.
package value

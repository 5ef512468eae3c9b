// Package rewrite makes a plan say what a person would write, with fewer steps
// where it can.
//
// A plan follows the text of its statement. Apply goes over it with a list of
// rules, each of which finds one shape of steps and puts another in its place:
// the count of a CASE becomes a filter and a count, a cast with a multiplication
// and a division becomes a ratio, what is computed twice is computed once. They
// are tried until none of them finds anything.
//
// Every rule holds for every database, whatever its rows are: with NULL, without
// rows, with texts in columns that are declared to hold numbers. What it asks for
// is read from the plan and the schema, and its proof is at its function.
// Where a proof needs more than that, the rule leaves the plan as it is.
//
// What a plan says about its order and the choices that SQL leaves open stays
// true: rules change what these refer to together with the steps.
package rewrite

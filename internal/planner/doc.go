// Package planner is the room for the way from a bound statement to calls of the
// dataframe tools: which operation each function of SQL is (vocabulary), relational
// steps (plan), fewer steps by rules that hold for every database (rewrite), calls with
// labels (emit), and whether an answer is right where
// SQL leaves it open (ties).
//
// Start with plan.
//
// Imported by: convert, mixed, pkg/rest, pkg/slot.
package planner

// Package ties judges the answer of a sequence of calls where SQL leaves open
// what the answer is: where LIMIT cuts a run of equal rows, a column is neither
// grouped nor aggregated, group_concat() takes rows in any order, or one of
// several equal values is shown.
//
// A plan says where it made such a choice (plan.Choice). The package looks
// whether the data leave it open, and whether the SQL's answer comes of making
// it in another way: then both answers are right.
package ties

// Package vocabulary says which operations, conditions and aggregations of the tools
// SQL's functions and operators are, and what the planner, the rewriting of plans and
// the names of columns know of each.
//
// What an operation computes and which arguments it takes is its definition in package
// tools; the functions of SQL are those of internal/db/sqlfunc.
package vocabulary

// Package plan turns one bound SQL statement into a DAG of relational steps.
//
// A Plan is a list of steps, each reading the results of earlier ones: start
// (base tables and their equality joins), filter, either (the union of two
// filters of one relation, for OR), derive (one scalar operation, giving one
// column), group, aggregate, window, sort, project (projection, DISTINCT and
// LIMIT), set operation, join and expand (elements of JSON). Scalar and list
// subqueries are results that an operand refers to. Expressions of any depth are
// taken apart into derive steps, innermost first. Conditions, operations and
// aggregations have the names that package tools gives them; internal/planner/emit maps
// steps to calls one to one.
//
// Build reads the tree of internal/sql/sqltree, whose names are resolved. What
// cannot be planned is an *Unsupported error that names the construct.
//
// Three-valued logic: a filter keeps the rows for which its condition is
// TRUE. NOT is pushed down to the leaves, where each condition has an exact
// opposite (TRUE where the condition is FALSE, and not where it is NULL), so
// AND is a chain of filters and OR the union of two. Where a condition is a
// value (in a result column, under SUM), it is derived as 1, 0 or NULL.
//
// Correlated subqueries are unnested by the method of Neumann and Kemper
// (Unnesting Arbitrary Queries, BTW 2015): planned once, for the distinct
// combinations of what they read of the rows around, and joined back to these.
// See correlate.go for the simple form and dependent.go for the general one.
//
// Collations: SQLite derives the collation of a comparison from its operands'
// expressions, the tools from the columns. The planner knows both, and names the
// collation where they differ: see collate.go.
package plan

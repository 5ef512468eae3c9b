// Package plan turns one SQL statement into a DAG of relational steps.
//
// A Plan is a list of steps, each reading the results of earlier ones: start
// (base tables and their equality joins), filter, either (the union of two
// filters of one relation, for OR), derive (one scalar operation, giving one
// column), group, aggregate, window, sort, project (projection, DISTINCT and
// LIMIT), set operation and join. Scalar and list subqueries are results that
// an operand refers to. Expressions of any depth are taken apart into derive
// steps, innermost first. A plan names no tool and no variant; emitters map
// steps to calls one to one.
//
// The statement is read by internal/dialect and resolved against a Catalog
// with SQLite's scoping rules (https://www.sqlite.org/lang_select.html). What
// cannot be planned is an *Unsupported error that names the construct.
//
// Three-valued logic: a filter keeps the rows for which its condition is
// TRUE. NOT is pushed down to the leaves, where each condition has an exact
// opposite (TRUE where the condition is FALSE, and not where it is NULL), so
// AND is a chain of filters and OR the union of two. Where a condition is a
// value (in a result column, under SUM), it is derived as 1, 0 or NULL.
package plan

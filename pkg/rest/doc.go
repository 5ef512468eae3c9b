// Package rest turns the SQL of a dataset into REST endpoints: one for every
// query, with its literals as parameters.
//
// # What is a parameter
//
// A literal is a parameter if it is compared with something that depends on
// the data: with a column, with an expression over columns, with COUNT(*), or
// with a subquery. Comparisons are =, <>, <, <=, >, >=, IS, LIKE, GLOB,
// BETWEEN, IN and the WHEN of a CASE with an operand, wherever they stand: in
// WHERE, HAVING, ON, FILTER, in the test of a CASE or IIF, and in an
// expression such as SUM(price >= 15). The literals of an IN list are one
// parameter with several values. The same literal compared in the same way
// with the same column, twice in a statement, is one parameter.
//
// LIMIT n is the parameter limit with n as its default, and OFFSET m is
// offset; LIMIT 1 asks for the first row and is none. A statement that reads
// the clock has the parameter as_of.
//
// All other literals are part of the query: factors (* 100), formats and
// arguments of functions, results of CASE, positions in ORDER BY, NULL.
//
// The rest of the statement stays as it was written. Values are bound, never
// put into its text.
package rest

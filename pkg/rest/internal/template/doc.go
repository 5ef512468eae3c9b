// Package template turns a SELECT into a statement with parameters.
//
// New reads a statement, binds its names to the tables and columns of a schema,
// and replaces the literals that the rule in package rest calls parameters with
// ?1, ?2, and so on. Statements that differ only in the values of parameters
// have the same Template.Key.
//
// The statement itself is in Template.Query, the tree of package sqltree.
package template

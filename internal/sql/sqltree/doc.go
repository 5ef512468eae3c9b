// Package sqltree holds the one syntax tree of a SELECT that everything else
// reads: the planner, the endpoints' converter, coverage.
//
// Parse has internal/sql/dialect lower SQLite's text for the grammar of
// github.com/xwb1989/sqlparser, and turns that parser's trees into this
// package's, with each node's place in the source. Bind then resolves every
// name by SQLite's scoping rules (https://www.sqlite.org/lang_select.html,
// lang_expr.html section 3.1): a Column knows the Source it belongs to, a
// Select its aggregates, a Query what it reads of the queries around it. Names
// that cannot be resolved are no error here, since not every reader minds: a
// Column says so in its State.
package sqltree

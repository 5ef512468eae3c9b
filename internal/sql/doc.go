// Package sql is the room for the syntax of statements: SQLite's SELECT, lowered for
// the grammar of sqlparser (dialect), Postgres' SELECT by its own parser (pgsql), the
// one tree with bound names that both become (sqltree), and the reader for the dialect
// of an engine (language). Nothing in it runs a statement.
//
// Start with sqltree, whose doc comment follows a statement from text to tree.
//
// Imported by: artifact, convert, evaluation, mixed, pkg/find, pkg/rest, pkg/slot,
// pkg/tools, planner, querytool, serving.
package sql

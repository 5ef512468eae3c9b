// Package engine defines what database engines have in common: the methods that
// endpoints need from a database, the description of its schema, and the reasons why
// reading fails. Package sqlite implements it for SQLite files, package postgres for
// the databases of a Postgres server.
//
// An Engine opens the Source that a URL names, and a Source opens its databases. No
// code asks which engine a Database belongs to: its Dialect says how its SQL differs,
// and optional interfaces such as Describer say what else it can do. To add an engine:
//
//   - write a package below internal/db with a Database, a Source and an Engine;
//   - add a line to the list of package engines;
//   - if its SQL differs, give it a Dialect, and add its parser to the list of
//     internal/sql/language.
package engine

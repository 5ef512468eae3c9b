// Package engine is what database engines have in common: what endpoints need of
// a database, the description of its schema, and the reasons for which reading
// fails. Package sqlite implements it for a SQLite file, package postgres for the
// databases of a Postgres server.
//
// An Engine opens the Source that a URL names, and a Source its databases. Nobody
// asks which engine a Database is of: its Dialect says how its SQL differs, and
// interfaces such as Describer what else it can do. To add an engine:
//
//   - write a package below internal/db with a Database, a Source and an Engine;
//   - add a line to the list of package engines;
//   - if its SQL is another, give it a Dialect, and add its parser to the list of
//     internal/sql/language.
package engine

// Package engine is what database engines have in common: what endpoints need of
// a database, the description of its schema, and the reasons for which reading
// fails. Package sqlite has it of a SQLite file, package postgres of a schema or
// database of a Postgres server.
package engine

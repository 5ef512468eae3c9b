// Package testkit is the room for what only tests and developers' programs use:
// golden files (golden), programs run as users run them (programtest), servers of
// Postgres (pgtest), of APIs (apitest), of models (scripted) and of faults
// (faultytest), contexts that end midway (ctxtest), random statements (randsql), and how
// much of a large matrix a test tries (thorough).
//
// Start with golden.
//
// Imported by: dev.
package testkit

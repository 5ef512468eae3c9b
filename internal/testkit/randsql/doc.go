// Package randsql holds the translation of SQL into calls against SQLite. It
// has tests only: they draw random schemas, data and SELECT statements, plan
// and run each statement by its calls, and compare the rows with SQLite's.
//
// A statement that is drawn has one right answer wherever that can be arranged:
// LIMIT is under an ORDER BY of all columns, a bare column depends on the
// grouping, and the numbers under sum() add up exactly. SQLite itself says
// where that failed: it also answers from a copy of the database whose rows
// are in reverse, and a statement with two answers is left out.
//
// Some of them are also converted as a dataset of questions in every variant, so
// that the samples' own tools allow the calls, SEL's names run, and endpoints
// answer as the statements do.
//
// What fails is made smaller before it is shown: first the statement, then the
// database. The seeds are fixed, so that a run can be repeated. About 3,000
// statements run by default; BIRDCALL_RANDOM=50000 asks for another number.
// A failure names its database, and -run TestRandomStatements/NUMBER draws that
// one again.
package randsql

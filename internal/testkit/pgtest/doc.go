// Package pgtest starts Postgres servers for tests: each with its own data in
// a folder of the test, on free ports of 127.0.0.1. Where there are no programs
// of Postgres, the test is skipped and says so.
package pgtest

// Package db is the room for databases and the reading of them: what all engines
// have in common (engine), the list of those that a URL can name (engines), files of
// SQLite (sqlite), servers of Postgres (postgres), the functions of SQL (sqlfunc), the
// columns that the dataframe tools read (columns), and what bounds and identifies a
// read: the memory of a question (budget), the checksum of a file (fingerprint),
// databases that are opened once (opened), caches (recent). All reading is read-only
// and guarded.
//
// Start with engine; sqlite has the guards of files.
//
// Imported by: artifact, cli, cmd/convert, convert, dev, evaluation, federation, mixed,
// pkg/episode, pkg/find, pkg/rest, pkg/slot, pkg/tools, planner, querytool, search,
// serving, sql, testkit.
package db

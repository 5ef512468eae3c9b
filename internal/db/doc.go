// Package db is the folder of packages that read databases. Package engine has what all
// engines have in common, and engines lists the engines that a URL can name. Packages
// sqlite and postgres read SQLite files and Postgres servers, sqlfunc lists the
// functions of SQL, and columns reads the columns for the dataframe tools. The rest
// bounds and identifies reads: budget limits the memory for one question, fingerprint
// computes the checksum of a file, opened opens each database once, and recent is a
// cache. All reading is read-only and guarded.
//
// Start with engine; sqlite has the guards of files.
//
// Imported by: artifact, cli, cmd/convert, convert, dev, evaluation, federation, mixed,
// pkg/episode, pkg/find, pkg/rest, pkg/slot, pkg/tools, planner, querytool, search,
// serving, sql, testkit.
package db

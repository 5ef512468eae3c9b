// Package sqlite reads SQLite databases and nothing else. It opens a file, or
// a file inside an fs.FS, read-only and guarded, runs one SELECT at a time on
// it, scans columns, and describes the schema. Values come back exactly as
// SQLite holds them. The local time of a statement is UTC.
//
// The guards are an authorizer that allows only reading
// (https://www.sqlite.org/c3ref/set_authorizer.html), run-time limits
// (https://www.sqlite.org/limits.html), a bound on the size of an answer, and
// the caller's context, which interrupts a running statement.
//
// Other programs may write to the file at the same time. A Mode says whether
// every statement reads the newest committed state (Live), all read the same
// one (Snapshot), or nobody writes (Immutable). No statement ever reads a
// mixture of states; what cannot be had is an error that names it.
package sqlite

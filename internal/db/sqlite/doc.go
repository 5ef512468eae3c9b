// Package sqlite reads SQLite databases and never writes. It opens a file, or a file
// inside an fs.FS, read-only and guarded. It runs one SELECT at a time, scans columns,
// and describes the schema. Values come back exactly as SQLite stores them. The local
// time of a statement is UTC.
//
// The guards are an authorizer that allows only reading
// (https://www.sqlite.org/c3ref/set_authorizer.html), run-time limits
// (https://www.sqlite.org/limits.html), a bound on the size of an answer, and
// the caller's context, which interrupts a running statement.
//
// Other programs may write to the file at the same time. A Mode says whether every
// statement reads the newest committed state (Live), all statements read the same state
// (Snapshot), or nobody writes (Immutable). No statement ever reads a mixture of
// states. If a consistent state cannot be read, the error says why.
package sqlite

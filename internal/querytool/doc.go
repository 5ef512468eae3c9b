// Package querytool is the room for QUERY, one tool that queries a database: the tool,
// what its queries mean and how they run (query), the SQL of a question as a query
// (convert), queries over all combinations of arguments (querygrid), search in texts
// (fts), and SQL written from a query alone to prove its result (oracle).
//
// Start with query.
//
// Imported by: cmd/convert, convert, evaluation, pkg/episode, serving.
package querytool

// Package oracle says queries of package query in SQLite's SQL, and proves
// results by it. It shares nothing with the code that runs queries but their
// types: the conditions, groups and aggregates are SQLite's own, and what a search
// finds is computed from the definitions, by a tokenizer, a stemmer and a BM25
// that are written here and know nothing of FTS5.
//
// SQL is for people to read. It is complete by itself: literals are in it, quoted. A
// search is shown as FTS5 would have it, on a table dishes_search whose rowid is
// that of dishes:
//
//	WITH found AS (
//	  SELECT rowid AS id, ROW_NUMBER() OVER (ORDER BY rank, rowid) AS place
//	  FROM dishes_search WHERE dishes_search MATCH '"smoky" "garlic"'
//	)
//	SELECT dishes.* FROM dishes JOIN found ON found.id = dishes.rowid
//	WHERE dishes.price < 20
//	ORDER BY found.place
//
// A database need not have that table: where the statement is run, the rows that
// were computed take the place of what found selects.
//
// A table without a rowid, and a view, has the number of the row in its place.
//
// Most queries are one statement. Each TOP_OCCURRENCES next to other aggregations is
// one of its own, as it has a row for each value: the properties that groups agree
// in, the value and how often it occurs. A group without a value has one row, with
// NULL and 0.
package oracle

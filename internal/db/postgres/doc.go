// Package postgres reads databases of a Postgres server, or of one that speaks
// its protocol, and nothing else. It describes a schema, runs one SELECT at a
// time, and hands over its rows exactly.
//
// Open takes a URL, postgres://user@host/database, where each id is a schema, or
// postgres://user@host/{db}, where each id is a database, of which the schema
// public is read. There may be several hosts, separated by commas, that hold the
// same data: the first that answers is asked. A password comes from PGPASSWORD or
// from the file that PGPASSFILE names; a URL that has one is refused.
//
// # Only reading
//
// A role that may write is refused when a database is opened, a statement that
// does more than read when it is prepared: the server itself says what each
// name, operator and view in it means, by the setting debug_print_rewritten,
// so that its log has the tree of each statement once. No function may be
// volatile. Each run is its own READ ONLY transaction, sent at once:
//
//	BEGIN READ ONLY; SET LOCAL statement_timeout; the statement; COMMIT
//
// Names are looked up among the built-in ones first and then in the schema, and
// the time zone is UTC. Behind a pooler that gives each transaction another
// connection, such as PgBouncer, these settings are part of the transaction too,
// and no statement is kept prepared. That is found out; the parameter
// default_query_exec_mode=exec of the URL says so as well.
//
// # Values
//
// This is what becomes of a cell:
//
//	type                          JSON                          example
//	smallint, integer, bigint,    number without a point        12
//	oid
//	real, double precision        number with a point or an     1.0, 1e+20
//	                              exponent, shortest digits
//	numeric                       number with all its digits    12.50
//	NaN, Infinity, -Infinity      object                        {"real":"NaN"}, {"real":"Inf"}
//	boolean                       true, false                   true
//	text, varchar, char(n), name  string; object if not UTF-8   "a", {"text":"ff"}
//	date                          string, ISO 8601              "2024-02-29"
//	time, timetz                  string                        "23:59:59.5"
//	timestamp                     string, ISO 8601              "2024-02-29T23:59:59.5"
//	timestamptz                   string, ISO 8601 in UTC       "2024-02-29T23:59:59.5Z"
//	interval                      string, ISO 8601              "P1Y2M-3DT4H5M6.7S"
//	bytea                         object                        {"blob":"00ff"}
//	arrays                        array, of arrays by dimension [[1,2],[3,null]]
//	json, jsonb                   as it is                      {"a": 1}
//	enum, uuid, inet and all else string, as the server         "happy"
//	                              writes it
//	NULL                          null                          null
//
// Years after 9999 have a sign (+12024-01-01), the year 1 BC is 0000, the year 44
// BC is -0043, and what has no end is "infinity". A domain is written as its
// base. In CSV, texts, documents and arrays are in quotation marks, numbers and
// booleans are not, a bytea is x'00ff', and NULL is nothing.
//
// # Failures
//
// The data are live: two runs may answer differently. Options.Snapshot has all
// statements read one state instead, each time alike. While a server restarts, or
// another takes over, a run fails with ErrUnavailable; Retry has another try, for
// a second. What was read counts only when Run returns nil. Rows that nobody wants
// any more are cancelled at the server, and the connection is used again.
package postgres

// Package postgres reads databases of a Postgres server, or of a server that speaks its
// protocol. It never writes. It describes a schema, runs one SELECT at a time, and
// returns its rows exactly.
//
// Open takes a URL. In postgres://user@host/database, each id is a schema. In
// postgres://user@host/{db}, each id is a database, of which only the schema public is
// read. The URL may list several hosts with the same data, separated by commas; the
// first host that answers is used. The password comes from PGPASSWORD or from the file
// that PGPASSFILE names; a URL with a password is refused.
//
// # Only reading
//
// Opening a database fails if the role may write. Preparing a statement fails if the
// statement does more than read. The server itself says what each name, operator and
// view in the statement means: the setting debug_print_rewritten makes it report the
// tree of the statement, so its log contains each tree once. No function may be
// volatile. Each run is its own READ ONLY transaction, sent at once:
//
//	BEGIN READ ONLY; SET LOCAL statement_timeout; the statement; COMMIT
//
// Names are looked up among the built-in ones first and then in the schema, and the
// time zone is UTC. A pooler such as PgBouncer gives each transaction another
// connection. Behind one, these settings are part of the transaction too, and no
// statement is kept prepared. The package detects a pooler; the parameter
// default_query_exec_mode=exec of the URL declares one as well.
//
// # Values
//
// Each cell becomes JSON by its type:
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
// Years after 9999 have a sign (+12024-01-01), the year 1 BC is 0000, and the year 44
// BC is -0043. A time without end is "infinity". A domain is written as its base type.
// In CSV, texts, documents and arrays are in quotation marks, numbers and booleans are
// not, a bytea is x'00ff', and NULL is nothing.
//
// # Failures
//
// The data are live: two runs may answer differently. With Options.Snapshot, all
// statements read one state, and the same statement has the same answer each time.
// While a server restarts or another one takes over, a run fails with ErrUnavailable;
// Retry tries again for a second. The rows of a run count only when Run returns nil.
// When the caller stops early, the statement is cancelled at the server and the
// connection is used again.
package postgres

package postgres

import (
	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlfunc"
)

// Dialect is Postgres' SQL. Names without quotation marks are in lower case once the
// parser has read them, and case distinguishes them then
// (https://www.postgresql.org/docs/current/sql-select.html).
var Dialect = &engine.Dialect{
	Name: "Postgres", Functions: sqlfunc.Postgres,
	ImpliedNames: true, MergedStars: true, Catalogs: []string{"pg_catalog", "information_schema", "pg_toast"},
	TypedLiterals: true, LikeMindsCase: true, Placeholder: "$", RowAddress: []string{"tableoid", "ctid"}, WithTies: true,
}

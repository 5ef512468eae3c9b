package engine

import "github.com/birdcall/birdcall/internal/text/spelling"

// Dialect says whose SQL a statement is written in, and so how its names are
// resolved.
type Dialect uint8

// The dialects.
const (
	SQLite Dialect = iota
	// Postgres tells names apart by case, once the parser has put those without
	// quotation marks into lower case. WHERE, ON and HAVING do not see the
	// aliases of result columns; ORDER BY and GROUP BY see all their names
	// (https://www.postgresql.org/docs/current/sql-select.html).
	Postgres
)

// Same reports whether two names are one.
func (d Dialect) Same(a, b string) bool {
	return a == b || d == SQLite && spelling.Same(a, b)
}

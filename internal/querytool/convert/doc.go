// Package convert writes the SQL of questions as queries of package query, runs
// them, and holds their answers against the SQL's own.
//
// A query reads one collection, so that only statements on one table have one. What
// a query cannot say is refused by the name of the construct; nothing is guessed.
// Where a translation holds for dates that are written as ISO 8601 has them, or for
// tables that are not empty, the data decide: if the answers differ the question is
// refused, too.
package convert

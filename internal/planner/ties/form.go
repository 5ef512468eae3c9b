package ties

import (
	"slices"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// MayBeOpen reports whether a statement may have several answers by its form: by
// a LIMIT, rows that are numbered or a subquery that stands for its first row; by a
// column that is neither grouped nor aggregated; by an aggregate that takes rows in
// their order; or where one of several equal values is shown.
func MayBeOpen(sql string) bool {
	q, err := sqltree.Parse(sql)
	if err != nil {
		return true
	}
	found := false
	q.WalkAll(func(q *sqltree.Query) {
		found = found || q.Limit != nil || aggregates(sortKeys(q))
		for _, s := range q.Arms {
			found = found || s.Distinct || len(s.GroupBy) > 0 || s.Having != nil || s.Op != "" && s.Op != dialect.UnionAll || showsRow(s)
		}
	}, func(e sqltree.Expr) {
		switch e := e.(type) {
		case *sqltree.Subquery:
			found = found || !isOneRow(e.Query)
		case *sqltree.Call:
			found = found || e.Over != nil || e.Distinct && sqlfunc.SQLite(e.Name).Aggregate != sqlfunc.OfValues || isOpen(e.Name)
		}
	})
	return found
}

// isOpen reports whether the result of a function depends on the order of rows, or
// on which of several equal values it takes.
func isOpen(function string) bool {
	kind := sqlfunc.SQLite(function).Aggregate
	return kind == sqlfunc.Extreme || kind == sqlfunc.Collecting
}

// isOneRow reports whether a query is a single row whatever the data are: an
// aggregate of everything, or no FROM.
func isOneRow(q *sqltree.Query) bool {
	s := q.Arms[0]
	return len(q.Arms) == 1 && len(s.GroupBy) == 0 && (s.From == nil || aggregates(shown(s)))
}

// shown returns the expressions of an arm's result columns.
func shown(s *sqltree.Select) []sqltree.Expr {
	var out []sqltree.Expr
	for _, it := range s.Items {
		if it != nil && !it.Star {
			out = append(out, it.Expr)
		}
	}
	return out
}

// sortKeys returns the expressions of a query's ORDER BY.
func sortKeys(q *sqltree.Query) []sqltree.Expr {
	var out []sqltree.Expr
	for _, o := range q.OrderBy {
		out = append(out, o.Expr)
	}
	return out
}

// aggregates reports whether there are aggregate calls in expressions.
func aggregates(list []sqltree.Expr) bool {
	return slices.ContainsFunc(list, func(e sqltree.Expr) bool { return len(sqltree.AggregatesIn(e)) > 0 })
}

// showsRow reports whether an arm that aggregates shows a column outside of the
// aggregates, which is some row's.
func showsRow(s *sqltree.Select) bool {
	items := shown(s)
	if !aggregates(items) {
		return false
	}
	shows := len(items) < len(s.Items) // by a *
	for _, e := range items {
		sqltree.Walk(e, func(e sqltree.Expr) bool {
			call, ok := e.(*sqltree.Call)
			_, isColumn := e.(*sqltree.Column)
			shows = shows || isColumn
			return !ok || !call.Aggregate
		})
	}
	return shows
}

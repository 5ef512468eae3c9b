package rest

import (
	"context"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/artifact/facts"
	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/language"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/record"
)

// lookForTies is judge.look for a statement on a server, which package slot has no
// plan of. The server itself reports what is tied: by FETCH FIRST ... ROWS WITH
// TIES instead of LIMIT
// (https://www.postgresql.org/docs/current/sql-select.html#SQL-LIMIT), and by
// dense_rank() over the terms of ORDER BY. Where neither can be put in, the answer
// counts as open, as nobody has shown that it is not. sql reads no clock.
func (d *Database) lookForTies(ctx context.Context, sql string, gold *engine.Answer, of *record.Facts) {
	s, err := d.language().Read(sql, d.schema)
	if err != nil {
		of.TieDependent = true
		return
	}
	q := s.Query
	of.TieDependent = isOpen(q)
	if q.Limit == nil && (len(q.OrderBy) == 0 || len(gold.Rows) < 2) {
		return
	}
	groups, more, ok := tied(ctx, d.db, s, gold)
	of.TieDependent = of.TieDependent || q.Limit != nil && (!ok || more)
	if ok && groups != nil {
		facts.SetTies(&of.Gold, groups)
	}
}

// tied runs a statement with its ties. groups numbers the rows that are equal in
// what is sorted by, or is nil where that cannot be known; more says that rows which
// LIMIT leaves out are equal to the last one. ok is false if the statement has no
// form with ties, or if that gives other rows.
func tied(ctx context.Context, db engine.Database, s *language.Statement, gold *engine.Answer) (groups []int, more, ok bool) {
	sql, ranked := withTies(s)
	if sql == "" {
		return nil, false, false
	}
	answer, err := db.Answer(ctx, sql)
	if err != nil || len(answer.Exact) < len(gold.Exact) {
		return nil, false, false
	}
	width := len(gold.Columns)
	for i, row := range gold.Exact {
		if !slices.Equal(row, answer.Exact[i][:width]) {
			return nil, false, false
		}
		if ranked {
			groups = append(groups, int(answer.Rows[i][width].Int64()))
		}
	}
	return groups, len(answer.Rows) > len(gold.Rows), true
}

// withTies returns a statement with the ties of its LIMIT and, if ranked, with the
// rank of each row in a column behind the others; "" if it cannot.
func withTies(s *language.Statement) (sql string, ranked bool) {
	q := s.Query
	if len(q.OrderBy) == 0 || q.Offset != nil || !q.Dialect.WithTies {
		return "", false
	}
	sql = s.SQL
	if q.Limit != nil {
		at := q.Limit.Outer()
		before := strings.TrimRight(sql[:at.Start], " \t\r\n")
		const word = "limit"
		start := len(before) - len(word)
		if start < 0 || !strings.EqualFold(before[start:], word) {
			return "", false
		}
		sql = sql[:start] + "FETCH FIRST (" + sql[at.Start:at.End] + ") ROWS WITH TIES" + sql[at.End:]
	}
	rank, end := rankOf(s)
	if rank == "" {
		return sql, false
	}
	return sql[:end] + ", " + rank + sql[end:], true // end is before the LIMIT
}

// rankOf returns the rank of a row as an expression of the statement, and where its
// list of results ends; "" where the terms of ORDER BY are not to be had there.
func rankOf(s *language.Statement) (rank string, end int) {
	q := s.Query
	arm := q.Arms[0]
	if len(q.Arms) > 1 || arm.Values || arm.Distinct || len(arm.DistinctOn) > 0 || len(arm.Items)+len(arm.Stars) == 0 {
		return "", 0
	}
	var terms []string
	for _, o := range q.OrderBy {
		at := o.Expr.Outer()
		if o.Item >= 0 {
			if o.Item >= len(arm.Items) || arm.Items[o.Item].Star {
				return "", 0
			}
			at = arm.Items[o.Item].Expr.Outer()
		}
		term := "(" + s.SQL[at.Start:at.End] + ")"
		if o.Desc {
			term += " DESC"
		}
		if o.NullsFirst {
			term += " NULLS FIRST"
		} else {
			term += " NULLS LAST"
		}
		terms = append(terms, term)
	}
	for _, it := range arm.Items {
		if !it.Star {
			end = max(end, it.Expr.Outer().End, it.AliasSpan.End)
		}
	}
	for _, star := range arm.Stars {
		end = max(end, star.Span.End)
	}
	return "pg_catalog.dense_rank() OVER (ORDER BY " + strings.Join(terms, ", ") + ")", end
}

// isOpen reports whether a statement on a server may have several answers by what
// is in it besides its own LIMIT: another LIMIT, DISTINCT ON, or a function that
// takes rows in their order where several may come first.
func isOpen(q *sqltree.Query) bool {
	open := false
	q.WalkAll(func(inner *sqltree.Query) {
		open = open || inner != q && inner.Limit != nil
		for _, s := range inner.Arms {
			open = open || len(s.DistinctOn) > 0
		}
	}, func(e sqltree.Expr) {
		if call, ok := e.(*sqltree.Call); ok {
			f := q.Dialect.Function(call.Name)
			open = open || call.Over != nil && f.BreaksTies || f.Aggregate == sqlfunc.Collecting && len(call.OrderBy) == 0
		}
	})
	return open
}

package vtab

import (
	"slices"
	"strings"

	"github.com/sqlc-dev/meyer/ast"
	"github.com/sqlc-dev/meyer/parser"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// Rewrite implements sqlite.External. It makes of a call of a function of an API in
// WHERE or ON a scalar subquery, (SELECT f(x)), which has the same value. SQLite
// tests conditions with a correlated subquery after all others of the same loop, so
// that the API computes f only for rows that the others let through.
func (x *External) Rewrite(sql string) string {
	if !slices.ContainsFunc(x.functions, func(f *function) bool { return strings.Contains(spelling.Lower(sql), spelling.Lower(f.Name)) }) {
		return sql
	}
	stmt, err := parser.ParseStatement(sql)
	if err != nil {
		return sql // SQLite says what is wrong with it
	}
	inserted := map[int]string{}
	ast.Walk(stmt, func(n ast.Node) bool {
		if q, ok := n.(*ast.SelectQuery); ok {
			x.wrap(q.Where, inserted)
			for _, t := range q.From {
				x.wrap(t.On, inserted)
			}
		}
		return true
	})
	var b strings.Builder
	for i := range len(sql) {
		b.WriteString(inserted[i])
		b.WriteByte(sql[i])
	}
	b.WriteString(inserted[len(sql)])
	return b.String()
}

// wrap notes what is to be inserted around the outermost calls in a condition. Those
// in a subquery are in its own condition, or no condition.
func (x *External) wrap(condition ast.Expr, inserted map[int]string) {
	if condition == nil {
		return
	}
	ast.Walk(condition, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectStmt:
			return false
		case *ast.FuncCall:
			if !x.isOurs(n) || !canMove(n) {
				return true
			}
			from, to := n.Pos(), n.End()
			inserted[from] = "(SELECT " + inserted[from]
			inserted[to] += ")"
			return false
		}
		return true
	})
}

func (x *External) isOurs(n *ast.FuncCall) bool {
	return slices.ContainsFunc(x.functions, func(f *function) bool { return spelling.Same(f.Name, n.Name.Name) && len(n.Args) == len(f.Args) })
}

// canMove reports whether a call means the same in a subquery: an aggregate would be
// another query's. A call without columns is computed once anyway.
func canMove(n *ast.FuncCall) bool {
	moves, reads := true, false
	for _, arg := range n.Args {
		ast.Walk(arg, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncCall:
				moves = moves && !isAggregate(n)
			case *ast.Ident, *ast.QualifiedRef:
				reads = true
			}
			return true
		})
	}
	return moves && reads
}

func isAggregate(n *ast.FuncCall) bool {
	return n.Over != nil || n.Filter != nil || sqlfunc.SQLite(n.Name.Name).Aggregates(len(n.Args), n.Star)
}

// firstStep returns how many calls by keys the first round of a statement makes. One
// that stops at its LIMIT needs the first rows only, so that it begins with one call,
// and makes twice as many in each further round. All others make them at once: 0.
func firstStep(sql string) int {
	stmt, err := parser.ParseStatement(sql)
	s, ok := stmt.(*ast.SelectStmt)
	if err != nil || !ok || len(s.Cores) != 1 {
		return 0
	}
	q, ok := s.Cores[0].(*ast.SelectQuery)
	if !ok || q.Limit == nil || len(q.OrderBy) > 0 || len(q.GroupBy) > 0 {
		return 0
	}
	for _, c := range q.Columns {
		aggregates := false
		ast.Walk(c, func(n ast.Node) bool {
			call, ok := n.(*ast.FuncCall)
			aggregates = aggregates || ok && isAggregate(call)
			return true
		})
		if aggregates {
			return 0
		}
	}
	return 1
}

package rest

import (
	"fmt"

	"github.com/sqlc-dev/meyer/ast"

	"github.com/birdcall/birdcall/internal/dialect"
)

// maxNesting bounds how deep a statement's tree may be. Next to an expression's
// own depth there is room for the clauses of as many subqueries as SQLite
// nests.
const maxNesting = 2 * dialect.MaxHeight

// checkNesting refuses a tree that is too deep to be walked again and again.
func checkNesting(n ast.Node) error {
	level := []ast.Node{n}
	for depth := 0; len(level) > 0; depth++ {
		if depth > maxNesting {
			return fmt.Errorf("the SQL is nested more than %d levels deep; simplify it", maxNesting)
		}
		var next []ast.Node
		for _, n := range level {
			next = append(next, n.Children()...)
		}
		level = next
	}
	return nil
}

// checkSources refuses more tables than SQLite joins.
func (w *walker) checkSources(s *scope) {
	if len(s.sources) > dialect.MaxTables && w.err == nil {
		w.err = fmt.Errorf("the SQL has more than %d tables in one FROM clause; SQLite joins no more", dialect.MaxTables)
	}
}

// checkColumns refuses more result columns than SQLite gives. Each * may stand
// for twice as many as the one in the subquery below it.
func (w *walker) checkColumns(outputs []*column) {
	if len(outputs) > dialect.MaxColumns && w.err == nil {
		w.err = fmt.Errorf("the SQL has more than %d columns in a result; SQLite gives no more", dialect.MaxColumns)
	}
}

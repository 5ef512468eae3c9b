package sqltree

import (
	"context"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlite"
)

// Schema reads a database's schema, with the collations of views' columns: they
// are those of the expressions in the view's SELECT, which SQLite does not report.
func Schema(ctx context.Context, db *sqlite.DB) (*engine.Schema, error) {
	schema, err := db.Schema(ctx)
	if err != nil {
		return nil, err
	}
	CollateViews(schema)
	return schema, nil
}

// CollateViews fills in the collations of views. Views may read views, in any
// order, so it goes through them until nothing changes.
func CollateViews(schema *engine.Schema) {
	for range schema.Tables {
		changed := false
		for _, t := range schema.Tables {
			q, err := Read(selectOf(t.SQL), schema)
			if !t.View || err != nil || len(q.Columns) != len(t.Columns) {
				continue // SQLite reads it as it is; its columns stay BINARY
			}
			for i, c := range q.Columns {
				changed = changed || t.Columns[i].Collation != c.Collation
				t.Columns[i].Collation = c.Collation
			}
		}
		if !changed {
			return
		}
	}
}

// selectOf returns the SELECT of a CREATE VIEW statement, or "".
func selectOf(sql string) string {
	depth := 0
	for _, t := range lexer.Lex(sql) {
		switch t.Kind {
		case token.LP:
			depth++
		case token.RP:
			depth--
		case token.AS:
			if depth == 0 {
				return sql[t.End:]
			}
		}
	}
	return ""
}

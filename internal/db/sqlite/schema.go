package sqlite

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/sqlc-dev/meyer/ast"
	"github.com/sqlc-dev/meyer/parser"
	lib "modernc.org/sqlite/lib"
)

// The types of a schema are the same in every engine.
type (
	// Schema describes the tables and views of a database.
	Schema = engine.Schema
	// Table is one table or view.
	Table = engine.Table
	// Column is one column.
	Column = engine.Column
	// ForeignKey is one foreign key.
	ForeignKey = engine.ForeignKey
)

// Schema reads the schema. It leaves out SQLite's own tables (sqlite_...) and the
// tables in which virtual tables keep their data. LeftOut lists what no statement can
// read: views of tables that do not exist, and virtual tables whose module is not built
// in or prepares to write.
func (d *DB) Schema(ctx context.Context) (*Schema, error) {
	list, err := d.Query(ctx, `
		SELECT s.name, s.type = 'view', coalesce(s.sql, ''), coalesce(l.wr, 0)
		FROM sqlite_schema AS s
		LEFT JOIN pragma_table_list AS l ON l.schema = 'main' AND l.name = s.name
		WHERE s.type IN ('table', 'view') AND s.name NOT LIKE 'sqlite\_%' ESCAPE '\' AND coalesce(l.type, '') <> 'shadow'
		ORDER BY s.rowid`)
	if err != nil {
		return nil, err
	}
	schema := &Schema{}
	outside := d.externalTables()
	for _, row := range list.Rows {
		if at := slices.IndexFunc(outside, func(t *Table) bool { return spelling.Same(t.Name, row[0].Raw()) }); at >= 0 {
			schema.Tables = append(schema.Tables, outside[at])
			outside = slices.Delete(outside, at, at+1)
			continue
		}
		t := &Table{Name: row[0].Raw(), View: row[1].Int64() != 0}
		if t.View {
			t.SQL = row[2].Raw()
		}
		t.RowID = !t.View && row[3].Int64() == 0
		switch err := d.describe(ctx, t, row[2].Raw()); {
		case isUnusable(err):
			schema.LeftOut = append(schema.LeftOut, engine.LeftOut{Name: t.Name, Err: err})
			continue
		case err != nil:
			return nil, err
		}
		schema.Tables = append(schema.Tables, t)
	}
	schema.Tables = append(schema.Tables, outside...)
	return schema, nil
}

// externalTable returns the number of the table of that name that is not in the
// file, or -1.
func (d *DB) externalTable(name string) int {
	return slices.IndexFunc(d.externalTables(), func(t *Table) bool { return spelling.Same(t.Name, name) })
}

// externalTables returns the tables that are not in the file. Each is in the
// place of the one that it hides, or after those of the file.
func (d *DB) externalTables() []*Table {
	if d.external == nil {
		return nil
	}
	return slices.Clone(d.external.Tables())
}

// isUnusable reports whether SQLite cannot, or may not, compile a statement over a
// table. It may not for an R-tree, which prepares to write even to be read.
func isUnusable(err error) bool {
	code := (*resultError)(nil)
	return errors.As(err, &code) && (code.code&0xff == lib.SQLITE_ERROR || code.code == lib.SQLITE_AUTH)
}

// describe fills in the columns and keys of t, created by the statement sql.
func (d *DB) describe(ctx context.Context, t *Table, sql string) error {
	columns, err := d.Query(ctx, `SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid`, value.Str(t.Name))
	if err != nil {
		return err
	}
	collations := declaredCollations(sql)
	keys, alias := 0, ""
	for _, row := range columns.Rows {
		hidden := row[4].Int64()
		c := Column{
			Name:       row[0].Raw(),
			Type:       row[1].Raw(),
			Affinity:   value.AffinityOf(row[1].Raw()),
			Collation:  "BINARY",
			NotNull:    row[2].Int64() != 0,
			PrimaryKey: int(row[3].Int64()),
			Hidden:     hidden == 1,
			Generated:  hidden > 1,
		}
		if name, ok := collations[spelling.Lower(c.Name)]; ok {
			c.Collation = name
		}
		if c.PrimaryKey > 0 {
			keys++
			if spelling.Same(c.Type, "INTEGER") {
				alias = c.Name
			}
		}
		t.Columns = append(t.Columns, c)
	}
	if t.RowID && keys == 1 && alias != "" {
		// The odd INTEGER PRIMARY KEY DESC is no rowid alias: it has an
		// index of its own, as any other primary key.
		index, err := d.Query(ctx, `SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'`, value.Str(t.Name))
		if err != nil {
			return err
		}
		if len(index.Rows) == 0 {
			t.IntegerPrimaryKey = alias
		}
	}
	return d.foreignKeys(ctx, t)
}

// foreignKeys fills in t.ForeignKeys. The pragma numbers them from the last
// to the first.
func (d *DB) foreignKeys(ctx context.Context, t *Table) error {
	parts, err := d.Query(ctx, `SELECT seq, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq`, value.Str(t.Name))
	if err != nil {
		return err
	}
	for _, row := range parts.Rows {
		if row[0].Int64() == 0 {
			t.ForeignKeys = append(t.ForeignKeys, ForeignKey{Table: row[1].Raw()})
		}
		key := &t.ForeignKeys[len(t.ForeignKeys)-1]
		key.Columns = append(key.Columns, row[2].Raw())
		if !row[3].IsNull() {
			key.To = append(key.To, row[3].Raw())
		}
	}
	return nil
}

// declaredCollations returns the collations that a CREATE TABLE declares, by
// folded column name. SQLite has no pragma for them. A statement that is no
// plain CREATE TABLE declares none.
func declaredCollations(sql string) map[string]string {
	stmt, err := parser.ParseStatement(sql)
	create, ok := stmt.(*ast.CreateTableStmt)
	if err != nil || !ok {
		return nil
	}
	collations := map[string]string{}
	for _, column := range create.Columns {
		for _, c := range column.Constraints {
			if c.Kind == ast.ColumnCollate {
				collations[spelling.Lower(column.Name.Name)] = strings.ToUpper(c.Collation.Name)
			}
		}
	}
	return collations
}

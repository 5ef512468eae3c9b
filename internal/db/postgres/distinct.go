package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/birdcall/birdcall/pkg/value"
)

// Kinds returns nil for every column: the type already determines the values.
func (d *DB) Kinds(_ context.Context, _ string, columns []string) ([][]value.Kind, error) {
	return make([][]value.Kind, len(columns)), nil
}

// columnSQL describes a column: its type, the type's number, and whether its table,
// with partitions and tables that inherit from it, has at most $4 pages of 8 KiB. A
// relation that is not kept in pages counts as larger.
const columnSQL = `
WITH RECURSIVE
col AS (
	SELECT c.oid AS tab, c.relkind, coalesce(nullif(t.typbasetype, 0), t.oid) AS typ
	FROM pg_catalog.pg_class AS c
	JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
	JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
	WHERE c.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = $1::text) AND c.relname = $2::text AND a.attname = $3::text
),
part(oid) AS (SELECT tab FROM col UNION SELECT i.inhrelid FROM part JOIN pg_catalog.pg_inherits AS i ON i.inhparent = part.oid)
SELECT CASE
	WHEN t.typtype = 'e' THEN 'enum'
	WHEN t.oid = 'bool'::regtype THEN 'boolean'
	WHEN t.oid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) THEN 'integer'
	WHEN t.oid IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype, 'name'::regtype) THEN 'text'
	ELSE '' END,
	t.oid,
	col.relkind IN ('r', 'p', 'm') AND NOT EXISTS (SELECT FROM part JOIN pg_catalog.pg_class AS c ON c.oid = part.oid WHERE c.relkind = 'f')
	AND (SELECT coalesce(sum(pg_relation_size(oid) / 8192), 0) <= $4::bigint FROM part)
FROM col JOIN pg_catalog.pg_type AS t ON t.oid = col.typ`

// labelsSQL lists the values of an enum in their order.
const labelsSQL = `SELECT enumlabel FROM pg_catalog.pg_enum WHERE enumtypid = $1::oid ORDER BY enumsortorder`

const (
	// fewPages is the size of a table that can be read at once: 64 MiB.
	fewPages = 8192
	// longText is the length in bytes from which a text is not treated as one of a few
	// values.
	longText = 80
)

// Distinct returns the distinct values of a column in ascending order, without NULL. It
// returns nil if there are more than limit or if one is a long text. For a boolean and
// an enum, it returns all values of the type. Other columns are read if they are texts
// or integers and their table has at most 64 MiB. Texts are in the order of their
// bytes, without the blanks at the end of a char(n).
func (d *DB) Distinct(ctx context.Context, table, column string, limit int) (values []value.Value, err error) {
	err = d.Retry(ctx, func() error {
		values, err = d.distinct(ctx, table, column, limit)
		return err
	})
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return nil, nil // it takes too long for the server
	case err != nil:
		return nil, fail("query", d.String(), err)
	}
	return values, nil
}

func (d *DB) distinct(ctx context.Context, table, column string, limit int) ([]value.Value, error) {
	found, err := d.server.ask(ctx, columnSQL, d.schema, table, column, strconv.Itoa(fewPages))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	kind, oid, isSmall := found[0][0], found[0][1], found[0][2] == "t"
	var rows [][]string
	switch kind {
	case "boolean":
		rows = [][]string{{"0"}, {"1"}}
	case "enum":
		rows, err = d.server.ask(ctx, labelsSQL, oid)
	case "integer", "text":
		if !isSmall {
			return nil, nil
		}
		rows, err = d.server.ask(ctx, fmt.Sprintf(`SELECT DISTINCT %[1]s::text COLLATE "C" FROM %[2]s.%[3]s WHERE %[1]s IS NOT NULL LIMIT %[4]d`,
			Quote(column), Quote(d.schema), Quote(table), limit+1))
	}
	if err != nil || len(rows) > limit {
		return nil, err
	}
	var values []value.Value
	for _, row := range rows {
		if len(row[0]) > longText || !utf8.ValidString(row[0]) {
			return nil, nil
		}
		v := value.Str(row[0])
		if n, err := strconv.ParseInt(row[0], 10, 64); err == nil && (kind == "integer" || kind == "boolean") {
			v = value.Int(n)
		}
		values = append(values, v)
	}
	if kind != "enum" { // an enum has its own order
		slices.SortFunc(values, func(a, b value.Value) int { return value.Compare(a, b, value.Binary) })
	}
	return values, nil
}

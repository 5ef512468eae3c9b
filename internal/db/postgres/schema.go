package postgres

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/value"
)

// tablesSQL lists the readable tables and views of a schema, in the order of their
// creation.
const tablesSQL = `
SELECT c.oid, c.relname, c.relkind IN ('v', 'm'), coalesce(CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END, ''), coalesce(obj_description(c.oid, 'pg_class'), '')
FROM pg_catalog.pg_class AS c
WHERE c.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = $1::text)
AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition AND has_any_column_privilege(c.oid, 'SELECT')
ORDER BY c.oid`

// columnsSQL lists their columns.
const columnsSQL = `
SELECT c.oid, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, coalesce(array_position(k.conkey, a.attnum), 0), a.attgenerated <> '',
	coalesce(nullif(t.typbasetype, 0), a.atttypid), coalesce(col_description(c.oid, a.attnum), '')
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
LEFT JOIN pg_catalog.pg_constraint AS k ON k.conrelid = c.oid AND k.contype = 'p'
WHERE c.oid = ANY ($1::oid[]) AND has_column_privilege(c.oid, a.attnum, 'SELECT')
ORDER BY c.oid, a.attnum`

// keysSQL lists the columns of their foreign keys.
const keysSQL = `
SELECT k.conrelid, k.oid, f.relname, a.attname, b.attname
FROM pg_catalog.pg_constraint AS k
JOIN pg_catalog.pg_class AS f ON f.oid = k.confrelid
CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS pair(own, other, place)
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = pair.own
JOIN pg_catalog.pg_attribute AS b ON b.attrelid = k.confrelid AND b.attnum = pair.other
WHERE k.contype = 'f' AND k.conparentid = 0 AND k.conrelid = ANY ($1::oid[])
ORDER BY k.conrelid, k.oid, pair.place`

// Schema describes the tables and views that the role may read. Partitions are left
// out, because their table includes their rows.
func (d *DB) Schema(ctx context.Context) (schema *engine.Schema, err error) {
	err = d.Retry(ctx, func() error {
		return d.server.within(ctx, d.schema, d.server.opts.Wait, func(ctx context.Context, c *conn) error {
			schema, err = d.describe(ctx, c)
			return err
		})
	})
	if err != nil {
		return nil, fail("schema", d.String(), err)
	}
	return schema, nil
}

func (d *DB) describe(ctx context.Context, c *conn) (*engine.Schema, error) {
	schema, byOID := &engine.Schema{}, map[string]*engine.Table{}
	tables, err := c.ask(ctx, tablesSQL, d.schema)
	if err != nil {
		return nil, err
	}
	var oids []string
	for _, row := range tables {
		t := &engine.Table{Name: row[1], View: row[2] == "t", SQL: strings.TrimSpace(row[3]), Comment: row[4]}
		schema.Tables = append(schema.Tables, t)
		byOID[row[0]] = t
		oids = append(oids, row[0])
	}
	columns, err := c.ask(ctx, columnsSQL, array(oids))
	if err != nil {
		return nil, err
	}
	for _, row := range columns {
		key, _ := strconv.Atoi(row[4]) // the server wrote both
		oid, _ := strconv.ParseUint(row[6], 10, 32)
		t := byOID[row[0]]
		t.Columns = append(t.Columns, engine.Column{
			Name: row[1], Type: row[2], Affinity: affinity(uint32(oid), row[2]), Collation: value.Binary.String(),
			NotNull: row[3] == "t", PrimaryKey: key, Generated: row[5] == "t", Comment: row[7],
		})
	}
	keys, err := c.ask(ctx, keysSQL, array(oids))
	if err != nil {
		return nil, err
	}
	last := ""
	for _, row := range keys {
		t := byOID[row[0]]
		if row[1] != last {
			last = row[1]
			t.ForeignKeys = append(t.ForeignKeys, engine.ForeignKey{Table: row[2]})
		}
		key := &t.ForeignKeys[len(t.ForeignKeys)-1]
		key.Columns, key.To = append(key.Columns, row[3]), append(key.To, row[4])
	}
	schema.Tables = slices.DeleteFunc(schema.Tables, func(t *engine.Table) bool { return len(t.Columns) == 0 })
	return schema, nil
}

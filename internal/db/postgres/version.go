package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
)

// versionSQL returns a text that changes when the tables of a schema change. It
// contains the numbers of the tables, the transactions that last described them and
// their columns, their files, which TRUNCATE replaces, and the number of written rows.
// A standby counts no rows, but knows its position in the log.
const versionSQL = `
SELECT CASE
WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text
WHEN current_setting('track_counts')::bool THEN (
	SELECT md5(coalesce(string_agg(concat_ws(' ', c.oid, c.xmin, c.relfilenode, s.n_tup_ins, s.n_tup_upd, s.n_tup_del,
		(SELECT string_agg(a.xmin::text, ' ' ORDER BY a.attnum) FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum > 0)), ',' ORDER BY c.oid), ''))
	FROM pg_catalog.pg_class AS c
	LEFT JOIN pg_catalog.pg_stat_all_tables AS s ON s.relid = c.oid
	WHERE c.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = $1::text) AND c.relkind IN ('r', 'p', 'f', 'v', 'm'))
	|| (SELECT md5(coalesce(string_agg(concat_ws(' ', e.oid, e.xmin), ',' ORDER BY e.oid), '')) FROM pg_catalog.pg_enum AS e)
ELSE '' END`

// frozen is the version of a snapshot.
const frozen = "snapshot"

// Version returns a text that changes when the schema's tables or their rows have
// changed. The change may show a second or so later, because the server counts rows
// with some delay (https://www.postgresql.org/docs/current/monitoring-stats.html).
// Version returns "" if the server does not count.
func (d *DB) Version(ctx context.Context) (string, error) {
	if d.server.opts.Snapshot {
		return frozen, nil
	}
	var rows [][]string
	err := d.Retry(ctx, func() (err error) {
		rows, err = d.server.ask(ctx, versionSQL, d.schema)
		return err
	})
	if server := (*pgconn.PgError)(nil); errors.As(err, &server) && (isStale(err) || server.Code == "42704") {
		return "", nil // another server than Postgres, without these tables and functions
	}
	if err != nil {
		return "", fail("version", d.String(), err)
	}
	return rows[0][0], nil
}

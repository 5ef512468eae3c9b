package postgres

import (
	"context"

	"github.com/birdcall/birdcall/internal/db/engine"
)

// aboutSQL finds the locale of ICU, which versions of Postgres keep under different
// names, or that of the C library.
const aboutSQL = `
SELECT current_setting('server_version'), coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', d.datcollate)
FROM pg_catalog.pg_database AS d WHERE d.datname = current_database()`

// About asks the server.
func (d *DB) About(ctx context.Context) (about engine.About, err error) {
	err = d.Retry(ctx, func() error {
		rows, err := d.server.ask(ctx, aboutSQL)
		if err == nil && len(rows) == 1 {
			about = engine.About{Version: rows[0][0], Collation: rows[0][1]}
		}
		return err
	})
	if err != nil {
		return about, fail("open", d.String(), err)
	}
	return about, nil
}

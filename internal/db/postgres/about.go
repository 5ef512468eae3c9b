package postgres

import "context"

// About is what the answers of a database depend on beside its tables.
type About struct {
	Version   string // of the server, such as 15.18
	Collation string // by which texts are compared and sorted where nothing else is said, such as en_US.UTF-8
}

// aboutSQL finds the locale of ICU, which versions of Postgres keep under different
// names, or that of the C library.
const aboutSQL = `
SELECT current_setting('server_version'), coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', d.datcollate)
FROM pg_catalog.pg_database AS d WHERE d.datname = current_database()`

// About asks the server.
func (d *DB) About(ctx context.Context) (about About, err error) {
	err = d.Again(ctx, func() error {
		rows, err := d.server.ask(ctx, aboutSQL)
		if err == nil && len(rows) == 1 {
			about = About{Version: rows[0][0], Collation: rows[0][1]}
		}
		return err
	})
	if err != nil {
		return about, fail("open", d.String(), err)
	}
	return about, nil
}

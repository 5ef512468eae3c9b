package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
)

// Options adjust Open. A zero field means its default.
type Options struct {
	Connections int           // maximum at once to one Postgres database; default 4
	Statements  int           // kept prepared on each connection; default 256
	Wait        time.Duration // for a free connection; default 1 s
	Time        time.Duration // for one run of a statement; default 5 s
	Value       int           // bytes of one value; default DefaultValue
	Rows        int           // of an engine.Answer; default 10 million
	Bytes       int64         // of memory of an engine.Answer; default 2 GiB
	SQL         int           // bytes of a statement; default 64 KiB
	// AllowWriter accepts superusers and roles that may write.
	AllowWriter bool
	// Snapshot makes all statements read the state at the time of the first one. Its
	// settings give a statement the same rows in the same order each time.
	Snapshot bool
	// Warn, if not nil, is called with a sentence about each unsafe setting.
	Warn func(string)
}

// DefaultValue is the default limit in bytes of one value.
const DefaultValue = 1 << 20

func (o Options) withDefaults() Options {
	o.Connections = cmp.Or(o.Connections, 4)
	o.Statements = cmp.Or(o.Statements, 256)
	o.Wait = cmp.Or(o.Wait, time.Second)
	o.Time = cmp.Or(o.Time, 5*time.Second)
	o.Value = cmp.Or(o.Value, DefaultValue)
	o.Rows = cmp.Or(o.Rows, 10_000_000)
	o.Bytes = cmp.Or(o.Bytes, 2<<30)
	o.SQL = cmp.Or(o.SQL, 64<<10)
	return o
}

// Source is what a URL names: a Postgres database with a schema for each id, or a
// server with a database for each id. Several goroutines may use it at once.
type Source struct {
	target *target
	opts   Options

	mu      sync.Mutex
	servers map[string]*server // by Postgres database
}

// Open reads a URL. It does not connect; Database does. Errors are ErrURL and
// ErrPassword. Close must be called when done.
func Open(address string, opts Options) (*Source, error) {
	t, err := parseURL(address)
	if err != nil {
		return nil, err
	}
	if host := t.weak(); host != "" && opts.Warn != nil {
		opts.Warn(fmt.Sprintf("the connection to %s is open to whoever is in between: only sslmode=verify-full checks whose the server is", host))
	}
	return &Source{target: t, opts: opts.withDefaults(), servers: map[string]*server{}}, nil
}

// String returns the URL, which has no password.
func (s *Source) String() string { return s.target.shown }

// Close closes all connections. No statement may be running.
func (s *Source) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, server := range s.servers {
		server.close()
	}
	s.servers = map[string]*server{}
}

// server returns the server value that connects to the Postgres database of an id.
func (s *Source) server(id string) *server {
	name := s.target.config.Database
	if s.target.each {
		name = id
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.servers[name]
	if p == nil {
		config := s.target.config.Copy()
		config.Database = name
		p = newServer(config, s.opts, s.target.unnamed, s.target.shown)
		s.servers[name] = p
	}
	return p
}

// DB is one database of a Source. Several goroutines may use it at once; each
// statement runs in its own transaction.
type DB struct {
	id     string
	schema string
	server *server
}

// Database connects to the database of an id, and checks what its role may do.
// It fails with ErrMissing if there is none, with ErrWriter if the role may
// write, and with ErrUnavailable.
func (s *Source) Database(ctx context.Context, id string) (*DB, error) {
	d := &DB{id: id, schema: "public", server: s.server(id)}
	err := d.Retry(ctx, func() (err error) {
		if !s.target.each {
			if d.schema, err = d.find(ctx); err != nil {
				return err
			}
		}
		return d.checkRole(ctx)
	})
	if err != nil {
		err = fail("open", d.String(), err)
		if e := (*Error)(nil); errors.As(err, &e) {
			e.Op = "open"
		}
		return nil, err
	}
	return d, nil
}

// String names the server and the id.
func (d *DB) String() string {
	if strings.Contains(d.server.shown, everyDatabase) || strings.Contains(d.server.shown, url.PathEscape(everyDatabase)) {
		return strings.NewReplacer(everyDatabase, d.id, url.PathEscape(everyDatabase), d.id).Replace(d.server.shown)
	}
	return d.id + " of " + d.server.shown
}

// find returns the schema of the id. The schema may be written in lower case, as SQL
// folds a name without quotation marks.
func (d *DB) find(ctx context.Context) (string, error) {
	rows, err := d.server.ask(ctx, `SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname IN ($1::text, lower($1::text)) ORDER BY nspname <> $1::text`, d.id)
	switch {
	case err != nil:
		return "", err
	case len(rows) == 0:
		return "", &Error{Op: "open", Database: d.String(), Err: fmt.Errorf("%w: there is no schema %q", ErrMissing, d.id),
			Hint: "check the URL; for a database per id, it ends in /" + everyDatabase}
	}
	return rows[0][0], nil
}

// checkRole refuses a role that may do more than read.
func (d *DB) checkRole(ctx context.Context) error {
	if d.server.opts.AllowWriter {
		return nil
	}
	rows, err := d.server.ask(ctx, roleSQL, d.schema)
	if err != nil || len(rows) == 0 {
		return err
	}
	const maxReasons = 3 // in the error
	var why []string
	for _, row := range rows[:min(maxReasons, len(rows))] {
		why = append(why, row[1])
	}
	return &Error{Op: "open", Database: d.String(), Err: fmt.Errorf("%w: %s %s", ErrWriter, rows[0][0], strings.Join(why, ", ")),
		Hint: "use a role that has only USAGE on the schema and SELECT on its tables, or say that writers are allowed"}
}

// roleSQL lists the reasons why the current role, or a role that it may become by SET
// ROLE, may write.
const roleSQL = `
WITH me AS (SELECT oid, rolname, rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user),
being AS (
	SELECT me.rolname AS me, r.oid, r.rolname, r.rolsuper, CASE WHEN r.oid = me.oid THEN '' ELSE 'may become ' || r.rolname || ', which ' END AS via
	FROM me JOIN pg_catalog.pg_roles AS r ON r.oid = me.oid OR NOT me.rolsuper AND pg_has_role(me.oid, r.oid, 'MEMBER')
)
SELECT me, via || why FROM being, LATERAL (
	SELECT 1 AS place, 'is a superuser' AS why WHERE rolsuper
	UNION ALL
	SELECT 2, 'is a member of ' || r.rolname FROM pg_catalog.pg_roles AS r
	WHERE r.rolname IN ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program', 'pg_signal_backend') AND NOT being.rolsuper
	AND pg_has_role(being.oid, r.oid, 'USAGE')
	UNION ALL
	SELECT 3, 'may create in the schema ' || $1::text WHERE NOT rolsuper AND has_schema_privilege(being.oid, $1::text, 'CREATE')
	UNION ALL
	(SELECT 4, 'may write to the table ' || c.relname FROM pg_catalog.pg_class AS c
	WHERE c.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = $1::text) AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT rolsuper
	AND (has_table_privilege(being.oid, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') OR has_any_column_privilege(being.oid, c.oid, 'INSERT, UPDATE'))
	ORDER BY c.relname LIMIT 3)
) AS reasons ORDER BY via, place, why`

// Dialect returns Dialect.
func (d *DB) Dialect() *engine.Dialect { return Dialect }

// IsLive reports whether each statement reads the newest state.
func (d *DB) IsLive() bool { return !d.server.opts.Snapshot }

// Fingerprint returns a short text that distinguishes the database from others. It does
// not depend on the data, which may change at any time, so an ETag must come from the
// answer.
func (d *DB) Fingerprint() string { return d.String() }

// Close does nothing: connections belong to the Source.
func (d *DB) Close() error { return nil }

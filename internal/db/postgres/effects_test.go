package postgres_test

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/testkit/pgtest"
)

// effects are objects of a database through which a statement that seems to read does
// more. Functions may be declared STABLE and not be it.
const effects = `
CREATE SCHEMA other;
CREATE TABLE other.names (name text);
INSERT INTO other.names VALUES ('foreign');
GRANT USAGE ON SCHEMA other TO reader;
GRANT SELECT ON other.names TO reader;
CREATE FUNCTION shop.changes(int) RETURNS boolean VOLATILE LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('search_path', 'other', false); RETURN true; END $$;
CREATE FUNCTION shop.says_stable(int) RETURNS int STABLE LANGUAGE plpgsql AS $$ BEGIN
	PERFORM set_config('search_path', 'other', false), set_config('work_mem', '1GB', false), pg_advisory_lock(4711), lo_create(0); RETURN $1; END $$;
CREATE FUNCTION shop.runs(text) RETURNS int STABLE LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN EXECUTE $1 INTO n; RETURN n; END $$;
CREATE FUNCTION shop.fails(int) RETURNS int STABLE LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_lock(4712); RETURN $1 / 0; END $$;
CREATE FUNCTION shop.is_whole(numeric) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$ SELECT $1 = floor($1) $$;
CREATE DOMAIN shop.evil AS int CHECK (shop.changes(VALUE));
CREATE DOMAIN shop.worse AS shop.evil;
CREATE DOMAIN shop.whole AS numeric CHECK (shop.is_whole(VALUE));
CREATE TYPE shop.pair AS (a shop.evil, b int);
CREATE TABLE shop.checked (id int PRIMARY KEY, w shop.whole, e shop.evil);
INSERT INTO shop.checked VALUES (1, 5, 7);
CREATE VIEW shop.shown AS SELECT id, name FROM shop.customers;
CREATE FUNCTION shop.allowed(int) RETURNS boolean STABLE LANGUAGE sql AS $$ SELECT true $$;
CREATE TABLE shop.guarded (id int, v text);
INSERT INTO shop.guarded VALUES (1, 'mine');
ALTER TABLE shop.guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY mine ON shop.guarded USING (shop.allowed(id));
GRANT SELECT ON ALL TABLES IN SCHEMA shop TO reader;
`

// extensions have functions that run SQL from texts.
var extensions = []string{"tablefunc", "xml2", "dblink", "lo"}

func startEffects(t *testing.T) *pgtest.Server {
	t.Helper()
	s := start(t)
	s.Exec(effects)
	for _, name := range extensions {
		s.Exec("DO $$ BEGIN CREATE EXTENSION " + name + " SCHEMA shop; EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'no " + name + "'; END $$")
	}
	return s
}

// before returns what no statement may change: what others see at the server, and, on
// the service's own connection, its settings and the answer of another statement.
func before(t *testing.T, s *pgtest.Server, db *postgres.DB) string {
	t.Helper()
	state := s.Ask(`SELECT (SELECT count(*) FROM pg_class), (SELECT count(*) FROM pg_proc), (SELECT count(*) FROM pg_largeobject_metadata),
		(SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'), (SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in%')`)
	for _, sql := range []string{
		"SELECT current_setting('search_path'), current_setting('work_mem'), current_setting('statement_timeout'), current_setting('transaction_read_only'), current_setting('TimeZone')",
		"SELECT name FROM names ORDER BY name",
	} {
		got, err := lines(db, sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		state += "\n" + got
	}
	return state
}

// TestEffects runs statements that do more than read by way of a text, a domain, a
// view or a false declaration. Each is refused, or leaves nothing behind.
func TestEffects(t *testing.T) {
	t.Parallel()
	s := startEffects(t)
	tests := []struct {
		sql  string
		want error // nil: it may be answered
	}{
		{"SELECT a FROM crosstab('SELECT set_config(''search_path'',''other'',false), ''x''::text, 1') AS t(a text, b int)", postgres.ErrForbidden},
		{"SELECT * FROM crosstab('SELECT lo_create(0)::text, ''x''::text, 1', 'SELECT ''x''::text') AS t(a text, b int)", postgres.ErrForbidden},
		{"SELECT * FROM crosstab2('SELECT pg_advisory_lock(77)::text, ''x''::text, ''y''::text')", postgres.ErrForbidden},
		{"SELECT a FROM crosstab('SELECT pg_terminate_backend(pid)::text, ''x''::text, 1 FROM pg_stat_activity WHERE pid <> pg_backend_pid()') AS t(a text, b int)", postgres.ErrForbidden},
		{"SELECT * FROM connectby('customers', 'id', 'id', '1', 0) AS t(a int, b int, c int)", postgres.ErrForbidden},
		{"SELECT * FROM xpath_table('id', 'set_config(''search_path'',''other'',false)', 'customers', '/a', 'true') AS t(id int, a text)", postgres.ErrForbidden},
		{"SELECT dblink_connect('x', 'dbname=postgres')", postgres.ErrForbidden},
		{"SELECT table_to_xml('dice', true, false, '')", postgres.ErrForbidden},
		{"SELECT table_to_xmlschema('dice', true, false, '')", postgres.ErrForbidden},
		{"SELECT schema_to_xml('shop', true, false, '')", postgres.ErrForbidden},
		{"SELECT database_to_xml(true, false, '')", postgres.ErrForbidden},
		{"SELECT cursor_to_xml('x', 1, true, false, '')", postgres.ErrForbidden},
		{"SELECT * FROM ts_stat('SELECT to_tsvector(name) FROM customers')", postgres.ErrForbidden},
		{"SELECT ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, ''b''::tsquery')", postgres.ErrForbidden},
		{"SELECT runs('SELECT pg_advisory_lock(5)')", postgres.ErrForbidden},
		{"SELECT CAST(5 AS evil)", postgres.ErrForbidden},
		{"SELECT id::evil FROM customers", postgres.ErrForbidden},
		{"SELECT 5::worse", postgres.ErrForbidden},
		{"SELECT '{5}'::evil[]", postgres.ErrForbidden},
		{"SELECT ROW(5, 6)::pair", postgres.ErrForbidden},
		{"SELECT '(5,6)'::pair", postgres.ErrForbidden},
		{"SELECT * FROM json_populate_record(NULL::pair, '{\"a\": 5}')", postgres.ErrForbidden},
		{"SELECT * FROM json_to_recordset('[{\"a\": 5}]') AS t(a evil)", postgres.ErrForbidden},
		{"SELECT * FROM xmltable('/a' PASSING ('<a>5</a>'::xml) COLUMNS v evil PATH '.')", postgres.ErrForbidden},
		{"SELECT says_stable(1)", nil},
		{"SELECT says_stable(id) FROM customers WHERE says_stable(id) > 1", nil},
		{"SELECT fails(1)", postgres.ErrComputation},
	}
	check := func(t *testing.T, db *postgres.DB) {
		was := before(t, s, db)
		for _, test := range tests {
			_, err := lines(db, test.sql)
			if test.want != nil && !errors.Is(err, test.want) {
				if engineLacks(err) {
					continue // an extension that is not installed here
				}
				t.Errorf("%s: got %v, want %v", test.sql, err, test.want)
			}
			if now := before(t, s, db); now != was {
				t.Fatalf("after %s: got %s, want %s", test.sql, now, was)
			}
		}
	}
	t.Run("direct", func(t *testing.T) { check(t, open(t, s, postgres.Options{Connections: 1})) })
	t.Run("pooled", func(t *testing.T) {
		check(t, openURL(t, "postgres://reader@"+s.Bouncer(t)+"/postgres?sslmode=disable", postgres.Options{Connections: 1}))
	})
	t.Run("conversion", func(t *testing.T) { check(t, open(t, s, postgres.Options{Connections: 1, Snapshot: true})) })

	db := open(t, s, postgres.Options{Connections: 1})
	for sql, want := range map[string]string{
		"SELECT w, e FROM checked":             "5 7", // what is read is not checked
		"SELECT id::whole FROM checked":        "1",
		"SELECT e + 1 FROM checked":            "8",
		"SELECT max(e), count(w) FROM checked": "7 1",
		"SELECT v FROM guarded":                `"mine"`,
		"SELECT name FROM shown WHERE id=1":    `"Ann"`,
	} {
		if got, err := lines(db, sql); got != want || err != nil {
			t.Errorf("%s: got %s, %v, want %s", sql, got, err, want)
		}
	}
}

// engineLacks reports whether a statement names a function that does not exist.
func engineLacks(err error) bool {
	return err != nil && strings.Contains(err.Error(), "42883")
}

// TestReplaced changes what prepared statements depend on. They run with what is as
// good as before, and not at all with what does more than read.
func TestReplaced(t *testing.T) {
	t.Parallel()
	s := startEffects(t)
	for _, c := range []struct {
		sql, args          string
		harmless, harmful  string
		want, wantHarmless string
	}{
		{sql: "SELECT name FROM shown WHERE id = 1", want: `"Ann"`,
			harmless: "CREATE OR REPLACE VIEW shop.shown AS SELECT id, upper(name)::varchar(40) AS name FROM shop.customers", wantHarmless: `"ANN"`,
			harmful: "CREATE OR REPLACE VIEW shop.shown AS SELECT id, set_config('search_path', 'other', false)::varchar(40) AS name FROM shop.customers"},
		{sql: "SELECT v FROM guarded", want: `"mine"`,
			harmless: "DROP POLICY mine ON shop.guarded; CREATE POLICY mine ON shop.guarded USING (id < 5)", wantHarmless: `"mine"`,
			harmful: "DROP POLICY mine ON shop.guarded; CREATE POLICY mine ON shop.guarded USING (shop.changes(id))"},
		{sql: "SELECT plain(1)", want: "2",
			harmless: "CREATE OR REPLACE FUNCTION shop.plain(int) RETURNS int STABLE LANGUAGE sql AS 'SELECT $1 + 2'", wantHarmless: "3",
			harmful: "CREATE OR REPLACE FUNCTION shop.plain(int) RETURNS int VOLATILE LANGUAGE sql AS 'SELECT length(set_config(''search_path'', ''other'', false))'"},
		{sql: "SELECT 5::whole", want: "5",
			harmless: "ALTER DOMAIN shop.whole ADD CHECK (VALUE < 100)", wantHarmless: "5",
			harmful: "ALTER DOMAIN shop.whole ADD CHECK (shop.changes(VALUE::int))"},
	} {
		t.Run(c.sql, func(t *testing.T) {
			db := open(t, s, postgres.Options{Connections: 1})
			was := before(t, s, db)
			statement, err := db.Prepare(t.Context(), c.sql)
			if err != nil {
				t.Fatal(err)
			}
			run := func() (string, error) {
				var got []byte
				err := statement.Run(t.Context(), nil, func(r engine.Row) bool { got = r.AppendJSON(got, 0); return true })
				return string(got), err
			}
			for _, step := range []struct{ change, want string }{{"SELECT 1", c.want}, {"SELECT 1", c.want}, {c.harmless, c.wantHarmless}} {
				s.Exec(step.change)
				if got, err := run(); got != step.want || err != nil {
					t.Errorf("after %s: got %s, %v, want %s", step.change, got, err, step.want)
				}
			}
			objects := before(t, s, db)
			s.Exec(c.harmful)
			for range 2 {
				if got, err := run(); !errors.Is(err, postgres.ErrSchema) || got != "" {
					t.Errorf("after %s: got %s, %v", c.harmful, got, err)
				}
			}
			now := before(t, s, db)
			if _, now, _ := strings.Cut(now, "\n"); !strings.HasSuffix(was, now) {
				t.Errorf("afterwards: got %s, want %s and %s", now, was, objects)
			}
		})
	}
}

// TestTableBecomesView puts a view that does more than read instead of a table.
// No guard looks at tables, but what the view does is undone.
func TestTableBecomesView(t *testing.T) {
	t.Parallel()
	s := startEffects(t)
	db := open(t, s, postgres.Options{Connections: 1})
	statement, err := db.Prepare(t.Context(), "SELECT total FROM orders WHERE id = 3")
	if err != nil {
		t.Fatal(err)
	}
	run := func() error { return statement.Run(t.Context(), nil, func(engine.Row) bool { return true }) }
	if err := run(); err != nil {
		t.Fatal(err)
	}
	s.Exec(`ALTER TABLE shop.orders RENAME TO past; CREATE VIEW shop.orders AS SELECT * FROM shop.past WHERE set_config('search_path', 'other', false) = 'other';
		GRANT SELECT ON shop.orders TO reader`)
	settings := before(t, s, db)
	if err := run(); err != nil {
		t.Fatal(err)
	}
	if now := before(t, s, db); now != settings || !strings.Contains(now, "Ann") {
		t.Errorf("got %s, want %s", now, settings)
	}
}

// TestRolesThatMayBecomeOthers refuses roles that can write by SET ROLE.
func TestRolesThatMayBecomeOthers(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.Exec(`CREATE ROLE writer; GRANT INSERT ON shop.orders TO writer;
		CREATE ROLE quiet LOGIN NOINHERIT IN ROLE writer; GRANT USAGE ON SCHEMA shop TO quiet;
		CREATE ROLE escalates LOGIN NOINHERIT; GRANT postgres TO escalates; GRANT USAGE ON SCHEMA shop TO escalates;
		CREATE ROLE groups; CREATE ROLE fine LOGIN IN ROLE groups; GRANT USAGE ON SCHEMA shop TO fine`)
	for role, want := range map[string]string{
		"quiet": "may become writer, which may write to the table orders", "escalates": "may become postgres, which is a superuser", "fine": "",
	} {
		source, err := postgres.Open(s.URL(role, "postgres", "?sslmode=disable"), postgres.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = source.Database(t.Context(), "shop")
		if want == "" && err != nil || want != "" && (!errors.Is(err, postgres.ErrWriter) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", role, err, want)
		}
		source.Close()
	}
}

// TestAttacksOfFile runs the statements of a file, one a line, on the objects of
// another: attacks.sql and objects.sql of the folder BIRDCALL_ATTACKS. Whatever becomes
// of them, others see the same afterwards.
func TestAttacksOfFile(t *testing.T) {
	folder := os.Getenv("BIRDCALL_ATTACKS")
	if folder == "" {
		t.Skip("needs BIRDCALL_ATTACKS")
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	s := pgtest.Start(t)
	s.Exec(read("objects.sql"))
	s.Exec("CREATE VIEW shop.names AS SELECT name FROM shop.customer WHERE id < 3; GRANT SELECT ON shop.names TO reader")
	attacks := read("attacks.sql")
	for name, url := range map[string]string{"direct": s.URL("reader", "postgres", "?sslmode=disable"), "pooled": "postgres://reader@" + s.Bouncer(t) + "/postgres?sslmode=disable"} {
		t.Run(name, func(t *testing.T) {
			db := openURL(t, url, postgres.Options{Connections: 1})
			was := before(t, s, db)
			answered, refused := 0, 0
			for in := bufio.NewScanner(strings.NewReader(attacks)); in.Scan(); {
				sql := in.Text()
				if strings.HasPrefix(sql, "--") {
					continue
				}
				if _, err := lines(db, sql); err != nil {
					refused++
				} else {
					answered++
				}
				if now := before(t, s, db); now != was {
					t.Errorf("after %s: got %s, want %s", sql, now, was)
					was = now
				}
			}
			t.Logf("%d answered, %d refused", answered, refused)
		})
	}
	for _, role := range []string{"writer", "escal"} {
		source, err := postgres.Open(s.URL(role, "postgres", "?sslmode=disable"), postgres.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := source.Database(t.Context(), "shop"); !errors.Is(err, postgres.ErrWriter) {
			t.Errorf("%s: got %v", role, err)
		}
		source.Close()
	}
}

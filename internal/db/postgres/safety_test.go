package postgres_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/testkit/pgtest"
)

func TestAttacks(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.Exec(`DO $$ BEGIN CREATE EXTENSION dblink SCHEMA shop; EXCEPTION WHEN OTHERS THEN NULL; END $$`)
	hasDBLink := s.Ask("SELECT count(*) FROM pg_extension WHERE extname = 'dblink'") == "1"
	// Several connections would hide what is left on one.
	db := open(t, s, postgres.Options{Connections: 1})
	if _, err := lines(db, "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	state := func() string {
		return s.Ask(`SELECT (SELECT count(*) FROM pg_class), (SELECT count(*) FROM pg_proc), (SELECT count(*) FROM pg_largeobject_metadata),
			(SELECT sum(id) FROM shop.orders), (SELECT last_value FROM shop.numbers), (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'),
			(SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in%')`)
	}
	const pooled = `SELECT current_setting('statement_timeout') || current_setting('transaction_read_only') || current_setting('search_path') || current_setting('timezone') || current_setting('work_mem')`
	before := state()
	settings, err := lines(db, pooled)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		sql  string
		want error // nil: any
	}{
		{"SELECT set_config('transaction_read_only', 'off', false)", postgres.ErrForbidden},
		{"SELECT pg_catalog.set_config('statement_timeout', '0', false)", postgres.ErrForbidden},
		{`SELECT "set_config"('work_mem', '1GB', false)`, postgres.ErrForbidden},
		{"SELECT * FROM customers, set_config('work_mem', '1GB', false)", postgres.ErrForbidden},
		{"SELECT name FROM customers ORDER BY set_config('work_mem', '1GB', false)", postgres.ErrForbidden},
		{"SELECT count(*) FILTER (WHERE set_config('work_mem', '1GB', false) = '') FROM customers", postgres.ErrForbidden},
		{"SELECT name FROM customers WHERE id IN (SELECT length(set_config('work_mem', '1GB', false)))", postgres.ErrForbidden},
		{"WITH x AS (SELECT set_config('work_mem', '1GB', false)) SELECT * FROM x", postgres.ErrForbidden},
		{"VALUES (set_config('work_mem', '1GB', false))", postgres.ErrForbidden},
		{"SELECT 1 LIMIT length(set_config('work_mem', '1GB', false))", postgres.ErrForbidden},
		{"SELECT lo_create(4711)", postgres.ErrForbidden},
		{"SELECT lo_from_bytea(0, 'x')", postgres.ErrForbidden},
		{"SELECT pg_advisory_lock(1)", postgres.ErrForbidden},
		{"SELECT pg_try_advisory_xact_lock_shared(1)", postgres.ErrForbidden},
		{"SELECT query_to_xml('SELECT set_config(''work_mem'', ''1GB'', false)', true, false, '')", postgres.ErrForbidden},
		{"SELECT nextval('numbers')", postgres.ErrForbidden},
		{"SELECT pg_sleep(100)", postgres.ErrForbidden},
		{"SELECT pg_terminate_backend(1)", postgres.ErrForbidden},
		{"SELECT pg_notify('a', 'b')", postgres.ErrForbidden},
		{"SELECT pg_export_snapshot()", postgres.ErrForbidden},
		{"SELECT txid_current()", postgres.ErrForbidden},
		{"SELECT random()", postgres.ErrForbidden},
		{"SELECT * FROM customers TABLESAMPLE bernoulli (50)", postgres.ErrForbidden},
		{"SELECT n FROM dice", postgres.ErrForbidden},
		{"SELECT shop.lower('A')", postgres.ErrForbidden},
		{"SELECT abs('A'::text)", postgres.ErrForbidden},
		{"SELECT 1 OPERATOR(shop.###) 2", postgres.ErrForbidden},
		{"SELECT 1 ### 2", postgres.ErrForbidden},
		{"SELECT odd(1)", postgres.ErrForbidden},
		{"SELECT odd(1) OVER ()", postgres.ErrForbidden},
		{"SELECT customers.loud FROM customers", postgres.ErrForbidden},
		{"WITH gone AS (DELETE FROM orders RETURNING id) SELECT * FROM gone", nil},
		{"WITH x AS (INSERT INTO orders VALUES (1000, 1) RETURNING id) SELECT * FROM x", nil},
		{"SELECT * INTO other FROM customers", postgres.ErrNotSelect},
		{"SELECT * INTO TEMP other FROM customers", postgres.ErrNotSelect},
		{"SELECT * FROM customers FOR UPDATE", nil},
		{"SELECT * FROM (SELECT * FROM customers FOR SHARE) AS x", nil},
		{"SELECT 1; SELECT 2", postgres.ErrManyStatements},
		{"SELECT 1; DROP TABLE orders", postgres.ErrManyStatements},
		{"COMMIT; DROP TABLE orders", postgres.ErrManyStatements},
		{"DELETE FROM orders", nil},
		{"DROP TABLE orders", postgres.ErrNotSelect},
		{"COMMIT", postgres.ErrNotSelect},
		{"SET work_mem = '1GB'", postgres.ErrNotSelect},
		{"DO 'BEGIN END'", postgres.ErrNotSelect},
		{"COPY orders TO PROGRAM 'true'", postgres.ErrNotSelect},
		{"EXPLAIN ANALYZE SELECT 1", postgres.ErrNotSelect},
		{"EXECUTE birdcall_1", postgres.ErrNotSelect},
		{"LISTEN a", postgres.ErrNotSelect},
		{"LOCK TABLE orders", postgres.ErrNotSelect},
		{"DECLARE c CURSOR WITH HOLD FOR SELECT 1", postgres.ErrNotSelect},
		{"", postgres.ErrNotSelect},
		{" ; ", postgres.ErrNotSelect},
		{"-- nothing", postgres.ErrNotSelect},
		{"SELECT 1\x00", postgres.ErrNotSelect},
		{"SELECT pg_read_file('PG_VERSION')", nil},
		{"SELECT '" + strings.Repeat("a", 70_000) + "'", postgres.ErrTooLarge},
		{`SELECT 1 AS ":funcid 0", set_config('work_mem', '1GB', false) AS "{QUERY :commandType 1"`, postgres.ErrForbidden},
	}
	if hasDBLink {
		tests = append(tests, struct {
			sql  string
			want error
		}{"SELECT * FROM dblink('dbname=postgres', 'SELECT 1') AS x(a int)", postgres.ErrForbidden})
	}
	for _, test := range tests {
		got, err := lines(db, test.sql)
		if err == nil {
			t.Errorf("%.80s: answered %s", test.sql, got)
		}
		if test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%.80s: got %v, want %v", test.sql, err, test.want)
		}
	}
	if after, err := lines(db, pooled); err != nil || after != settings {
		t.Errorf("the settings are %s, %v, and were %s", after, err, settings)
	}
	if after := state(); after != before {
		t.Errorf("the server's state is %s and was %s", after, before)
	}
}

func testReadingIsAllowed(t *testing.T, s *pgtest.Server) {
	db := open(t, s, postgres.Options{})
	tests := []struct{ sql, want string }{
		{"SELECT lower('A')", `"a"`}, // the built-in one
		{"SELECT plain(1)", "2"},
		{"SELECT now() = current_timestamp, current_date = now()::date", "true true"},
		{"TABLE names", "\"Ann\"\n\"Bob\""},
		{"VALUES (1), (2);", "1\n2"},
		{"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT sum(i) FROM n", "6"},
		{"SELECT ':commandType 3 :hasForUpdate true :funcid 1598' AS \":hasModifyingCTE\"", `":commandType 3 :hasForUpdate true :funcid 1598"`},
		{"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total), rank() OVER () FROM orders GROUP BY ()", "50.5 1"},
		{"SELECT c.name, count(*) FROM customers AS c JOIN orders AS o ON o.customer = c.id GROUP BY c.name ORDER BY 1 /* last */ -- end", "\"Ann\" 50\n\"Bob\" 50"},
		{"SELECT (1, 2) < (1, 3), '{1,2}'::int[] @> ARRAY[1], 'a' ~ 'b'", "true true false"},
	}
	for _, test := range tests {
		if got, err := lines(db, test.sql); err != nil || got != test.want {
			t.Errorf("%s: got %s, %v, want %s", test.sql, got, err, test.want)
		}
	}
}

func TestRoles(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.Exec(`CREATE ROLE writer LOGIN; GRANT USAGE ON SCHEMA shop TO writer; GRANT SELECT, INSERT ON shop.orders TO writer;
		CREATE ROLE updater LOGIN; GRANT USAGE ON SCHEMA shop TO updater; GRANT UPDATE (name) ON shop.customers TO updater;
		CREATE ROLE creator LOGIN; GRANT USAGE, CREATE ON SCHEMA shop TO creator;
		CREATE ROLE all_writer LOGIN IN ROLE pg_write_all_data;
		CREATE ROLE member LOGIN IN ROLE writer;
		CREATE ROLE owner LOGIN; GRANT USAGE ON SCHEMA shop TO owner; CREATE TABLE shop.own (a int); ALTER TABLE shop.own OWNER TO owner`)
	tests := []struct {
		role  string
		allow bool
		want  string // part of the error
	}{
		{"reader", false, ""},
		{"postgres", false, "is a superuser"},
		{"writer", false, "may write to the table orders"},
		{"updater", false, "may write to the table customers"},
		{"creator", false, "may create in the schema shop"},
		{"all_writer", false, "is a member of pg_write_all_data"},
		{"member", false, "may write to the table orders"},
		{"owner", false, "may write to the table own"},
		{"postgres", true, ""},
		{"writer", true, ""},
	}
	for _, test := range tests {
		source, err := postgres.Open(s.URL(test.role, "postgres", "?sslmode=disable"), postgres.Options{AllowWriter: test.allow})
		if err != nil {
			t.Fatal(err)
		}
		_, err = source.Database(t.Context(), "shop")
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.role, err)
		case test.want != "" && (!errors.Is(err, postgres.ErrWriter) || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: got %v, want %s", test.role, err, test.want)
		}
		source.Close()
	}
}

func TestURLs(t *testing.T) {
	tests := []struct {
		url  string
		want error
		warn bool
	}{
		{"postgres://reader@127.0.0.1/shop", nil, false},
		{"postgres://reader@127.0.0.1:5433,localhost:5434/{db}", nil, false},
		{"postgresql://reader@db.example/shop", nil, true},
		{"postgres://reader@db.example/shop?sslmode=require", nil, true},
		{"postgres://reader@db.example/shop?sslmode=verify-full", nil, false},
		{"postgres://reader@127.0.0.1,db.example/shop?sslmode=disable", nil, true},
		{"postgres://reader@/shop?host=/tmp", nil, false},
		{"postgres://reader@h/shop?default_query_exec_mode=exec", nil, true},
		{"postgres://reader@h/shop?default_query_exec_mode=other", postgres.ErrURL, false},
		{"postgres://reader:secret@127.0.0.1/shop", postgres.ErrPassword, false},
		{"postgres://reader:se@cret@127.0.0.1/shop", postgres.ErrPassword, false},
		{"postgres://127.0.0.1/shop?password=secret", postgres.ErrPassword, false},
		{"postgres://127.0.0.1/shop?sslpassword=secret", postgres.ErrPassword, false},
		{"postgres://127.0.0.1/shop?search_path=secret", postgres.ErrURL, false},
		{"postgres://127.0.0.1:secret/shop", postgres.ErrURL, false},
		{"postgres://reader:12/secret@127.0.0.1/shop", postgres.ErrURL, false},
		{"postgres://reader:12#secret@127.0.0.1/shop", postgres.ErrURL, false},
		{"postgres://reader:12?application_name=secret@127.0.0.1/shop", postgres.ErrURL, false},
		{"mysql://secret@127.0.0.1/shop", postgres.ErrURL, false},
		{"host=127.0.0.1 password=secret", postgres.ErrURL, false},
		{"", postgres.ErrURL, false},
	}
	for _, test := range tests {
		warned := false
		_, err := postgres.Open(test.url, postgres.Options{Warn: func(string) { warned = true }})
		if !errors.Is(err, test.want) || warned != test.warn {
			t.Errorf("%s: got %v, warned %v; want %v, %v", test.url, err, warned, test.want, test.warn)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error shows it: %v", test.url, err)
		}
	}
}

func TestPasswordIsNotTold(t *testing.T) {
	s := start(t, "log_connections=on")
	t.Setenv("PGPASSWORD", "hush-hush")
	source, err := postgres.Open(s.URL("nobody", "postgres", "?sslmode=disable"), postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	_, err = source.Database(t.Context(), "shop")
	if err == nil || strings.Contains(err.Error()+source.String(), "hush-hush") {
		t.Errorf("got %v of %s", err, source)
	}
}

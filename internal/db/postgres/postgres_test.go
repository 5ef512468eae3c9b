package postgres_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/testkit/pgtest"
	"github.com/birdcall/birdcall/pkg/value"
)

const setup = `
CREATE ROLE reader LOGIN;
CREATE SCHEMA shop;
CREATE TYPE shop.mood AS ENUM ('sad', 'happy');
CREATE DOMAIN shop.amount AS numeric(10,2);
CREATE TABLE shop.customers (id int PRIMARY KEY, name varchar(40) NOT NULL, joined date, feels shop.mood, paid shop.amount, tags text[], doc jsonb, photo bytea);
COMMENT ON TABLE shop.customers IS 'those who buy';
COMMENT ON COLUMN shop.customers.joined IS 'first order';
CREATE TABLE shop.orders (id bigint PRIMARY KEY, customer int NOT NULL REFERENCES shop.customers (id), placed timestamptz, total double precision);
CREATE VIEW shop.names AS SELECT name FROM shop.customers;
INSERT INTO shop.customers VALUES (1, 'Ann', '2020-02-29', 'happy', 12.50, '{a,b}', '{"a": 1}', '\x00ff'), (2, 'Bob', NULL, 'sad', NULL, NULL, NULL, NULL);
INSERT INTO shop.orders SELECT n, 1 + n % 2, '2024-01-01', n FROM generate_series(1, 100) AS n;
CREATE FUNCTION shop.lower(text) RETURNS text VOLATILE LANGUAGE sql AS $$ SELECT 'mine' $$;
CREATE FUNCTION shop.abs(text) RETURNS text VOLATILE LANGUAGE sql AS $$ SELECT 'mine' $$;
CREATE FUNCTION shop.plain(int) RETURNS int STABLE LANGUAGE sql AS $$ SELECT $1 + 1 $$;
CREATE FUNCTION shop.op(int, int) RETURNS int VOLATILE LANGUAGE sql AS $$ SELECT 1 $$;
CREATE OPERATOR shop.### (LEFTARG = int, RIGHTARG = int, FUNCTION = shop.op);
CREATE FUNCTION shop.step(int, int) RETURNS int VOLATILE LANGUAGE sql AS $$ SELECT 1 $$;
CREATE AGGREGATE shop.odd(int) (SFUNC = shop.step, STYPE = int, INITCOND = '0');
CREATE VIEW shop.dice AS SELECT random() AS n;
CREATE FUNCTION shop.loud(shop.customers) RETURNS text VOLATILE LANGUAGE sql AS $$ SELECT 'loud' $$;
CREATE SEQUENCE shop.numbers;
GRANT USAGE ON SCHEMA shop TO reader;
GRANT SELECT ON ALL TABLES IN SCHEMA shop TO reader;
GRANT USAGE ON SEQUENCE shop.numbers TO reader;
`

// start starts a server with the tables of setup.
func start(t testing.TB, settings ...string) *pgtest.Server {
	t.Helper()
	s := pgtest.Start(t, settings...)
	s.Exec(setup)
	return s
}

// open opens the schema shop as the role reader.
func open(t testing.TB, s *pgtest.Server, opts postgres.Options) *postgres.DB {
	t.Helper()
	return openURL(t, s.URL("reader", "postgres", "?sslmode=disable"), opts)
}

func openURL(t testing.TB, url string, opts postgres.Options) *postgres.DB {
	t.Helper()
	source, err := postgres.Open(url, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(source.Close)
	db, err := source.Database(context.Background(), "shop")
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// TestReading has the tests that leave everything as it is, on one server: to start
// one takes longer than most of them.
func TestReading(t *testing.T) {
	t.Parallel()
	s := start(t)
	tests := []struct {
		name string
		run  func(*testing.T, *pgtest.Server)
	}{
		{"parameters", testParameters},
		{"description", testDescription},
		{"allowed", testReadingIsAllowed},
		{"answer", testAnswer},
		{"limit of answers", testLimitOfAnswers},
		{"answers wait", testAnswersWait},
		{"errors", testErrors},
		{"cut", testCut},
		{"client gone", testClientGone},
		{"pool", testPool},
		{"panics", testPanicsLoseNoConnection},
		{"few statements are kept", testFewStatementsAreKept},
		{"values", testValues}, // last, as it gives the role other settings
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, s) })
	}
}

// lines runs a statement and returns its rows as lines of JSON.
func lines(db *postgres.DB, sql string, args ...value.Value) (string, error) {
	ctx := context.Background()
	s, err := db.Prepare(ctx, sql)
	if err != nil {
		return "", err
	}
	var b []byte
	err = db.Retry(ctx, func() error {
		b = b[:0]
		return s.Run(ctx, args, func(r engine.Row) bool {
			for i := range s.Columns() {
				if i > 0 {
					b = append(b, ' ')
				}
				b = r.AppendJSON(b, i)
			}
			b = append(b, '\n')
			return true
		})
	})
	return strings.TrimSuffix(string(b), "\n"), err
}

func testValues(t *testing.T, s *pgtest.Server) {
	db := open(t, s, postgres.Options{})
	tests := []struct{ sql, json, csv string }{
		{"1::smallint", "1", "1"},
		{"9223372036854775807", "9223372036854775807", "9223372036854775807"},
		{"4000000000::oid", "4000000000", "4000000000"},
		{"1::real", "1.0", "1.0"},
		{"0.1::real", "0.1", "0.1"},
		{"0.1::float8 + 0.2::float8", "0.30000000000000004", "0.30000000000000004"},
		{"1e20::float8", "1e+20", "1e+20"},
		{"'NaN'::float8", `{"real":"NaN"}`, "NaN"},
		{"'-Infinity'::real", `{"real":"-Inf"}`, "-Inf"},
		{"'-0'::float8", "-0.0", "-0.0"},
		{"12.50", "12.50", "12.50"},
		{"12345678901234567890123.4567890", "12345678901234567890123.4567890", "12345678901234567890123.4567890"},
		{"sum(n) FROM (VALUES (9223372036854775807), (1)) AS v(n)", "9223372036854775808", "9223372036854775808"},
		{"'NaN'::numeric", `{"real":"NaN"}`, "NaN"},
		{"true", "true", "true"},
		{"false", "false", "false"},
		{"NULL::int", "null", ""},
		{"''", `""`, `""`},
		{`E'a"b\n\u00e9'`, `"a\"b\né"`, "\"a\"\"b\né\""},
		{"'ab'::char(4)", `"ab  "`, `"ab  "`},
		{"'x'::name", `"x"`, `"x"`},
		{"date '2024-02-29'", `"2024-02-29"`, `"2024-02-29"`},
		{"date '0044-03-15 BC'", `"-0043-03-15"`, `"-0043-03-15"`},
		{"date '0001-03-15 BC'", `"0000-03-15"`, `"0000-03-15"`},
		{"date '12024-03-15'", `"+12024-03-15"`, `"+12024-03-15"`},
		{"date 'infinity'", `"infinity"`, `"infinity"`},
		{"time '23:59:59.5'", `"23:59:59.5"`, `"23:59:59.5"`},
		{"timetz '23:59:59+02'", `"23:59:59+02"`, `"23:59:59+02"`},
		{"timestamp '2024-02-29 23:59:59.000001'", `"2024-02-29T23:59:59.000001"`, `"2024-02-29T23:59:59.000001"`},
		{"timestamptz '2024-02-29 23:59:59+02'", `"2024-02-29T21:59:59Z"`, `"2024-02-29T21:59:59Z"`},
		{"timestamptz '0044-02-28 23:59:59+00 BC'", `"-0043-02-28T23:59:59Z"`, `"-0043-02-28T23:59:59Z"`},
		{"interval '1 year 2 mons -3 days 04:05:06.7'", `"P1Y2M-3DT4H5M6.7S"`, `"P1Y2M-3DT4H5M6.7S"`},
		{"interval '-00:00:00.5'", `"PT-0.5S"`, `"PT-0.5S"`},
		{"interval '0'", `"PT0S"`, `"PT0S"`},
		{"interval '100 hours'", `"PT100H"`, `"PT100H"`},
		{`'\x00ff'::bytea`, `{"blob":"00ff"}`, "x'00ff'"},
		{"''::bytea", `{"blob":""}`, "x''"},
		{"ARRAY[[1,2],[3,NULL]]", "[[1,2],[3,null]]", `"[[1,2],[3,null]]"`},
		{"'{}'::text[]", "[]", `"[]"`},
		{`ARRAY['a"b', 'c,d', '', NULL, 'NULL', '\']`, `["a\"b","c,d","",null,"NULL","\\"]`, `"[""a\""b"",""c,d"","""",null,""NULL"",""\\""]"`},
		{"'[0:1]={5,6}'::int[]", "[5,6]", `"[5,6]"`},
		{"ARRAY[timestamptz '2024-01-01 00:00+00']", `["2024-01-01T00:00:00Z"]`, `"[""2024-01-01T00:00:00Z""]"`},
		{"ARRAY[1.50::shop.amount]", "[1.50]", `"[1.50]"`},
		{"ARRAY['a'::bytea]", `[{"blob":"61"}]`, `"[{""blob"":""61""}]"`},
		{"ARRAY[box '((1,1),(0,0))', box '((2,2),(0,0))']", `["(1,1),(0,0)","(2,2),(0,0)"]`, `"[""(1,1),(0,0)"",""(2,2),(0,0)""]"`},
		{"'1 2'::oidvector", `"1 2"`, `"1 2"`},
		{`'{"b": 1.50, "a": [1,  2]}'::json`, `{"b": 1.50, "a": [1,  2]}`, `"{""b"": 1.50, ""a"": [1,  2]}"`},
		{`E'{"a":\n1}'::json`, `{"a": 1}`, `"{""a"": 1}"`},
		{`'{"b": 1.50, "a": null}'::jsonb`, `{"a": null, "b": 1.50}`, `"{""a"": null, ""b"": 1.50}"`},
		{"ARRAY['{\"a\": 1}'::jsonb]", `[{"a": 1}]`, `"[{""a"": 1}]"`},
		{"'happy'::shop.mood", `"happy"`, `"happy"`},
		{"ARRAY['sad'::shop.mood]", `["sad"]`, `"[""sad""]"`},
		{"12.5::shop.amount", "12.50", "12.50"},
		{"'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", `"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"`, `"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"`},
		{"'192.168.0.1/24'::inet", `"192.168.0.1/24"`, `"192.168.0.1/24"`},
		{"int4range(1, 5)", `"[1,5)"`, `"[1,5)"`},
		{"row(1, 'a')", `"(1,a)"`, `"(1,a)"`},
		{"interval '1 day'::text", `"1 day"`, `"1 day"`},
		{"timestamptz '2024-02-29 23:59:59+02'::text", `"2024-02-29 21:59:59+00"`, `"2024-02-29 21:59:59+00"`},
	}
	s.Exec("ALTER ROLE reader SET timezone = 'Asia/Tokyo'; ALTER ROLE reader SET datestyle = 'SQL, DMY'; ALTER ROLE reader SET intervalstyle = 'iso_8601'; ALTER ROLE reader SET extra_float_digits = 0; ALTER ROLE reader SET bytea_output = 'escape'")
	foreign := open(t, s, postgres.Options{})
	for _, test := range tests {
		for i, db := range []*postgres.DB{db, foreign} {
			statement, err := db.Prepare(t.Context(), "SELECT "+test.sql)
			if err != nil {
				t.Errorf("%s: %v", test.sql, err)
				continue
			}
			var inJSON, inCSV string
			if err := statement.Run(t.Context(), nil, func(r engine.Row) bool {
				inJSON, inCSV = string(r.AppendJSON(nil, 0)), string(r.AppendCSV(nil, 0))
				r.(*postgres.Row).Value(0)
				return true
			}); err != nil {
				t.Errorf("%s: %v", test.sql, err)
			}
			if inJSON != test.json || inCSV != test.csv {
				t.Errorf("%s with settings %d:\n got %s and %s\nwant %s and %s", test.sql, i, inJSON, inCSV, test.json, test.csv)
			}
			if !json.Valid([]byte(inJSON)) {
				t.Errorf("%s: %s is no JSON", test.sql, inJSON)
			}
		}
	}
}

func testParameters(t *testing.T, s *pgtest.Server) {
	db := open(t, s, postgres.Options{})
	tests := []struct {
		sql  string
		args []value.Value
		want string
	}{
		{"SELECT name FROM customers WHERE id = $1", []value.Value{value.Int(1)}, `"Ann"`},
		{"SELECT id FROM customers WHERE name = $1", []value.Value{value.Str("Bob")}, "2"},
		{"SELECT count(*) FROM orders WHERE total > $1", []value.Value{value.Float(97.5)}, "3"},
		{"SELECT id FROM customers WHERE photo = $1", []value.Value{value.Bytes("\x00\xff")}, "1"},
		{"SELECT $1::numeric + 1", []value.Value{value.Str("0.12345678901234567890")}, "1.12345678901234567890"},
		{"SELECT $1::numeric", []value.Value{value.Str("100.00")}, "100.00"},
		{"SELECT $1::boolean, NOT $2::boolean", []value.Value{value.Bool(true), value.Bool(false)}, "true true"},
		{"SELECT $1::boolean", []value.Value{value.Str("false")}, "false"},
		{"SELECT count(*) FROM customers WHERE (paid IS NULL) = $1", []value.Value{value.Bool(true)}, "1"},
		{"SELECT $1::text IS NULL", []value.Value{value.NullValue()}, "true"},
		{"SELECT $1::text", []value.Value{value.Str("")}, `""`},
		{"SELECT $1::float8", []value.Value{value.Float(math.Inf(1))}, `{"real":"Inf"}`},
		{"SELECT id FROM customers WHERE feels = $1 AND joined = $2", []value.Value{value.Str("happy"), value.Str("2020-02-29")}, "1"},
	}
	for range 2 { // prepared, and kept
		for _, test := range tests {
			got, err := lines(db, test.sql, test.args...)
			if err != nil || got != test.want {
				t.Errorf("%s: got %s, %v, want %s", test.sql, got, err, test.want)
			}
		}
	}
}

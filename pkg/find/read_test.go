package find

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/internal/testkit/pgtest"
	"github.com/birdcall/birdcall/pkg/value"
)

// isSecret hides one column.
func isSecret(_, column string) bool { return column == "secret" }

// TestReaderOf reads a SQLite database: texts of all columns, and numbers of those
// that are no keys and have few. Long texts are noted, and BLOBs are not read.
func TestReaderOf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.sqlite")
	file, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.ExecContext(t.Context(), `
		CREATE TABLE customers (id INTEGER PRIMARY KEY, code INT, name TEXT, secret TEXT, size REAL, mixed, photo BLOB);
		CREATE TABLE orders (id TEXT PRIMARY KEY, customer INT REFERENCES customers (id), n INT);
		CREATE TABLE "odd ""name""" ("a ""b""" TEXT);
		CREATE VIEW names AS SELECT name FROM customers;
		INSERT INTO customers VALUES
			(1, 7, 'Ann', 'x', 1.5, 'one', x'00'), (2, 7, 'Bob', 'y', 2, 1, zeroblob(201)), (3, 8, 'Ann', 'z', NULL, 1.0, x''), (4, NULL, '', 'z', 2, '1', NULL),
			(5, 8, `+"'"+strings.Repeat("l", valueindex.MaxBytes+1)+"'"+`, 'z', 2, zeroblob(500), NULL), (6, 8, `+"'"+strings.Repeat("é", valueindex.MaxBytes/2)+"'"+`, 'z', 2, NULL, NULL);
		INSERT INTO "odd ""name""" VALUES ('it');
		WITH RECURSIVE r(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM r WHERE i < 1000) INSERT INTO orders SELECT 'o' || i, 1, i FROM r;`); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), sqlite.Location{Path: path}, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	schema, err := db.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := readerOf(db, schema, isSecret)
	want := []string{
		"customers.code: integer 7, integer 8",
		"customers.name: text , text Ann, text Bob, text éééé…, too long",
		"customers.size: real 1.5, real 2.0",
		"customers.mixed: integer 1, real 1.0, text 1, text one",
		"customers.photo: ",
		"orders.id: 1001 values",
		"orders.customer: ",
		"orders.n: ",
		`odd "name".a "b": text it`,
	}
	if diff := cmp.Diff(want, listOf(t, r)); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	// Columns may be asked for in any order, and again.
	for _, column := range []int{8, 0, 0, 3} {
		if got := listOf(t, &valueReader{columns: r.columns[column : column+1], read: func(ctx context.Context, _ int, yield func(value.Value) error) error {
			return r.read(ctx, column, yield)
		}}); got[0] != want[column] {
			t.Errorf("column %d: %q, want %q", column, got[0], want[column])
		}
	}
}

// TestServerReaderOf reads a Postgres database: texts, dates, enums and integers.
func TestServerReaderOf(t *testing.T) {
	s := pgtest.Start(t)
	s.Exec(`CREATE SCHEMA shop; SET search_path = shop;
		CREATE TYPE mood AS ENUM ('happy', 'sad');
		CREATE DOMAIN zip AS varchar(5);
		CREATE TABLE customers (id int PRIMARY KEY, name varchar(300), secret text, zip zip, state char(4), joined date, seen timestamp, feels mood, age int, size real, ok boolean, doc jsonb, tags text[], key uuid);
		CREATE TABLE orders (id text PRIMARY KEY, customer int REFERENCES customers (id), "n ""o""" text);
		CREATE VIEW names AS SELECT name FROM customers;
		INSERT INTO customers VALUES
			(1, 'Ann', 'x', '00001', 'CA', '2012-08-24', '2012-08-24 10:00', 'happy', 40, 1.5, true, '{}', '{a}', NULL),
			(2, 'Bob', 'y', NULL, 'OR', NULL, NULL, 'sad', 40, 2, false, NULL, NULL, NULL),
			(3, repeat('l', 201), 'y', NULL, 'OR', NULL, NULL, NULL, NULL, 2, false, NULL, NULL, NULL),
			(4, repeat('é', 100), 'y', NULL, 'OR', NULL, NULL, NULL, NULL, 2, false, NULL, NULL, NULL);
		INSERT INTO orders VALUES ('a', 1, NULL), ('b', 1, 'x')`)
	source, err := postgres.Open(s.URL("postgres", "postgres", "?sslmode=disable"), postgres.Options{AllowWriter: true})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	db, err := source.Database(t.Context(), "shop")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := db.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := serverReaderOf(db, schema, isSecret)
	want := []string{
		"customers.name: text Ann, text Bob, text éééé…",
		"customers.zip: text 00001",
		"customers.state: text CA, text OR",
		"customers.joined: text 2012-08-24",
		"customers.feels: text happy, text sad",
		"customers.age: integer 40",
		"customers.ok: ",
		"customers.doc: ",
		"orders.id: text a, text b",
		`orders.n "o": text x`,
	}
	if diff := cmp.Diff(want, listOf(t, r)); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

// listOf reads all columns, and returns their values in a fixed order.
func listOf(t *testing.T, r *valueReader) []string {
	t.Helper()
	var out []string
	for i, c := range r.columns {
		var values []string
		if err := r.read(t.Context(), i, func(v value.Value) error {
			text := v.Kind().String() + " " + value.AsText(v)
			switch {
			case v == valueindex.TooLong:
				text = "too long"
			case len(text) > 100:
				text = text[:13] + "…"
			}
			values = append(values, text)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(values)
		list := strings.Join(values, ", ")
		if len(values) > 10 {
			list = fmt.Sprintf("%d values", len(values))
		}
		out = append(out, c.Table+"."+c.Name+": "+list)
	}
	return out
}

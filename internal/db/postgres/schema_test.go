package postgres_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/testkit/pgtest"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/google/go-cmp/cmp"
)

func TestSchema(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.Exec("CREATE TABLE shop.hidden (a int); REVOKE ALL ON shop.orders, shop.dice FROM reader; GRANT SELECT (id, customer) ON shop.orders TO reader")
	got, err := open(t, s, postgres.Options{}).Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := &engine.Schema{Tables: []*engine.Table{
		{Name: "customers", Comment: "those who buy", Columns: []engine.Column{
			{Name: "id", Type: "integer", Affinity: value.AffinityInteger, NotNull: true, PrimaryKey: 1},
			{Name: "name", Type: "character varying(40)", Affinity: value.AffinityText, NotNull: true},
			{Name: "joined", Type: "date", Affinity: value.AffinityText, Comment: "first order"},
			{Name: "feels", Type: "mood"},
			{Name: "paid", Type: "amount", Affinity: value.AffinityNumeric},
			{Name: "tags", Type: "text[]", Affinity: value.AffinityBlob},
			{Name: "doc", Type: "jsonb"},
			{Name: "photo", Type: "bytea", Affinity: value.AffinityBlob},
		}},
		{Name: "orders", Columns: []engine.Column{
			{Name: "id", Type: "bigint", Affinity: value.AffinityInteger, NotNull: true, PrimaryKey: 1},
			{Name: "customer", Type: "integer", Affinity: value.AffinityInteger, NotNull: true},
		}, ForeignKeys: []engine.ForeignKey{{Columns: []string{"customer"}, Table: "customers", To: []string{"id"}}}},
		{Name: "names", View: true, SQL: "SELECT name\n   FROM customers;", Columns: []engine.Column{
			{Name: "name", Type: "character varying(40)", Affinity: value.AffinityText},
		}},
	}}
	for _, table := range want.Tables {
		for i := range table.Columns {
			table.Columns[i].Collation = "BINARY"
		}
	}
	view := got.Table("names")
	view.SQL = strings.ReplaceAll(view.SQL, "customers.name", "name") // as servers before 16 write it
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func testDescription(t *testing.T, s *pgtest.Server) {
	db := open(t, s, postgres.Options{})
	statement, err := db.Prepare(t.Context(), "SELECT id, total, customer = $1 AS same, ARRAY[$2::text], '{}'::json AS doc, now() FROM orders WHERE placed < $3")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range statement.Columns() {
		got = append(got, c.Name+" "+c.Type)
	}
	want := []string{"id integer", "total number", "same boolean", "array array", "doc ", "now string"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("columns: want -, got +:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"integer", "text", "timestamp with time zone"}, statement.(*postgres.Statement).Params()); diff != "" {
		t.Errorf("parameters: want -, got +:\n%s", diff)
	}
}

func TestDatabases(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.Exec("CREATE DATABASE other")
	tests := []struct {
		database, id string
		want         error
	}{
		{"postgres", "shop", nil},
		{"postgres", "Shop", nil},
		{"postgres", "nothing", postgres.ErrMissing},
		{"nowhere", "shop", postgres.ErrMissing},
		{"{db}", "other", nil},
		{"{db}", "nothing", postgres.ErrMissing},
	}
	for _, test := range tests {
		source, err := postgres.Open(s.URL("reader", test.database, "?sslmode=disable"), postgres.Options{})
		if err != nil {
			t.Fatal(err)
		}
		db, err := source.Database(t.Context(), test.id)
		if !errors.Is(err, test.want) {
			t.Errorf("%s of %s: got %v, want %v", test.id, test.database, err, test.want)
		}
		if err == nil {
			if _, err := db.Schema(t.Context()); err != nil {
				t.Errorf("%s: %v", db, err)
			}
		}
		source.Close()
	}
}

package tools

import (
	"context"
	"database/sql"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/pkg/value"
)

// TestFromSQL shows what the rows of a query become.
func TestFromSQL(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`CREATE TABLE t (a INTEGER, b TEXT, c BLOB);
		INSERT INTO t VALUES (1, 'x', x'00'), (NULL, 'y', 2.5)`); err != nil {
		t.Fatal(err)
	}
	rowsOf, err := db.Query("SELECT a, b, c, a FROM t ORDER BY b")
	if err != nil {
		t.Fatal(err)
	}
	got, err := FromSQL(rowsOf)
	if err != nil {
		t.Fatal(err)
	}
	null := value.NullValue()
	want := [][]value.Value{{value.Int(1), value.Str("x"), value.Bytes("\x00"), value.Int(1)}, {null, value.Str("y"), value.Float(2.5), null}}
	if d := cmp.Diff([]string{"a", "b", "c", "a_1"}, got.Keys()) + diff(want, rows(t, got)); d != "" {
		t.Error(d)
	}
	if f := got.Fields()[0]; f.Type != "INTEGER" || f.Affinity != value.AffinityInteger {
		t.Errorf("type %q, affinity %s", f.Type, f.Affinity)
	}
	ctx, cancel := context.WithCancel(context.Background())
	rowsOf, err = db.QueryContext(ctx, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := FromSQL(rowsOf); err == nil {
		t.Error("a query that was stopped is no error")
	}
}

// TestColumnValue shows that bytes are what the declared type says.
func TestColumnValue(t *testing.T) {
	for _, test := range []struct {
		cell     any
		declared string
		want     value.Value
	}{
		{[]byte("x"), "VARCHAR", value.Str("x")},
		{[]byte("7"), "BIGINT", value.Int(7)},
		{[]byte("7.50"), "DECIMAL", value.Float(7.5)},
		{[]byte("7"), "BLOB", value.Bytes("7")},
		{[]byte("7"), "VARBINARY", value.Bytes("7")},
		{[]byte("7"), "bytea", value.Bytes("7")},
		{[]byte("7"), "", value.Bytes("7")},
		{"7", "BIGINT", value.Str("7")},
		{nil, "TEXT", value.NullValue()},
	} {
		f := Field{Type: test.declared, Affinity: value.AffinityOf(test.declared)}
		if got, err := columnValue(test.cell, f); got != test.want || err != nil {
			t.Errorf("%s of %q: %s %s, %v", test.declared, test.cell, got.Kind(), got, err)
		}
	}
}

package rest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/openapi"
	"github.com/birdcall/birdcall/pkg/value"
)

// declare serves the tables of an API, and declares them as tables of an API in
// one line each.
func declare(t testing.TB, own *API, options ServiceOptions) *apis.Database {
	t.Helper()
	server := httptest.NewServer(NewService(own, options).Handler())
	t.Cleanup(server.Close)
	document, err := own.Document(context.Background(), DocumentOptions{MaxRows: options.MaxRows})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "tables.json"), document, 0o600); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "apis: {served: {openapi: tables.json, server: %q}}\ntables:\n", server.URL)
	for _, e := range own.Databases[0].Tables {
		fmt.Fprintf(&b, "  %q: {list: %s}\n", e.table.info.Name, e.Name)
	}
	file := filepath.Join(folder, "apis.yaml")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := openapi.Load(context.Background(), file, os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d.Database("")
}

// TestServedTables reads each table through its own API, page by page, and holds
// the values and what is said of the columns against the database.
func TestServedTables(t *testing.T) {
	own := openTables(t, manyKinds...)
	for _, options := range []ServiceOptions{{MaxRows: 700}, {MaxRows: 1}, {MaxBytes: 100}} {
		if options.MaxRows == 1 && testing.Short() {
			continue
		}
		for _, table := range declare(t, own, options).Tables {
			e := endpointOf(own, table.Name)
			got := selectAll(t, table, nil)
			want, err := own.Databases[0].db.(*sqlite.Pooled).Query(context.Background(), e.table.sql(nil), value.Int(100_000), value.Int(0))
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(got) != fmt.Sprint(want.Rows) {
				t.Errorf("%s: got %v, want %v", table.Name, got, want.Rows)
			}
			var key []string
			for _, i := range table.Key {
				key = append(key, table.Columns[i].Name)
			}
			info := e.table.info
			if want := info.Key(); uniqueKey(info) && !slices.Equal(key, want) || !uniqueKey(info) && key != nil {
				t.Errorf("%s: the key is %v, want %v", table.Name, key, want)
			}
			rowid := ""
			if table.RowID >= 0 {
				rowid = table.Columns[table.RowID].Name
			}
			if rowid != info.IntegerPrimaryKey || !table.Lists || len(table.Filters) != len(table.Columns) {
				t.Errorf("%s: the rowid is %q, lists %t, %d filters of %d columns", table.Name, rowid, table.Lists, len(table.Filters), len(table.Columns))
			}
			for i, c := range table.Columns {
				want := info.Columns[i]
				if c.Name != want.Name || c.Type != want.Type || c.Collation != want.Collation {
					t.Errorf("%s: column %d is %v, want %v", table.Name, i, c, want)
				}
			}
		}
	}
}

// TestServedViews says that the columns of views have the collations of what they
// show.
func TestServedViews(t *testing.T) {
	own := openTables(t, "CREATE TABLE cased (name TEXT COLLATE NOCASE, id INTEGER)", "INSERT INTO cased VALUES ('Bob', 1), ('BOB', 2)",
		"CREATE VIEW seen AS SELECT name AS called, id + 1 AS next FROM cased")
	for _, table := range declare(t, own, ServiceOptions{}).Tables {
		if table.Name == "seen" {
			if c := table.Columns[0]; c.Collation != "NOCASE" || c.Type != "TEXT" {
				t.Errorf("%v", c)
			}
			if rows := selectAll(t, table, []apis.Condition{{Column: 0, Values: []value.Value{value.Str("bob")}}}); len(rows) != 2 {
				t.Errorf("%v", rows)
			}
		}
	}
}

// TestServedTablesRandomly asks for random values of random columns. What the table
// accepts brings all rows that are equal by SQLite's rules, whatever affinity the
// other side has.
func TestServedTablesRandomly(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	stored := []string{"NULL", "x'35'", "x''", "'5'", "5", "5.0", "CAST(x'ff' AS TEXT)"}
	var values []value.Value
	for _, g := range given {
		stored = append(stored, quoteText(g.text))
		values = append(values, value.Str(g.text), value.AffinityNumeric.Apply(value.Str(g.text)), value.AffinityReal.Apply(value.Str(g.text)))
		if g.number != "" {
			stored = append(stored, g.number)
		}
	}
	for _, narrow := range []bool{false, true} {
		columns := make([]string, len(kindsOfColumns))
		for i, k := range kindsOfColumns {
			columns[i] = fmt.Sprintf("c%d %s", i, k.declared)
		}
		statements := []string{
			"CREATE TABLE plain (id INTEGER PRIMARY KEY, " + strings.Join(columns, ", ") + ")",
			"CREATE VIEW seen AS SELECT * FROM plain",
		}
		for id := range 100 {
			row := []string{fmt.Sprint(id)}
			for range kindsOfColumns {
				text := stored[r.IntN(len(stored))]
				if narrow { // numbers alone
					text = []string{"5", "5.5", "0", "1000", "9007199254740993", "NULL"}[r.IntN(6)]
				}
				row = append(row, text)
			}
			statements = append(statements, "INSERT INTO plain VALUES ("+strings.Join(row, ", ")+")")
		}
		accepted, found := 0, 0
		for _, table := range declare(t, openTables(t, statements...), ServiceOptions{}).Tables {
			all := selectAll(t, table, nil)
			for range 400 {
				column, v := 1+r.IntN(len(kindsOfColumns)), values[r.IntN(len(values))]
				if !table.Accepts(column, v) {
					continue
				}
				accepted++
				got := map[int64]bool{}
				for _, row := range selectAll(t, table, []apis.Condition{{Column: column, Values: []value.Value{v}}}) {
					got[row[0].Int64()] = true
				}
				c := table.Columns[column]
				collation, _ := value.CollationNamed(c.Collation)
				for _, row := range all {
					for other := value.AffinityNone; other <= value.AffinityReal; other++ {
						if other != value.AffinityNone && other.Apply(v) != v {
							continue // a column of that affinity cannot have the value
						}
						x, y := value.Coerce(row[column], v, value.AffinityOf(c.Type), other)
						if row[column].IsNull() || value.Compare(x, y, collation) != 0 {
							continue
						}
						found++
						if !got[row[0].Int64()] {
							t.Fatalf("%s.%s %s: %v equals %v against %s, and is not found", table.Name, c.Name, c.Type, row[column], v, other)
						}
					}
				}
			}
		}
		if accepted < 300 || found < 1000 {
			t.Errorf("only %d values were accepted, and %d rows equal", accepted, found)
		}
	}
}

func endpointOf(own *API, table string) *Endpoint {
	for _, e := range own.Databases[0].Tables {
		if e.table.info.Name == table {
			return e
		}
	}
	return nil
}

func selectAll(t testing.TB, table *apis.Table, conditions []apis.Condition) (rows [][]value.Value) {
	t.Helper()
	whole, err := table.Select(context.Background(), apis.NewMeter(apis.Limits{}), conditions, 0, func(row []value.Value) error {
		rows = append(rows, row)
		return nil
	})
	if err != nil || !whole {
		t.Fatalf("%s: %t %v", table.Name, whole, err)
	}
	return rows
}

package tools

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/pkg/value"
)

// testNow is what 'now' stands for in the tests.
var testNow = time.Date(2024, 3, 1, 12, 30, 15, 0, time.UTC)

// oracle is one set of tables twice: for the tools and for SQLite itself.
type oracle struct {
	t        testing.TB
	memory   *Memory
	database *sql.DB
}

func newOracle(t testing.TB) *oracle {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return &oracle{t: t, memory: NewMemory(), database: db}
}

// add makes a table from column definitions such as "a TEXT COLLATE NOCASE".
func (o *oracle) add(name string, columns []string, rows ...[]any) {
	o.t.Helper()
	infos := make([]ColumnInfo, len(columns))
	for i, c := range columns {
		definition, collation, _ := strings.Cut(c, " COLLATE ")
		column, declared, _ := strings.Cut(definition, " ")
		infos[i] = ColumnInfo{Name: column, Type: declared}
		infos[i].Collation, _ = value.CollationNamed(collation)
	}
	values := make([][]value.Value, len(rows))
	for i, row := range rows {
		values[i] = make([]value.Value, len(row))
		for j, cell := range row {
			values[i][j] = fromDriver(cell)
		}
	}
	if err := o.memory.Add(name, infos, values); err != nil {
		o.t.Fatal(err)
	}
	if _, err := o.database.Exec(fmt.Sprintf("CREATE TABLE %s (%s)", name, strings.Join(columns, ", "))); err != nil {
		o.t.Fatal(err)
	}
	places := strings.TrimSuffix(strings.Repeat("?,", len(columns)), ",")
	for _, row := range rows {
		if _, err := o.database.Exec(fmt.Sprintf("INSERT INTO %s VALUES (%s)", name, places), row...); err != nil {
			o.t.Fatal(err)
		}
	}
}

// query runs SQL in SQLite.
func (o *oracle) query(query string, args ...any) [][]value.Value {
	o.t.Helper()
	out, err := o.tryQuery(query, args...)
	if err != nil {
		o.t.Fatalf("%s: %v", query, err)
	}
	return out
}

// tryQuery is query where SQLite may fail.
func (o *oracle) tryQuery(query string, args ...any) ([][]value.Value, error) {
	rows, err := o.database.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	out := [][]value.Value{}
	for rows.Next() {
		cells := make([]any, len(columns))
		pointers := make([]any, len(columns))
		for i := range cells {
			pointers[i] = &cells[i]
		}
		if err := rows.Scan(pointers...); err != nil {
			return nil, err
		}
		row := make([]value.Value, len(cells))
		for i, c := range cells {
			row[i] = fromDriver(c)
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

func fromDriver(v any) value.Value {
	switch v := v.(type) {
	case int64:
		return value.Int(v)
	case int:
		return value.Int(int64(v))
	case float64:
		return value.Float(v)
	case string:
		return value.Str(v)
	case []byte:
		return value.Bytes(string(v))
	}
	return value.NullValue()
}

// session starts a session on a table under the alias t, so that the column a
// has the key t_a.
func (o *oracle) session(table string) *Session {
	o.t.Helper()
	s := NewSession(o.memory, Options{Now: testNow})
	if _, err := s.Init(context.Background(), Start{Tables: []StartTable{{Alias: "t", Original: table}}}); err != nil {
		o.t.Fatal(err)
	}
	return s
}

// run runs calls written as JSON, each labelled r, s, ... unless it says
// otherwise, and returns the last result.
func run(t testing.TB, s *Session, calls ...string) *Table {
	t.Helper()
	var out *Table
	for _, text := range calls {
		var c Call
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var err error
		if out, err = s.Run(context.Background(), c); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return out
}

// rows returns all cells of a table.
func rows(t testing.TB, table *Table) [][]value.Value {
	t.Helper()
	out, err := table.Rows(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// diff compares two lists of rows, values by identity.
func diff(want, got [][]value.Value) string {
	return cmp.Diff(printed(want), printed(got))
}

func printed(rows [][]value.Value) []string {
	out := make([]string, len(rows))
	for i, row := range rows {
		cells := make([]string, len(row))
		for j, v := range row {
			cells[j] = fmt.Sprintf("%s:%q", v.Kind(), value.AsText(v))
		}
		out[i] = strings.Join(cells, " ")
	}
	return out
}

// awkward are values that are easy to get wrong.
var awkward = []any{
	nil, 0, 1, -1, 7, 10, int64(9223372036854775807), int64(-9223372036854775808), 9007199254740993,
	0.0, 1.0, -1.5, 2.5, 1e300, 9007199254740992.0,
	"", "0", "1", "1.0", " 1 ", "7", "007", "10", "abc", "ABC", "abc ", "Abc", "NaN", "a%b", "a_b", "1e3", "é",
	[]byte("abc"), []byte("1"), []byte(""),
	nil, 1, "abc", 2.5,
}

// pairings are the column definitions of the awkward table: n holds the values
// as they are, and so on.
var pairings = []string{"id INTEGER", "n BLOB", "x TEXT", "c TEXT COLLATE NOCASE", "r TEXT COLLATE RTRIM", "i INTEGER", "f REAL", "u NUMERIC"}

// awkwardTable adds the table w that has each awkward value in each kind of
// column, against each other in shifted order.
func (o *oracle) awkwardTable() {
	o.t.Helper()
	var data [][]any
	for i := range awkward {
		row := []any{i}
		for j := range pairings[1:] {
			row = append(row, awkward[(i+5*j)%len(awkward)])
		}
		data = append(data, row)
	}
	o.add("w", pairings, data...)
}

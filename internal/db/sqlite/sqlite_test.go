package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/pkg/value"
	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"
)

// build creates a database file from statements and returns its path. The
// name is one that only a proper URI can hold.
func build(t testing.TB, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b?c#d%41.sqlite")
	db, err := sql.Open("sqlite", "file://"+escape(filepath.ToSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return path
}

func open(t *testing.T, at Location, opts Options) *DB {
	t.Helper()
	db, err := Open(context.Background(), at, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// show renders rows as typed text: i1 r1.5 t'abc' b'..' null.
func show(rows [][]value.Value) string {
	var lines []string
	for _, row := range rows {
		var cells []string
		for _, v := range row {
			switch v.Kind() {
			case value.Null:
				cells = append(cells, "null")
			case value.Integer:
				cells = append(cells, fmt.Sprintf("i%d", v.Int64()))
			case value.Real:
				cells = append(cells, fmt.Sprintf("r%v", v.Float64()))
			default:
				cells = append(cells, fmt.Sprintf("%c%q", v.Kind().String()[0], v.Raw()))
			}
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	return strings.Join(lines, "\n")
}

func TestQueryReturnsExactValues(t *testing.T) {
	db := open(t, Location{Path: build(t,
		`CREATE TABLE d(a DATE, b DATETIME, c TIMESTAMP, r REAL, n NUMERIC)`,
		`INSERT INTO d VALUES ('2012-08-23 00:00:00.0', '2012-08-23T01:02', 20120823, 3, 3.0)`,
		`INSERT INTO d VALUES ('2012-08-22', NULL, x'00ff', NULL, '9007199254740993')`,
		`CREATE TABLE answer(x)`, `INSERT INTO answer VALUES (7)`,
	)}, Options{})
	tests := []struct{ name, sql, want string }{
		{"declared dates", `SELECT a, b, c FROM d`, "t\"2012-08-23 00:00:00.0\" t\"2012-08-23T01:02\" i20120823\nt\"2012-08-22\" null b\"\\x00\\xff\""},
		{"whole reals stay real", `SELECT r, n FROM d`, "r3 i3\nnull i9007199254740993"},
		{"order is kept", `SELECT a FROM d ORDER BY a`, "t\"2012-08-22\"\nt\"2012-08-23 00:00:00.0\""},
		{"same name twice", `SELECT a AS x, a AS x FROM d LIMIT 1`, "t\"2012-08-23 00:00:00.0\" t\"2012-08-23 00:00:00.0\""},
		{"empty text and blob", `SELECT '', x'', NULL`, `t"" b"" null`},
		{"bytes that are not UTF-8", `SELECT CAST(x'ff00fe' AS TEXT)`, `t"\xff\x00\xfe"`},
		{"extremes", `SELECT 9223372036854775807, -9223372036854775808, 9e999, -0.0`, "i9223372036854775807 i-9223372036854775808 r+Inf r-0"},
		{"a with clause of its own", `WITH w(x) AS (SELECT 1) SELECT * FROM w`, "i1"},
		{"values", `VALUES (1), (2)`, "i1\ni2"},
		{"trailing comment and semicolons", "SELECT 1; ; -- done", "i1"},
		{"unfinished comment", "SELECT 1 /* done", "i1"},
		{"a table named as the wrapper", `SELECT x FROM answer`, "i7"},
		{"no rows", `SELECT a FROM d WHERE 0`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := db.Query(context.Background(), test.sql)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, show(got.Rows)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestQueryBindsAndNames(t *testing.T) {
	db := open(t, Location{Path: build(t, `CREATE TABLE t(x)`)}, Options{})
	got, err := db.Query(context.Background(), `SELECT ? AS a, ? AS "a", ?, ?, ?`,
		value.Int(1), value.Float(2), value.Str("'; DROP TABLE t"), value.Bytes(""), value.NullValue())
	if err != nil {
		t.Fatal(err)
	}
	if want := `i1 r2 t"'; DROP TABLE t" b"" null`; show(got.Rows) != want {
		t.Errorf("got %s, want %s", show(got.Rows), want)
	}
	if want := []string{"a", "a", "?", "?", "?"}; !slices.Equal(got.Columns, want) {
		t.Errorf("columns %q, want %q", got.Columns, want)
	}
}

func TestOnlyOneSelectRuns(t *testing.T) {
	path := build(t, `CREATE TABLE t(x)`, `INSERT INTO t VALUES (1)`)
	folder := filepath.Dir(path)
	before := files(t, folder)
	db := open(t, Location{Path: path}, Options{})
	other := filepath.Join(folder, "other.sqlite")
	tests := []struct {
		sql  string
		want error
	}{
		{`ATTACH '` + other + `' AS o`, ErrNotSelect},
		{`VACUUM INTO '` + other + `'`, ErrNotSelect},
		{`PRAGMA query_only = 0`, ErrNotSelect},
		{`PRAGMA table_info(t)`, ErrNotSelect},
		{`EXPLAIN SELECT 1`, ErrNotSelect},
		{`INSERT INTO t VALUES (2)`, ErrNotSelect},
		{`DROP TABLE t`, ErrNotSelect},
		{``, ErrNotSelect},
		{" -- nothing\n;", ErrNotSelect},
		{"SELECT 1\x00; DROP TABLE t", ErrNotSelect},
		{`SELECT 1; SELECT 2`, ErrManyStatements},
		{`SELECT 1; DROP TABLE t`, ErrManyStatements},
		{`SELECT 1) SELECT 1; WITH q(c1) AS (SELECT 2`, ErrManyStatements},
		{`WITH w AS (SELECT 1) DELETE FROM t`, ErrForbidden},
		{`SELECT load_extension('x')`, ErrForbidden},
		{`SELECT * FROM pragma_query_only`, ErrForbidden},
		{`SELECT * FROM pragma_journal_mode`, ErrForbidden},
	}
	for _, test := range tests {
		_, err := db.Query(context.Background(), test.sql)
		if !errors.Is(err, test.want) {
			t.Errorf("%q: got error %v, want %v", test.sql, err, test.want)
		}
		var typed *Error
		if !errors.As(err, &typed) {
			t.Errorf("%q: got a %T", test.sql, err)
		}
	}
	if _, err := db.Query(context.Background(), `SELECT 1) UNION SELECT (2`); err == nil {
		t.Error("unbalanced parentheses are accepted")
	}
	if diff := cmp.Diff(before, files(t, folder)); diff != "" {
		t.Errorf("files appeared or changed:\n%s", diff)
	}
}

// files returns the content of every file of a folder.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	content := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		content[e.Name()] = string(data)
	}
	return content
}

func TestLimits(t *testing.T) {
	path := build(t, `CREATE TABLE t(x)`, `INSERT INTO t VALUES (1), (2), (3)`)
	db := open(t, Location{Path: path}, Options{Limits: Limits{Rows: 2, Bytes: 500, Value: 1000, SQL: 200, Depth: 20, Compound: 3, Pattern: 10}})
	for _, test := range []struct{ sql, want string }{
		{`SELECT x FROM t`, "more than 2 rows"},
		{`SELECT hex(zeroblob(400))`, "more than 500 bytes"},
		{`SELECT zeroblob(5000)`, "too big"},
		{`SELECT 1` + strings.Repeat(" ", 200) + `+ 1`, "more than 200 bytes"},
		{`SELECT ` + strings.Repeat("-+", 40) + `x FROM t`, "depth"},
		{`SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4`, "compound"},
		{`SELECT x LIKE '12345678901' FROM t`, "pattern"},
	} {
		if _, err := db.Query(context.Background(), test.sql); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one with %q", test.sql, err, test.want)
		}
	}
	if _, err := db.Query(context.Background(), `SELECT x FROM t WHERE x < 3`); err != nil {
		t.Errorf("within the limits: %v", err)
	}
}

func TestContextInterrupts(t *testing.T) {
	db := open(t, Location{Path: build(t, `CREATE TABLE t(x)`)}, Options{})
	endless := `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT `
	for _, sql := range []string{
		endless + `count(*) FROM n`,
		endless + `i FROM n WHERE i < 0`,
		`SELECT 1 UNION ALL SELECT * FROM (` + endless + `max(i) FROM n)`, // the first row comes at once
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		_, err := db.Query(ctx, sql)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got error %v", sql, err)
		}
	}
	if _, err := db.Query(context.Background(), `SELECT 1`); err != nil {
		t.Errorf("after interrupts: %v", err)
	}
}

func TestEmbeddedDatabase(t *testing.T) {
	path := build(t, `CREATE TABLE t(x)`, `INSERT INTO t VALUES (2), (1)`)
	db := open(t, Location{FS: os.DirFS(filepath.Dir(path)), Name: filepath.Base(path)}, Options{})
	for range 3 {
		got, err := db.Query(context.Background(), `SELECT x FROM t ORDER BY x`)
		if err != nil {
			t.Fatal(err)
		}
		if show(got.Rows) != "i1\ni2" {
			t.Errorf("got %s", show(got.Rows))
		}
	}
	// A sort that outgrows the cache needs temporary space.
	big := `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 5000)
		SELECT count(*) FROM (SELECT DISTINCT hex(zeroblob(1000)) || i AS x FROM n ORDER BY x)`
	if _, err := db.Query(context.Background(), big); err != nil {
		t.Error(err)
	}
}

func TestOpenErrors(t *testing.T) {
	folder := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good, err := os.ReadFile(build(t, `CREATE TABLE t(x)`))
	if err != nil {
		t.Fatal(err)
	}
	damaged := string(good[:100]) + strings.Repeat("\xff", len(good)-100)
	for _, test := range []struct {
		path string
		want error
		text string
	}{
		{filepath.Join(folder, "none.sqlite"), ErrMissing, "none.sqlite"},
		{write("empty.sqlite", ""), ErrNotDatabase, "is empty"},
		{write("page.sqlite", "<html>not found</html>"), ErrNotDatabase, "a page of the web"},
		{write("dump.sqlite", "CREATE TABLE größe(x);\n"), ErrNotDatabase, "sqlite3 NEW.sqlite < FILE"},
		{write("packed.sqlite", "\x1f\x8b\x08\x00"), ErrNotDatabase, "compressed by gzip; unpack it with gunzip"},
		{write("archive.sqlite", "PK\x03\x04\x14\x00"), ErrNotDatabase, "a zip archive; unpack it"},
		{write("encrypted.sqlite", strings.Repeat("\xa7\x01\xfe", 400)), ErrNotDatabase, "if it is encrypted, decrypt it first"},
		{write("lfs.sqlite", "version https://git-lfs.github.com/spec/v1\n"), ErrNotDatabase, "git lfs pull"},
		{write("damaged.sqlite", damaged), ErrNotDatabase, "again"},
	} {
		_, err := Open(context.Background(), Location{Path: test.path}, Options{})
		if !errors.Is(err, test.want) || !strings.HasPrefix(err.Error(), "open ") || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: got error %v, want %v with %q", filepath.Base(test.path), err, test.want, test.text)
		}
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 8 {
		t.Errorf("opening changed the folder: %v", entries)
	}
}

func TestColumnsComeInRowidOrder(t *testing.T) {
	db := open(t, Location{Path: build(t,
		`CREATE TABLE t("odd ""name" DATE, b INT)`,
		`CREATE INDEX covering ON t(b)`,
		`INSERT INTO t VALUES ('2020-01-01 00:00:00.0', 3), ('x', 1), (NULL, 2)`,
		`CREATE TABLE w(k PRIMARY KEY, v) WITHOUT ROWID`,
		`INSERT INTO w VALUES ('b', 1), ('a', 2)`,
		`CREATE VIEW v AS SELECT b FROM t WHERE b > 1 ORDER BY b DESC`,
	)}, Options{})
	for _, test := range []struct {
		table string
		names []string
		want  string
	}{
		{"t", []string{"b"}, "i3\ni1\ni2"},
		{"T", []string{`odd "name`, "B"}, "t\"2020-01-01 00:00:00.0\" i3\nt\"x\" i1\nnull i2"},
		{"w", []string{"v", "k"}, "i2 t\"a\"\ni1 t\"b\""},
		{"v", []string{"b"}, "i3\ni2"},
		{"t", nil, "\n\n"},
	} {
		var rows [][]value.Value
		err := db.Columns(context.Background(), test.table, test.names, func(row []value.Value) error {
			rows = append(rows, slices.Clone(row))
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", test.table, err)
		}
		if diff := cmp.Diff(test.want, show(rows)); diff != "" {
			t.Errorf("%s %q: %s", test.table, test.names, diff)
		}
	}
	stop := errors.New("enough")
	if err := db.Columns(context.Background(), "t", []string{"b"}, func([]value.Value) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got error %v, want the caller's own", err)
	}
	var typed *Error
	if err := db.Columns(context.Background(), "t", []string{"none"}, nil); !errors.As(err, &typed) {
		t.Errorf("unknown column: got error %v", err)
	}
	count := 0
	if err := db.Each(context.Background(), "SELECT b FROM t", func([]value.Value) error { count++; return nil }); err != nil || count != 3 {
		t.Errorf("Each gave %d rows and error %v", count, err)
	}
}

func TestSchema(t *testing.T) {
	db := open(t, Location{Path: build(t,
		`CREATE TABLE zoo(id INTEGER PRIMARY KEY, "Name (full)" VARCHAR(20) NOT NULL COLLATE NoCase, r double, x)`,
		`CREATE TABLE animal(zoo INT, no INT, twice AS (no * 2), PRIMARY KEY (no, zoo), FOREIGN KEY (zoo) REFERENCES zoo(id), FOREIGN KEY (no, zoo) REFERENCES animal) WITHOUT ROWID`,
		`CREATE TABLE odd(id INTEGER PRIMARY KEY DESC)`,
		`CREATE VIEW big AS SELECT r FROM zoo`,
		`CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT)`,
	)}, Options{})
	got, err := db.Schema(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := &Schema{Tables: []*Table{
		{Name: "zoo", RowID: true, IntegerPrimaryKey: "id", Columns: []Column{
			{Name: "id", Type: "INTEGER", Affinity: value.AffinityInteger, Collation: "BINARY", PrimaryKey: 1},
			{Name: "Name (full)", Type: "VARCHAR(20)", Affinity: value.AffinityText, Collation: "NOCASE", NotNull: true},
			{Name: "r", Type: "double", Affinity: value.AffinityReal, Collation: "BINARY"},
			{Name: "x", Affinity: value.AffinityBlob, Collation: "BINARY"},
		}},
		{Name: "animal", Columns: []Column{
			{Name: "zoo", Type: "INT", Affinity: value.AffinityInteger, Collation: "BINARY", NotNull: true, PrimaryKey: 2},
			{Name: "no", Type: "INT", Affinity: value.AffinityInteger, Collation: "BINARY", NotNull: true, PrimaryKey: 1},
			{Name: "twice", Affinity: value.AffinityBlob, Collation: "BINARY", Generated: true},
		}, ForeignKeys: []ForeignKey{
			{Columns: []string{"zoo"}, Table: "zoo", To: []string{"id"}},
			{Columns: []string{"no", "zoo"}, Table: "animal"},
		}},
		{Name: "odd", RowID: true, Columns: []Column{
			{Name: "id", Type: "INTEGER", Affinity: value.AffinityInteger, Collation: "BINARY", PrimaryKey: 1},
		}},
		{Name: "big", SQL: "CREATE VIEW big AS SELECT r FROM zoo", View: true, Columns: []Column{
			{Name: "r", Type: "double", Affinity: value.AffinityReal, Collation: "BINARY"},
		}},
		{Name: "counted", RowID: true, IntegerPrimaryKey: "id", Columns: []Column{
			{Name: "id", Type: "INTEGER", Affinity: value.AffinityInteger, Collation: "BINARY", PrimaryKey: 1},
		}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got.Table("ZOO") != got.Tables[0] || got.Table("none") != nil {
		t.Error("lookup by name is wrong")
	}
	if got.Table("zoo").Column("NAME (FULL)") == nil || got.Table("zoo").Column("none") != nil {
		t.Error("lookup of columns is wrong")
	}
}

// TestSchemaLeavesOutWhatCannotBeRead has a view of a table that is gone and a
// virtual table that prepares to write next to one that can be read. The tables in
// which virtual tables keep their data are no tables of anybody's.
func TestSchemaLeavesOutWhatCannotBeRead(t *testing.T) {
	db := open(t, Location{Path: build(t,
		`CREATE TABLE t(x)`,
		`CREATE VIEW dangling AS SELECT x FROM gone`,
		`CREATE VIRTUAL TABLE spot USING rtree(id, low, high)`,
		`CREATE VIRTUAL TABLE notes USING fts5(body)`,
	)}, Options{})
	got, err := db.Schema(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var names, leftOut []string
	for _, table := range got.Tables {
		names = append(names, table.Name)
	}
	for _, one := range got.LeftOut {
		leftOut = append(leftOut, one.Name+": "+one.Err.Error())
	}
	if want := []string{"t", "notes"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	if len(leftOut) != 2 || !strings.Contains(leftOut[0], "dangling: ") || !strings.Contains(leftOut[0], "no such table") || !strings.Contains(leftOut[1], "spot: ") {
		t.Errorf("left out are %q", leftOut)
	}
}

func TestWriteAheadLogDatabaseLeavesNoFiles(t *testing.T) {
	path := build(t, `PRAGMA journal_mode = WAL`, `CREATE TABLE t(x)`, `INSERT INTO t VALUES (1)`)
	folder := filepath.Dir(path)
	rest(t, path)
	before := files(t, folder)
	inFS := Location{FS: os.DirFS(folder), Name: filepath.Base(path)}
	for _, test := range []struct {
		at   Location
		mode Mode
	}{{Location{Path: path}, Snapshot}, {Location{Path: path}, Live}, {Location{Path: path}, Immutable}, {inFS, Snapshot}, {inFS, Live}} {
		db := open(t, test.at, Options{Mode: test.mode})
		got, err := db.Query(context.Background(), "SELECT x FROM t")
		if err != nil || show(got.Rows) != "i1" {
			t.Errorf("got %v, %v", got, err)
		}
		if diff := cmp.Diff(before, files(t, folder)); diff != "" {
			t.Errorf("files appeared or changed:\n%s", diff)
		}
	}
}

// TestCompoundsKeepTheirClasses holds that a statement runs as it was written:
// read through a subquery, the integers of one arm would take on the REAL
// affinity of the other (datatype3.html, section 3.3.1).
func TestCompoundsKeepTheirClasses(t *testing.T) {
	db := open(t, Location{Path: build(t, `CREATE TABLE t(i INTEGER, r REAL, d DATE)`, `INSERT INTO t VALUES (8, 1.5, '2012-08-23 00:00:00.0')`)}, Options{})
	got, err := db.Query(context.Background(), `SELECT i FROM t UNION ALL SELECT r FROM t UNION ALL SELECT d FROM t`)
	if err != nil {
		t.Fatal(err)
	}
	if want := "i8\nr1.5\nt\"2012-08-23 00:00:00.0\""; show(got.Rows) != want {
		t.Errorf("got %s, want %s", show(got.Rows), want)
	}
}

package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/birdcall/birdcall/pkg/value"
)

// endless gives row after row and never ends by itself.
const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "

func pool(t *testing.T, opts PoolOptions, statements ...string) *Pool {
	t.Helper()
	p := open(t, Location{Path: build(t, statements...)}, Options{Limits: Limits{Value: 1 << 20}}).NewPool(opts)
	t.Cleanup(p.Close)
	return p
}

// run returns the rows of a statement, at most max if that is not 0.
func run(ctx context.Context, p *Pool, max int, sql string, args ...value.Value) ([][]value.Value, error) {
	s, err := p.Prepare(ctx, sql)
	if err != nil {
		return nil, err
	}
	var rows [][]value.Value
	err = p.Run(ctx, s, args, func(r *Row) bool {
		row := make([]value.Value, len(s.Columns()))
		for i := range row {
			row[i] = r.Value(i)
		}
		rows = append(rows, row)
		return len(rows) != max
	})
	return rows, err
}

func TestPoolGivesExactValues(t *testing.T) {
	p := pool(t, PoolOptions{},
		"CREATE TABLE t (d DATE, x)",
		"INSERT INTO t VALUES ('2024-01-31', 9007199254740993), ('', 0.1), (NULL, x'00ff'), ('a' || char(0) || 'b', CAST(x'ff41' AS TEXT))")
	rows, err := run(context.Background(), p, 0, "SELECT d, x FROM t -- all;")
	if err != nil {
		t.Fatal(err)
	}
	want := [][]value.Value{
		{value.Str("2024-01-31"), value.Int(9007199254740993)},
		{value.Str(""), value.Float(0.1)},
		{value.NullValue(), value.Bytes("\x00\xff")},
		{value.Str("a\x00b"), value.Str("\xffA")},
	}
	if !slices.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("got %s, want %s", show(rows), show(want))
	}
}

func TestPoolBindsValues(t *testing.T) {
	p := pool(t, PoolOptions{}, "CREATE TABLE t (x)")
	args := []value.Value{value.Int(-1 << 63), value.Float(2.5), value.Str("it's\x00"), value.Bytes("\xff"), value.NullValue(), value.Str("")}
	rows, err := run(context.Background(), p, 0, "SELECT ?1, ?2, ?3, ?4, ?5, ?6", args...)
	if err != nil || len(rows) != 1 || !slices.Equal(rows[0], args) {
		t.Errorf("got %v %v, want %v", rows, err, args)
	}
	if _, err := run(context.Background(), p, 0, "SELECT ?1, ?2", value.Int(1)); err == nil {
		t.Error("a missing argument is accepted")
	}
}

func TestPoolRefuses(t *testing.T) {
	p := pool(t, PoolOptions{}, "CREATE TABLE t (x)")
	outside := filepath.Join(t.TempDir(), "made")
	for sql, reason := range map[string]error{
		"":                                       ErrNotSelect,
		"DELETE FROM t":                          ErrNotSelect,
		"SELECT 1; SELECT 2":                     ErrManyStatements,
		"WITH a AS (SELECT 1) DELETE FROM t":     ErrForbidden,
		"SELECT load_extension('x')":             ErrForbidden,
		"SELECT * FROM pragma_database_list":     ErrForbidden,
		"SELECT length(zeroblob(2000000))":       ErrTooLarge,
		"ATTACH '" + outside + "' AS other":      ErrNotSelect,
		"VACUUM INTO '" + outside + "'":          ErrNotSelect,
		"SELECT writefile('" + outside + "', 1)": nil,
	} {
		_, err := run(context.Background(), p, 0, sql)
		if err == nil || reason != nil && !errors.Is(err, reason) {
			t.Errorf("%s: %v, want %v", sql, err, reason)
		}
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("a file was written")
	}
}

func TestPoolStopsLongRuns(t *testing.T) {
	p := pool(t, PoolOptions{Time: 60 * time.Millisecond}, "CREATE TABLE t (x)")
	late, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	for name, c := range map[string]struct {
		ctx context.Context
		sql string
	}{
		"before the first row":           {context.Background(), endless + "SELECT count(*) FROM n"},
		"after the first row":            {context.Background(), endless + "SELECT i FROM n WHERE i = 1"},
		"by the context":                 {late, endless + "SELECT i FROM n WHERE i = 1"},
		"by a context that has long end": {late, endless + "SELECT count(*) FROM n"},
	} {
		if _, err := run(c.ctx, p, 0, c.sql); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The connection is none the worse for it.
	if rows, err := run(context.Background(), p, 3, endless+"SELECT i FROM n"); err != nil || len(rows) != 3 {
		t.Errorf("%v %v", rows, err)
	}
}

func TestPoolIsBusy(t *testing.T) {
	p := pool(t, PoolOptions{Connections: 1, Wait: time.Millisecond}, "CREATE TABLE t (x)")
	one, err := p.Prepare(context.Background(), "SELECT 1")
	if err != nil {
		t.Fatal(err)
	}
	var inner error
	err = p.Run(context.Background(), one, nil, func(*Row) bool {
		inner = p.Run(context.Background(), one, nil, func(*Row) bool { return true })
		return true
	})
	if err != nil || !errors.Is(inner, ErrBusy) {
		t.Errorf("%v, inner %v", err, inner)
	}
	p.Close()
	if _, err := p.Prepare(context.Background(), "SELECT 1"); err == nil {
		t.Error("a closed pool works")
	}
}

func TestPoolForgetsStatements(t *testing.T) {
	p := pool(t, PoolOptions{Connections: 1, Statements: 2}, "CREATE TABLE t (x)")
	for _, sql := range []string{"SELECT 1", "SELECT 2", "SELECT 3", "SELECT 1", "SELECT 2"} {
		if rows, err := run(context.Background(), p, 0, sql); err != nil || show(rows) != "i"+sql[7:] {
			t.Errorf("%s: %s %v", sql, show(rows), err)
		}
	}
}

func BenchmarkPoolPoint(b *testing.B) {
	for _, journal := range journals {
		for name, age := range map[string]time.Duration{"written to": 0, "quiet": time.Hour} {
			b.Run(journal+"/"+name, func(b *testing.B) { benchmarkPoint(b, journal, Live, age) })
		}
	}
	b.Run("immutable", func(b *testing.B) { benchmarkPoint(b, "DELETE", Immutable, 0) })
}

// benchmarkPoint reads a row of a file that was last written to at some time
// ago.
func benchmarkPoint(b *testing.B, journal string, mode Mode, age time.Duration) {
	path := build(b, "PRAGMA journal_mode = "+journal, "CREATE TABLE t (id INTEGER PRIMARY KEY, name)",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) INSERT INTO t SELECT i, 'name ' || i FROM n")
	if at := time.Now().Add(-age); age > 0 {
		if err := os.Chtimes(path, at, at); err != nil {
			b.Fatal(err)
		}
	}
	db, err := Open(context.Background(), Location{Path: path}, Options{Mode: mode})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	p := db.NewPool(PoolOptions{})
	defer p.Close()
	s, err := p.Prepare(context.Background(), "SELECT name FROM t WHERE id = ?1")
	if err != nil {
		b.Fatal(err)
	}
	args := []value.Value{value.Int(500)}
	b.ReportAllocs()
	for b.Loop() {
		err := p.Run(context.Background(), s, args, func(r *Row) bool { _ = r.Raw(0); return true })
		if err != nil {
			b.Fatal(err)
		}
	}
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/birdcall/birdcall/pkg/value"
)

// writer is another program's connection to a database, which waits for no
// lock.
func writer(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file://"+escape(filepath.ToSlash(path))+"?_pragma=busy_timeout(0)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

func do(t testing.TB, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// ask returns what a statement answers.
func ask(t testing.TB, db *DB, sql string) string {
	t.Helper()
	got, err := db.Query(context.Background(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return show(got.Rows)
}

// journals are the ways in which a database keeps its commits whole.
var journals = []string{"DELETE", "WAL"}

// rest makes a file look as if nobody had written to it for a while.
func rest(t testing.TB, path string) {
	t.Helper()
	past := time.Now().Add(-time.Minute)
	if err := os.Chtimes(path, past, past); err != nil {
		t.Fatal(err)
	}
}

func TestLiveReadsWhatIsCommitted(t *testing.T) {
	for _, journal := range journals {
		t.Run(journal, func(t *testing.T) {
			path := build(t, "PRAGMA journal_mode = "+journal, "CREATE TABLE t(x)", "INSERT INTO t VALUES (1)")
			db := open(t, Location{Path: path}, Options{Mode: Live})
			w := writer(t, path)
			versions := map[string]bool{}
			for i, change := range []string{"UPDATE t SET x = x + 1", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", "UPDATE t SET x = x + 1", "DELETE FROM t"} {
				before, err := db.Version(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				if again, _ := db.Version(context.Background()); again != before {
					t.Errorf("the version changes by itself, from %s to %s", before, again)
				}
				versions[before] = true
				do(t, w, change) // which no reader is in the way of
				want := []string{"i2", "i2", "i2", "i3", ""}[i]
				if got := ask(t, db, "SELECT x FROM t"); got != want {
					t.Errorf("after %s: %s, want %s", change, got, want)
				}
				rest(t, path)
				if got := ask(t, db, "SELECT x FROM t"); got != want {
					t.Errorf("a while after %s: %s, want %s", change, got, want)
				}
			}
			const fewest = 3 // two updates, and what was before them; the rest need not show
			if len(versions) < fewest {
				t.Errorf("the versions were %v", versions)
			}
		})
	}
}

func TestLiveOpensReplacedFilesAnew(t *testing.T) {
	one := build(t, "CREATE TABLE t(x)", "INSERT INTO t VALUES ('one')")
	two := build(t, "CREATE TABLE t(x)", "INSERT INTO t VALUES ('two')")
	for name, replace := range map[string]func() error{
		"renamed": func() error { return os.Rename(two, one) },
		// Both files count as many changes, so that SQLite sees no difference.
		"copied over": func() error {
			data, err := os.ReadFile(two)
			if err != nil {
				return err
			}
			return os.WriteFile(one, data, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			one = build(t, "CREATE TABLE t(x)", "INSERT INTO t VALUES ('one')")
			two = build(t, "CREATE TABLE t(x)", "INSERT INTO t VALUES ('two')")
			rest(t, one)
			db := open(t, Location{Path: one}, Options{Mode: Live})
			before, _ := db.Version(context.Background())
			if got := ask(t, db, "SELECT x FROM t"); got != `t"one"` {
				t.Fatalf("got %s", got)
			}
			if err := replace(); err != nil {
				t.Fatal(err)
			}
			if got := ask(t, db, "SELECT x FROM t"); got != `t"two"` {
				t.Errorf("got %s", got)
			}
			if after, _ := db.Version(context.Background()); after == before {
				t.Error("the version is the old one")
			}
			if err := os.Remove(one); err != nil {
				t.Fatal(err)
			}
			if _, err := db.Query(context.Background(), "SELECT x FROM t"); !errors.Is(err, ErrChanged) {
				t.Errorf("without the file: %v", err)
			}
		})
	}
}

// TestLiveHoldsOffNobody has another program commit while a statement runs: the
// statement then reads again, and never gives a mixture.
func TestLiveHoldsOffNobody(t *testing.T) {
	path := build(t, "CREATE TABLE t(x)", "INSERT INTO t VALUES (1), (1), (1)")
	rest(t, path)
	p := open(t, Location{Path: path}, Options{Mode: Live}).NewPool(PoolOptions{})
	defer p.Close()
	s, err := p.Prepare(context.Background(), "SELECT x FROM t")
	if err != nil {
		t.Fatal(err)
	}
	w := writer(t, path)
	tries := 0
	var got []int64
	err = Retry(func() error {
		tries++
		got = nil
		return p.Run(context.Background(), s, nil, func(r *Row) bool {
			if got = append(got, r.Int64(0)); tries == 1 && len(got) == 1 {
				do(t, w, "UPDATE t SET x = x + 1")
			}
			return true
		})
	})
	if err != nil || tries != 2 || !slices.Equal(got, []int64{2, 2, 2}) {
		t.Errorf("got %v at try %d, error %v", got, tries, err)
	}
}

func TestLiveSaysThatTablesChanged(t *testing.T) {
	for _, journal := range journals {
		for change, want := range map[string]error{
			"ALTER TABLE t ADD COLUMN z":         ErrSchema,
			"ALTER TABLE t DROP COLUMN y":        ErrSchema,
			"ALTER TABLE t RENAME COLUMN y TO z": ErrSchema,
			"DROP TABLE t":                       ErrSchema,
			"CREATE TABLE other(x)":              nil,
			"CREATE INDEX i ON t(x)":             nil,
			"ALTER TABLE t RENAME TO u; CREATE VIEW t AS SELECT x, y FROM u": nil,
		} {
			path := build(t, "PRAGMA journal_mode = "+journal, "CREATE TABLE t(x, y)", "INSERT INTO t VALUES (1, 2)")
			p := open(t, Location{Path: path}, Options{Mode: Live}).NewPool(PoolOptions{})
			defer p.Close()
			s, err := p.Prepare(context.Background(), "SELECT * FROM t")
			if err != nil {
				t.Fatal(err)
			}
			read := func() error {
				return p.Run(context.Background(), s, nil, func(r *Row) bool {
					if r.Value(1) != value.Int(2) {
						t.Errorf("%s, %s: read %v", journal, change, r.Value(1))
					}
					return true
				})
			}
			if err := read(); err != nil {
				t.Fatal(err)
			}
			do(t, writer(t, path), change)
			if err := read(); !errors.Is(err, want) {
				t.Errorf("%s, %s: got error %v, want %v", journal, change, err, want)
			}
		}
	}
}

// TestLiveWhereNoLogCanBeMade has a link, which SQLite does not follow, in the
// place of a file that it needs to read a log.
func TestLiveWhereNoLogCanBeMade(t *testing.T) {
	path := build(t, "PRAGMA journal_mode = WAL", "CREATE TABLE t(x)", "INSERT INTO t VALUES (1)")
	if err := os.Symlink("nowhere", path+"-shm"); err != nil {
		t.Fatal(err)
	}
	db := open(t, Location{Path: path}, Options{Mode: Live})
	if got := ask(t, db, "SELECT x FROM t"); got != "i1" {
		t.Errorf("got %s", got)
	}
	other := build(t, "PRAGMA journal_mode = WAL", "CREATE TABLE t(x)", "INSERT INTO t VALUES (2)")
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, db, "SELECT x FROM t"); got != "i2" {
		t.Errorf("of the new file: %s", got)
	}
	s, err := db.pool.Prepare(context.Background(), "SELECT x FROM t")
	if err != nil {
		t.Fatal(err)
	}
	err = db.pool.Run(context.Background(), s, nil, func(*Row) bool {
		now := time.Now().Add(time.Hour)
		return os.Chtimes(path, now, now) == nil // somebody writes while it is read
	})
	if !errors.Is(err, ErrChanged) {
		t.Errorf("a write in between: %v", err)
	}
}

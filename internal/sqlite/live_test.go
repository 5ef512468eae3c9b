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
	"sync"
	"syscall"
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
	err = Again(func() error {
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

// accounts is a table whose sum every commit leaves as it is, too large for one
// page.
var accounts = []string{
	"CREATE TABLE account(id INTEGER PRIMARY KEY, money INTEGER, note TEXT)",
	"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000) INSERT INTO account SELECT i, 100, hex(zeroblob(50)) FROM n",
}

const total = "i200000"

// move is what a program does that writes to accounts, n times.
func move(w *sql.DB, n int, also ...string) error {
	for i := range n {
		from, to := i*37%2000+1, i*91%2000+1
		for _, s := range append([]string{fmt.Sprintf("UPDATE account SET money = money + CASE id WHEN %d THEN -1 ELSE 1 END, note = hex(randomblob(50)) WHERE id IN (%d, %d) AND %d <> %d", from, from, to, from, to)}, also...) {
			for {
				_, err := w.Exec(s)
				if err == nil {
					break
				}
				if !strings.Contains(err.Error(), "locked") {
					return fmt.Errorf("%s: %w", s, err)
				}
				time.Sleep(time.Millisecond)
			}
		}
	}
	return nil
}

func TestEveryStatementReadsOneCommittedState(t *testing.T) {
	for _, journal := range journals {
		for _, mode := range []Mode{Live, Snapshot} {
			t.Run(fmt.Sprint(journal, mode), func(t *testing.T) {
				path := build(t, append([]string{"PRAGMA journal_mode = " + journal}, accounts...)...)
				w := writer(t, path)
				do(t, w, "UPDATE account SET note = 'a' WHERE id = 1") // which leaves a log, if there is one
				db := open(t, Location{Path: path}, Options{Mode: mode, Busy: time.Minute})
				ctx, cancel := context.WithCancel(context.Background())
				var wait sync.WaitGroup
				defer wait.Wait()
				defer cancel()
				wait.Go(func() {
					for ctx.Err() == nil {
						if err := move(w, 1, "PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM"); err != nil {
							t.Error(err)
							return
						}
						time.Sleep(time.Millisecond) // or no reader would ever find it unlocked
						if journal == "DELETE" && mode == Snapshot {
							return // it has come through, or the readers are gone
						}
					}
				})
				first := ask(t, db, "SELECT group_concat(money || note) FROM account")
				var readers sync.WaitGroup
				for range 6 { // at a time, so that connections are opened late
					readers.Go(func() {
						for range 15 {
							if got := ask(t, db, "SELECT sum(money) FROM account"); got != total {
								t.Errorf("the sum is %s", got)
							}
							if now := ask(t, db, "SELECT group_concat(money || note) FROM account"); mode == Snapshot && now != first {
								t.Error("the data changed")
							}
						}
					})
				}
				readers.Wait()
				if err := db.Unchanged(); err != nil {
					t.Error(err)
				}
				cancel()
				if mode == Snapshot {
					db.pool.Close()
					db.snapshot.close() // lets the writer through
					db.snapshot = nil
				}
			})
		}
	}
}

// TestSnapshotOfAnEmptyLog has the log of a database in use hold nothing at
// first: then the file itself is the state that stays.
func TestSnapshotOfAnEmptyLog(t *testing.T) {
	path := build(t, append([]string{"PRAGMA journal_mode = WAL"}, accounts...)...)
	w := writer(t, path)
	do(t, w, "UPDATE account SET note = 'a' WHERE id = 1", "PRAGMA wal_checkpoint(RESTART)")
	db := open(t, Location{Path: path}, Options{})
	first := ask(t, db, "SELECT group_concat(money || note) FROM account")
	for range 5 {
		if err := move(w, 5); err != nil {
			t.Fatal(err)
		}
		do(t, w, "PRAGMA wal_checkpoint(PASSIVE)")
		again, err := db.NewPool(PoolOptions{}).Query(context.Background(), "SELECT group_concat(money || note) FROM account")
		if err != nil || show(again.Rows) != first {
			t.Errorf("the data changed: %v", err)
		}
	}
}

func TestOpenSaysWhatOthersDo(t *testing.T) {
	path := build(t, append([]string{"PRAGMA page_size = 512"}, accounts...)...)
	w := writer(t, path)

	// A program that is killed while it writes leaves a journal.
	do(t, w, "PRAGMA cache_size = 1", "BEGIN", "UPDATE account SET money = 0")
	left := filepath.Join(t.TempDir(), "left.sqlite")
	for from, to := range map[string]string{path: left, path + "-journal": left + "-journal"} {
		data, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	do(t, w, "ROLLBACK", "BEGIN EXCLUSIVE")

	logged := build(t, "PRAGMA journal_mode = WAL", "CREATE TABLE t(x)")
	do(t, writer(t, logged), "INSERT INTO t VALUES (1)")
	pipe := filepath.Join(t.TempDir(), "pipe.sqlite")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, path string
		modes      []Mode
		want       error
		text       string
	}{
		{"a journal that is left", left, []Mode{Snapshot, Live, Immutable}, ErrUnfinished, "sqlite3"},
		{"a lock", path, []Mode{Snapshot, Live, Immutable}, ErrLocked, "try again"},
		{"a log beside a file that is taken as immutable", logged, []Mode{Immutable}, ErrUnfinished, "close the programs"},
		{"a pipe", pipe, []Mode{Snapshot, Live, Immutable}, ErrNotDatabase, "no regular file"},
	} {
		for _, mode := range test.modes {
			_, err := Open(context.Background(), Location{Path: test.path}, Options{Mode: mode, Busy: time.Millisecond})
			if !errors.Is(err, test.want) || !strings.HasPrefix(err.Error(), "open ") || !strings.Contains(err.Error(), test.text) {
				t.Errorf("%s, mode %d: got error %v, want %v with %q", test.name, mode, err, test.want, test.text)
			}
		}
	}
}

func TestChangedFileIsNamed(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"replaced": func(path string) error { return os.Rename(build(t, "CREATE TABLE t(x)"), path) },
		"written to": func(path string) error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("more")
			return errors.Join(err, f.Close())
		},
		"removed": os.Remove,
	} {
		for _, mode := range []Mode{Snapshot, Immutable} {
			path := build(t, "CREATE TABLE t(x)", "INSERT INTO t VALUES (1)")
			db := open(t, Location{Path: path}, Options{Mode: mode})
			if err := db.Unchanged(); err != nil {
				t.Errorf("%s, mode %d: at first %v", name, mode, err)
			}
			if err := change(path); err != nil {
				t.Fatal(err)
			}
			if err := db.Unchanged(); !errors.Is(err, ErrChanged) {
				t.Errorf("%s, mode %d: %v", name, mode, err)
			}
			if _, err := db.NewPool(PoolOptions{}).Query(context.Background(), "SELECT x FROM t"); !errors.Is(err, ErrChanged) {
				t.Errorf("%s, mode %d: a new connection gives %v", name, mode, err)
			}
		}
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

func TestFullTextTablesAreRead(t *testing.T) {
	db := open(t, Location{Path: build(t,
		"CREATE VIRTUAL TABLE notes USING fts5(title, body)",
		"INSERT INTO notes VALUES ('One', 'the quick fox'), ('Two', 'the lazy dog'), ('Three', 'quick quick')",
	)}, Options{})
	for sql, want := range map[string]string{
		"SELECT title FROM notes WHERE notes MATCH 'quick' ORDER BY rowid":               "t\"One\"\nt\"Three\"",
		"SELECT title FROM notes('lazy')":                                                `t"Two"`,
		"SELECT highlight(notes, 1, '<', '>') FROM notes WHERE notes MATCH 'fox'":        `t"the quick <fox>"`,
		"SELECT title FROM notes WHERE notes MATCH 'quick' ORDER BY bm25(notes) LIMIT 1": `t"Three"`,
	} {
		if got := ask(t, db, sql); got != want {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
	forbidden := "SELECT * FROM notes WHERE notes MATCH 'a' AND load_extension('x')"
	if _, err := db.Query(context.Background(), forbidden); !errors.Is(err, ErrForbidden) {
		t.Errorf("%s: %v", forbidden, err)
	}
	schema, err := db.Schema(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if c := schema.Table("notes").Column("notes"); c == nil || !c.Hidden {
		t.Errorf("the table's hidden column is %+v", c)
	}
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

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
	for _, test := range []struct {
		name, path string
		modes      []Mode
		want       error
		text       string
	}{
		{"a journal that is left", left, []Mode{Snapshot, Live, Immutable}, ErrUnfinished, "sqlite3"},
		{"a lock", path, []Mode{Snapshot, Live, Immutable}, ErrLocked, "try again"},
		{"a log beside a file that is taken as immutable", logged, []Mode{Immutable}, ErrUnfinished, "close the programs"},
		{"a folder", t.TempDir(), []Mode{Snapshot, Live, Immutable}, ErrNotDatabase, "no regular file"},
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

package postgres_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/testkit/pgtest"
)

// slow takes hours, and many its rows one by one.
const (
	slow = "SELECT count(*) FROM generate_series(1, 100000) AS a, generate_series(1, 100000) AS b, generate_series(1, 100000) AS c"
	many = "SELECT a, b, repeat('x', 100) FROM generate_series(1, 2000) AS a, generate_series(1, 2500) AS b"
)

// isIdle reports whether no statement of the role reader runs.
func isIdle(s *pgtest.Server) func() bool {
	return func() bool {
		return s.Ask("SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader' AND state <> 'idle'") == "0"
	}
}

func testErrors(t *testing.T, s *pgtest.Server) {
	db := open(t, s, postgres.Options{Connections: 1, Time: time.Second, Value: 1000})
	tests := []struct {
		sql  string
		want error
	}{
		{slow, context.DeadlineExceeded},
		{"SELECT 1 / (id - 1) FROM customers", postgres.ErrComputation},
		{"SELECT name::int FROM customers", postgres.ErrComputation},
		{"SELECT ln(-1.0 * id) FROM customers", postgres.ErrComputation},
		{"SELECT 9223372036854775807 + id FROM customers", postgres.ErrComputation},
		{"SELECT (SELECT name FROM customers)", postgres.ErrComputation},
		{"SELECT repeat('x', 2000 * id) FROM customers", postgres.ErrTooLarge},
		{"SELECT repeat('x', 30000000 * id) FROM customers", postgres.ErrTooLarge},
	}
	for range 2 {
		for _, test := range tests {
			if _, err := lines(db, test.sql); !errors.Is(err, test.want) {
				t.Errorf("%s: got %v, want %v", test.sql, err, test.want)
			} else if e := (*postgres.Error)(nil); !errors.As(err, &e) || e.Hint == "" {
				t.Errorf("%s: %v has no hint", test.sql, err)
			}
		}
	}
	for _, sql := range []string{"SELECT nothing FROM customers", "SELECT 1 FROM nowhere", "SELEC 1", "SELECT nofunction(1)"} {
		if _, err := db.Prepare(t.Context(), sql); err == nil || errors.Is(err, postgres.ErrUnavailable) {
			t.Errorf("%s: got %v", sql, err)
		}
	}
	if got, err := lines(db, "SELECT 1"); got != "1" || err != nil {
		t.Errorf("afterwards: got %s, %v", got, err)
	}
}

func TestTablesThatChange(t *testing.T) {
	t.Parallel()
	s := start(t)
	db := open(t, s, postgres.Options{Connections: 1})
	statement, err := db.Prepare(t.Context(), "SELECT * FROM orders WHERE id = 1")
	if err != nil {
		t.Fatal(err)
	}
	run := func() error { return statement.Run(t.Context(), nil, func(engine.Row) bool { return true }) }
	if err := run(); err != nil {
		t.Fatal(err)
	}
	s.Exec("ALTER TABLE shop.orders ADD COLUMN more text")
	for range 2 {
		if err := run(); !errors.Is(err, postgres.ErrSchema) {
			t.Errorf("with a new column: got %v", err)
		}
	}
	s.Exec("ALTER TABLE shop.orders RENAME TO old")
	if err := run(); !errors.Is(err, postgres.ErrSchema) {
		t.Errorf("without the table: got %v", err)
	}
	s.Exec("ALTER TABLE shop.old DROP COLUMN more; ALTER TABLE shop.old RENAME TO orders")
	if err := run(); err != nil {
		t.Errorf("with the old table again: %v", err)
	}
}

func testCut(t *testing.T, s *pgtest.Server) {
	db := open(t, s, postgres.Options{Connections: 1, Wait: time.Minute, Time: time.Minute})
	ctx := t.Context()
	process, err := lines(db, "SELECT pg_backend_pid()")
	if err != nil {
		t.Fatal(err)
	}
	statement, err := db.Prepare(ctx, many)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range 3 {
		rows := 0
		if err := statement.Run(ctx, nil, func(engine.Row) bool { rows++; return rows < 10_000 }); err != nil || rows != 10_000 {
			t.Errorf("got %d rows, %v", rows, err)
		}
		if got, err := lines(db, "SELECT pg_backend_pid()"); got != process || err != nil {
			t.Errorf("the next statement got %s, %v on another connection than %s", got, err, process)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if after.HeapAlloc > before.HeapAlloc+64<<20 {
		t.Errorf("memory grew from %d to %d bytes", before.HeapAlloc, after.HeapAlloc)
	}
}

func testClientGone(t *testing.T, s *pgtest.Server) {
	db := open(t, s, postgres.Options{Connections: 2, Time: time.Hour})
	for _, sql := range []string{slow, many} {
		statement, err := db.Prepare(t.Context(), sql)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			pgtest.Wait(t, "the statement runs", func() bool { return !isIdle(s)() })
			cancel()
		}()
		if err := statement.Run(ctx, nil, func(engine.Row) bool { <-ctx.Done(); return true }); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", sql, err)
		}
		pgtest.Wait(t, "no statement runs", isIdle(s))
	}
}

func testPool(t *testing.T, s *pgtest.Server) {
	db := open(t, s, postgres.Options{Connections: 4, Wait: 10 * time.Millisecond, Time: time.Second})
	statement, err := db.Prepare(t.Context(), slow)
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	var mu sync.Mutex
	busy, late := 0, 0
	for range 64 {
		wait.Go(func() {
			err := statement.Run(t.Context(), nil, func(engine.Row) bool { return true })
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.Is(err, postgres.ErrBusy):
				busy++
			case errors.Is(err, context.DeadlineExceeded):
				late++
			default:
				t.Errorf("got %v", err)
			}
		})
	}
	wait.Wait()
	if late != 4 || busy != 60 {
		t.Errorf("%d ran and %d had to wait, want 4 and 60", late, busy)
	}
}

func testAnswersWait(t *testing.T, s *pgtest.Server) {
	db := open(t, s, postgres.Options{Connections: 1, Wait: time.Millisecond})
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if _, err := db.Answer(t.Context(), "SELECT count(*) FROM generate_series(1, 500) AS a, generate_series(1, 1000) AS b"); err != nil {
				t.Errorf("got %v", err)
			}
		})
	}
	wait.Wait()
}

func testPanicsLoseNoConnection(t *testing.T, s *pgtest.Server) {
	db := open(t, s, postgres.Options{Connections: 1})
	statement, err := db.Prepare(t.Context(), many)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		func() {
			defer func() { _ = recover() }()
			_ = statement.Run(t.Context(), nil, func(engine.Row) bool { panic("in the caller") })
		}()
		if got, err := lines(db, "SELECT 1"); got != "1" || err != nil {
			t.Errorf("afterwards: got %s, %v", got, err)
		}
	}
}

func testFewStatementsAreKept(t *testing.T, s *pgtest.Server) {
	db := open(t, s, postgres.Options{Connections: 1, Statements: 2})
	for range 2 {
		for _, sql := range []string{"SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4"} {
			if got, err := lines(db, sql); "SELECT "+got != sql || err != nil {
				t.Errorf("%s: got %s, %v", sql, got, err)
			}
		}
	}
}

func TestSnapshot(t *testing.T) {
	t.Parallel()
	s := start(t)
	db := open(t, s, postgres.Options{Connections: 3, Snapshot: true})
	live := open(t, s, postgres.Options{})
	const count = "SELECT count(*), current_setting('max_parallel_workers_per_gather') FROM orders"
	for i, sql := range []string{"SELECT 1", "INSERT INTO shop.orders VALUES (1000, 1)", "DELETE FROM shop.orders WHERE id < 50"} {
		s.Exec(sql)
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() {
				if got, err := lines(db, count); got != `100 "0"` || err != nil {
					t.Errorf("after change %d: got %s, %v", i, got, err)
				}
			})
		}
		wait.Wait()
	}
	if got, err := lines(live, count); !strings.HasPrefix(got, "52 ") || err != nil {
		t.Errorf("the newest state: got %s, %v", got, err)
	}
	if err := errors.Join(db.Unchanged(), live.Unchanged()); err != nil {
		t.Errorf("all is as it was: %v", err)
	}
	s.Stop()
	s.Start()
	if err := db.Unchanged(); !errors.Is(err, postgres.ErrUnavailable) || !strings.Contains(err.Error(), "the state that was read is lost") {
		t.Errorf("a snapshot after a restart: %v", err)
	}
	if err := live.Unchanged(); err != nil {
		t.Errorf("live data after a restart: %v", err)
	}
}

package postgres_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/testkit/pgtest"
	"github.com/birdcall/birdcall/pkg/value"
)

// readers runs a statement on several connections, again and again until stop is
// called, which returns how many runs succeeded and the errors of the others.
func readers(t testing.TB, db *postgres.DB) (done *atomic.Int64, stop func() []error) {
	t.Helper()
	statement, err := db.Prepare(t.Context(), "SELECT id, total FROM orders WHERE id <= $1 ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	done = &atomic.Int64{}
	ended := make(chan struct{})
	for range 8 {
		wait.Go(func() {
			for {
				select {
				case <-ended:
					return
				default:
				}
				var ids int64
				err := db.Retry(t.Context(), func() error {
					ids = 0
					return statement.Run(t.Context(), []value.Value{value.Int(50)}, func(r engine.Row) bool { ids += r.(*postgres.Row).Value(0).Int64(); return true })
				})
				switch {
				case err != nil:
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				case ids != 50*51/2:
					t.Errorf("the sum of the rows is %d", ids)
				default:
					done.Add(1)
				}
			}
		})
	}
	return done, func() []error {
		close(ended)
		wait.Wait()
		return errs
	}
}

// more waits until so many runs more have succeeded.
func more(t testing.TB, done *atomic.Int64) {
	t.Helper()
	from := done.Load()
	pgtest.Wait(t, "statements run", func() bool { return done.Load() > from+100 })
}

func TestKilledBackends(t *testing.T) {
	t.Parallel()
	s := start(t)
	db := open(t, s, postgres.Options{Connections: 8, Wait: 10 * time.Second})
	done, stop := readers(t, db)
	for range 5 {
		more(t, done)
		s.Exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'")
	}
	more(t, done)
	if errs := stop(); len(errs) > 0 {
		t.Errorf("%d reads failed: %v", len(errs), errs[0])
	}
}

func TestRestart(t *testing.T) {
	t.Parallel()
	s := start(t)
	db := open(t, s, postgres.Options{Connections: 8, Wait: 10 * time.Second})
	done, stop := readers(t, db)
	more(t, done)
	s.Stop()
	if _, err := lines(db, "SELECT 1"); !errors.Is(err, postgres.ErrUnavailable) {
		t.Errorf("without a server: got %v", err)
	}
	s.Start()
	more(t, done)
	for _, err := range stop() {
		if !errors.Is(err, postgres.ErrUnavailable) {
			t.Errorf("got %v", err)
		}
	}
}

func TestFailover(t *testing.T) {
	t.Parallel()
	s := start(t)
	standby := s.Standby()
	url := "postgres://reader@" + s.Host() + "," + standby.Host() + "/postgres?sslmode=disable"
	db := openURL(t, url, postgres.Options{Connections: 8, Wait: 10 * time.Second})
	pgtest.Wait(t, "the standby has all rows", func() bool { return standby.Ask("SELECT count(*) FROM shop.orders") == "100" })
	done, stop := readers(t, db)
	more(t, done)
	s.Stop()
	more(t, done)
	if errs := stop(); len(errs) > 0 {
		t.Errorf("%d reads failed: %v", len(errs), errs[0])
	}
	if got, err := lines(db, "SELECT current_setting('in_hot_standby'), lower('A')"); got != `"on" "a"` || err != nil {
		t.Errorf("on the standby: got %s, %v", got, err)
	}
}

func TestNoConnectionsLeft(t *testing.T) {
	t.Parallel()
	s := start(t)
	db := open(t, s, postgres.Options{Connections: 2})
	s.Exec("ALTER ROLE reader CONNECTION LIMIT 0; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'")
	if _, err := lines(db, "SELECT 1"); !errors.Is(err, postgres.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	s.Exec("ALTER ROLE reader CONNECTION LIMIT 1")
	if got, err := lines(db, "SELECT 1"); got != "1" || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestStoppedBackend(t *testing.T) {
	t.Parallel()
	s := start(t)
	db := open(t, s, postgres.Options{Connections: 1, Time: 200 * time.Millisecond, Wait: 10 * time.Second})
	process, err := lines(db, "SELECT pg_backend_pid()")
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(process)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Skipf("needs to be allowed to stop the server's processes: %v", err)
	}
	if _, err := db.Prepare(t.Context(), "SELECT 1"); !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, postgres.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if got, err := lines(db, "SELECT 1"); got != "1" || err != nil {
		t.Errorf("afterwards: got %s, %v", got, err)
	}
}

func TestPgBouncer(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, mode := range []string{"", "&default_query_exec_mode=exec", "&default_query_exec_mode=cache_describe"} {
		url := "postgres://reader@" + s.Bouncer(t) + "/postgres?sslmode=disable" + mode
		db := openURL(t, url, postgres.Options{Connections: 8, Wait: 10 * time.Second})
		done, stop := readers(t, db)
		for range 5 {
			more(t, done)
		}
		if errs := stop(); len(errs) > 0 {
			t.Errorf("%s: %d reads failed: %v", mode, len(errs), errs[0])
		}
		tests := []struct {
			sql  string
			want error
		}{
			{slow, context.DeadlineExceeded},
			{"SELECT 1 / (id - 1) FROM customers", postgres.ErrComputation},
			{"SELECT set_config('work_mem', '1GB', false)", postgres.ErrForbidden},
			{"SELECT name::int FROM customers", postgres.ErrComputation},
		}
		few := openURL(t, url, postgres.Options{Connections: 1, Time: 200 * time.Millisecond, Wait: 10 * time.Second})
		for _, test := range tests {
			if _, err := lines(few, test.sql); !errors.Is(err, test.want) {
				t.Errorf("%s: %s: got %v, want %v", mode, test.sql, err, test.want)
			}
		}
		statement, err := few.Prepare(t.Context(), many)
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		if err := statement.Run(t.Context(), nil, func(engine.Row) bool { rows++; return rows < 1000 }); err != nil {
			t.Errorf("%s: cut: %v", mode, err)
		}
		if got, err := lines(few, "SELECT current_schema(), current_setting('timezone')"); got != `"pg_catalog" "UTC"` || err != nil {
			t.Errorf("%s: afterwards: got %s, %v", mode, got, err)
		}
		pgtest.Wait(t, "no statement runs", isIdle(s))
	}
}

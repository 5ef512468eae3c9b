package postgres_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/testkit/pgtest"
)

// These benchmarks say how long things take that tests only see to happen:
//
//	make bench-postgres
//
// Each does one thing several times and reports the worst.

const times = 5

// worst keeps the longest of several times.
type worst struct{ d time.Duration }

func (w *worst) since(start time.Time) { w.d = max(w.d, time.Since(start)) }

func (w *worst) report(b *testing.B, unit string) {
	b.ReportMetric(float64(w.d.Microseconds())/1000, unit)
}

func prepare(b *testing.B, db *postgres.DB, sql string) engine.Statement {
	b.Helper()
	s, err := db.Prepare(b.Context(), sql)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkMeasureClientGone is from when a client goes until the server has ended
// its statement, which computes or writes rows.
func BenchmarkMeasureClientGone(b *testing.B) {
	s := start(b)
	for name, sql := range map[string]string{"computing": slow, "rows": many} {
		b.Run(name, func(b *testing.B) {
			db := open(b, s, postgres.Options{Connections: 2, Time: time.Hour})
			statement := prepare(b, db, sql)
			for b.Loop() {
				var gone worst
				for range times {
					ctx, cancel := context.WithCancel(b.Context())
					var left time.Time
					go func() {
						pgtest.Wait(b, "the statement runs", func() bool { return !isIdle(s)() })
						left = time.Now()
						cancel()
					}()
					if err := statement.Run(ctx, nil, func(engine.Row) bool { <-ctx.Done(); return true }); !errors.Is(err, context.Canceled) {
						b.Errorf("got %v", err)
					}
					pgtest.Wait(b, "no statement runs", isIdle(s))
					gone.since(left)
				}
				gone.report(b, "ms-until-idle")
			}
		})
	}
}

// BenchmarkMeasureCut is from when 10,000 of 5 million rows are read until the only
// connection answers again, and how much memory the process took meanwhile.
func BenchmarkMeasureCut(b *testing.B) {
	db := open(b, start(b), postgres.Options{Connections: 1, Wait: time.Minute, Time: time.Minute})
	statement, next := prepare(b, db, many), prepare(b, db, "SELECT 1")
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		var again worst
		for range times {
			rows := 0
			if err := statement.Run(b.Context(), nil, func(engine.Row) bool { rows++; return rows < 10_000 }); err != nil {
				b.Error(err)
			}
			cut := time.Now()
			if err := next.Run(b.Context(), nil, func(engine.Row) bool { return true }); err != nil {
				b.Error(err)
			}
			again.since(cut)
		}
		runtime.ReadMemStats(&after)
		again.report(b, "ms-until-answer")
		b.ReportMetric(float64(after.Sys-before.Sys)/(1<<20), "MiB-more")
	}
}

// BenchmarkMeasurePool is how long those of 64 clients wait that get none of 4
// connections within half a second.
func BenchmarkMeasurePool(b *testing.B) {
	const wait = 500 * time.Millisecond
	db := open(b, start(b), postgres.Options{Connections: 4, Wait: wait, Time: 2 * time.Second})
	statement := prepare(b, db, slow)
	for b.Loop() {
		var refused worst
		var mu sync.Mutex
		var all sync.WaitGroup
		count := 0
		began := time.Now()
		for range 64 {
			all.Go(func() {
				if err := statement.Run(b.Context(), nil, func(engine.Row) bool { return true }); errors.Is(err, postgres.ErrBusy) {
					mu.Lock()
					defer mu.Unlock()
					refused.since(began)
					count++
				} else if !errors.Is(err, context.DeadlineExceeded) {
					b.Errorf("got %v", err)
				}
			})
		}
		all.Wait()
		refused.report(b, "ms-until-refused")
		b.ReportMetric(float64(count), "refused")
	}
}

// BenchmarkMeasureRestart is from when a server takes connections again until one of
// 8 readers has an answer; none may see another error than ErrUnavailable.
func BenchmarkMeasureRestart(b *testing.B) {
	s := start(b)
	db := open(b, s, postgres.Options{Connections: 8, Wait: 10 * time.Second})
	for b.Loop() {
		var back worst
		failed, wrong := 0, 0
		for range times {
			done, stop := readers(b, db)
			more(b, done)
			s.Stop()
			time.Sleep(2 * time.Second) // for longer than anybody tries
			returned := make(chan time.Time)
			go func() {
				for {
					c, err := pgconn.Connect(b.Context(), s.URL("reader", "postgres", "?sslmode=disable"))
					if err == nil {
						returned <- time.Now()
						_ = c.Close(b.Context()) // it was opened to see that it can be
						return
					}
				}
			}()
			go s.Start()
			from := done.Load()
			taken := <-returned
			for done.Load() == from {
				time.Sleep(time.Millisecond)
			}
			back.since(taken)
			more(b, done)
			for _, err := range stop() {
				failed++
				if !errors.Is(err, postgres.ErrUnavailable) {
					wrong++
				}
			}
		}
		back.report(b, "ms-until-answer")
		b.ReportMetric(float64(failed), "unavailable")
		b.ReportMetric(float64(wrong), "other-errors")
	}
}

// BenchmarkMeasureFailover is how many of 8 readers' reads fail when the first server
// of the URL is killed and a standby is left.
func BenchmarkMeasureFailover(b *testing.B) {
	s := start(b)
	standby := s.Standby()
	pgtest.Wait(b, "the standby has all rows", func() bool { return standby.Ask("SELECT count(*) FROM shop.orders") == "100" })
	db := openURL(b, "postgres://reader@"+s.Host()+","+standby.Host()+"/postgres?sslmode=disable", postgres.Options{Connections: 8, Wait: 10 * time.Second})
	for b.Loop() {
		failed, answered := 0, int64(0)
		for range times {
			done, stop := readers(b, db)
			more(b, done)
			s.Stop()
			more(b, done)
			more(b, done)
			failed += len(stop())
			answered += done.Load()
			s.Start()
		}
		b.ReportMetric(float64(failed), "failed")
		b.ReportMetric(float64(answered), "answered")
	}
}

// BenchmarkMeasurePgBouncer is how many reads fail through PgBouncer in transaction
// mode, with its own 3 connections for our 8.
func BenchmarkMeasurePgBouncer(b *testing.B) {
	db := openURL(b, "postgres://reader@"+start(b).Bouncer(b)+"/postgres?sslmode=disable", postgres.Options{Connections: 8, Wait: 10 * time.Second})
	for b.Loop() {
		done, stop := readers(b, db)
		for done.Load() < 10_000 {
			time.Sleep(time.Millisecond)
		}
		b.ReportMetric(float64(len(stop())), "failed")
		b.ReportMetric(float64(done.Load()), "answered")
	}
}

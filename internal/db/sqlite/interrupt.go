package sqlite

import (
	"context"
	"sync"
	"time"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// watch interrupts a run that takes too long or whose caller has gone. It checks only
// every few milliseconds: a timer or goroutine per run would cost more than a short
// statement itself.
type watch struct {
	tls   *libc.TLS // its own, for it runs at the same time as the session
	db    uintptr
	timer *time.Timer

	mu    sync.Mutex
	ctx   context.Context // nil while nothing runs
	until time.Time
	why   error
}

const watchEvery = 10 * time.Millisecond

func (w *watch) init(db uintptr) {
	w.tls, w.db = libc.NewTLS(), db
	w.timer = time.AfterFunc(time.Hour, w.look)
	w.timer.Stop()
}

func (w *watch) start(ctx context.Context, limit time.Duration) {
	w.mu.Lock()
	w.ctx, w.until, w.why = ctx, time.Now().Add(limit), nil
	w.mu.Unlock()
	w.timer.Reset(watchEvery)
}

// stop ends the watching and says why the run was interrupted, or nil.
func (w *watch) stop() error {
	w.timer.Stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ctx = nil
	return w.why
}

func (w *watch) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx == nil {
		return
	}
	if w.why = w.ctx.Err(); w.why == nil && !time.Now().Before(w.until) {
		w.why = context.DeadlineExceeded
	}
	if w.why != nil {
		// Repeat: SQLite drops an interrupt that comes between two steps.
		lib.Xsqlite3_interrupt(w.tls, w.db)
	}
	w.timer.Reset(watchEvery)
}

func (w *watch) close() {
	if w.timer != nil {
		w.timer.Stop()
		w.mu.Lock()
		w.tls.Close()
		w.mu.Unlock()
	}
}

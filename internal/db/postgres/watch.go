package postgres

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
)

// watch ends a run on a connection when it takes too long, or when nobody waits for it
// any more. pgconn can do so by contexts, but a run needs several of them. Their cost
// would be more than all else that this package does for a short statement. One
// goroutine at a time begins and ends runs; any goroutine may call fire.
type watch struct {
	canceller canceller

	mu    sync.Mutex
	run   uint64 // counts the runs, so that what fires late for one does not end the next
	on    bool
	fired bool
}

func newWatch(pg *pgconn.PgConn) *watch { return &watch{canceller: canceller{conn: pg}} }

// begin starts a run, and returns the function that ends it early.
func (w *watch) begin() (fire func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.run++
	w.on, w.fired = true, false
	run := w.run
	return func() { w.fire(run) }
}

func (w *watch) fire(run uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.on && !w.fired && w.run == run {
		w.fired = true
		w.canceller.HandleCancel(context.Background())
	}
}

// hasFired reports whether the run was ended early.
func (w *watch) hasFired() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fired
}

// end waits until no call of fire is in progress.
func (w *watch) end() {
	w.mu.Lock()
	w.on = false
	fired := w.fired
	w.mu.Unlock()
	if fired {
		w.canceller.HandleUnwatchAfterCancel()
	}
}

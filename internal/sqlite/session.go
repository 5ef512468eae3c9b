package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
	"unsafe"

	modernc "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/birdcall/birdcall/pkg/value"
	"modernc.org/libc"
)

// session is one connection through SQLite's C interface
// (https://www.sqlite.org/cintro.html). The driver's own connection starts a
// goroutine per run, watches the context during the first step only and
// converts dates; here none of that is wanted. One goroutine uses a session
// at a time.
type session struct {
	tls        *libc.TLS
	db         uintptr // sqlite3*
	statements map[*Statement]*prepared
	keep       int // statements
	uses       uint64
	watch      watch
}

// prepared is a statement on one connection.
type prepared struct {
	handle uintptr // sqlite3_stmt*
	used   uint64  // when it ran last, in runs of the session
}

// resultError is SQLite's own error.
type resultError struct {
	code    int // extended result code
	message string
}

func (e *resultError) Error() string { return fmt.Sprintf("%s (%d)", e.message, e.code) }

// Code returns the extended result code (https://www.sqlite.org/rescode.html).
func (e *resultError) Code() int { return e.code }

func openSession(uri string, limits Limits, keep int) (_ *session, err error) {
	c := &session{tls: libc.NewTLS(), statements: map[*Statement]*prepared{}, keep: keep}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	name, err := libc.CString(uri)
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(c.tls, name)
	const flags = lib.SQLITE_OPEN_READONLY | lib.SQLITE_OPEN_URI | lib.SQLITE_OPEN_NOMUTEX
	if rc := lib.Xsqlite3_open_v2(c.tls, name, uintptr(unsafe.Pointer(&c.db)), flags, 0); rc != lib.SQLITE_OK {
		return nil, c.failure(rc)
	}
	lib.Xsqlite3_extended_result_codes(c.tls, c.db, 1)
	// A service may run where no file can be written, so what does not fit
	// into a sorter stays in memory. Reading once starts the transaction.
	for _, sql := range []string{"PRAGMA temp_store = 2", "PRAGMA query_only = 1", "BEGIN", "SELECT 1 FROM sqlite_schema"} {
		if err := c.exec(sql); err != nil {
			return nil, err
		}
	}
	for _, l := range limits.list() {
		lib.Xsqlite3_limit(c.tls, c.db, int32(l.id), int32(l.value))
	}
	if rc := lib.Xsqlite3_set_authorizer(c.tls, c.db, authorizer, 0); rc != lib.SQLITE_OK {
		return nil, c.failure(rc)
	}
	c.watch.init(c.db)
	return c, nil
}

// authorizer is authorizeC as a C function pointer, which for the translated
// library is a pointer to a Go function value.
var authorizer = *(*uintptr)(unsafe.Pointer(&struct {
	f func(*libc.TLS, uintptr, int32, uintptr, uintptr, uintptr, uintptr) int32
}{authorizeC}))

func authorizeC(_ *libc.TLS, _ uintptr, action int32, arg1, arg2, arg3, arg4 uintptr) int32 {
	return int32(authorize(modernc.AuthorizerActionCode(action), libc.GoString(arg1), libc.GoString(arg2), libc.GoString(arg3), libc.GoString(arg4)))
}

func (c *session) exec(sql string) error {
	text, err := libc.CString(sql)
	if err != nil {
		return err
	}
	defer libc.Xfree(c.tls, text)
	if rc := lib.Xsqlite3_exec(c.tls, c.db, text, 0, 0, 0); rc != lib.SQLITE_OK {
		return c.failure(rc)
	}
	return nil
}

// failure describes the last error of the connection.
func (c *session) failure(rc int32) error {
	if c.db == 0 {
		return &resultError{int(rc), "out of memory"}
	}
	return &resultError{int(rc), libc.GoString(lib.Xsqlite3_errmsg(c.tls, c.db))}
}

func (c *session) close() {
	c.watch.close()
	for _, p := range c.statements {
		lib.Xsqlite3_finalize(c.tls, p.handle)
	}
	if c.db != 0 {
		lib.Xsqlite3_close_v2(c.tls, c.db)
	}
	c.tls.Close()
}

// prepare returns the statement's handle, which the connection keeps until
// others were used more lately.
func (c *session) prepare(s *Statement) (uintptr, error) {
	c.uses++
	if p := c.statements[s]; p != nil {
		p.used = c.uses
		return p.handle, nil
	}
	text, err := libc.CString(s.sql)
	if err != nil {
		return 0, err
	}
	defer libc.Xfree(c.tls, text)
	p := &prepared{used: c.uses}
	const flags = lib.SQLITE_PREPARE_PERSISTENT
	if rc := lib.Xsqlite3_prepare_v3(c.tls, c.db, text, -1, flags, uintptr(unsafe.Pointer(&p.handle)), 0); rc != lib.SQLITE_OK {
		return 0, c.failure(rc)
	}
	if len(c.statements) >= c.keep {
		c.forget()
	}
	c.statements[s] = p
	return p.handle, nil
}

// forget drops the statement that was not used for the longest time.
func (c *session) forget() {
	var oldest *Statement
	for s, p := range c.statements {
		if oldest == nil || p.used < c.statements[oldest].used {
			oldest = s
		}
	}
	lib.Xsqlite3_finalize(c.tls, c.statements[oldest].handle)
	delete(c.statements, oldest)
}

func (c *session) columns(handle uintptr) []string {
	names := make([]string, lib.Xsqlite3_column_count(c.tls, handle))
	for i := range names {
		names[i] = libc.GoString(lib.Xsqlite3_column_name(c.tls, handle, int32(i)))
	}
	return names
}

func (c *session) params(handle uintptr) int {
	return int(lib.Xsqlite3_bind_parameter_count(c.tls, handle))
}

// run is Pool.Run on this connection.
func (c *session) run(ctx context.Context, s *Statement, args []value.Value, limit time.Duration, yield func(*Row) bool) error {
	if len(args) != s.params {
		return fmt.Errorf("%d arguments for %d parameters", len(args), s.params)
	}
	handle, err := c.prepare(s)
	if err != nil {
		return err
	}
	for i, v := range args {
		if err := c.bind(handle, int32(i+1), v); err != nil {
			return err
		}
	}
	c.watch.start(ctx, limit)
	err = c.steps(handle, yield)
	stopped := c.watch.stop()
	lib.Xsqlite3_reset(c.tls, handle)
	if code := (*resultError)(nil); stopped != nil && errors.As(err, &code) && code.code&0xff == lib.SQLITE_INTERRUPT {
		return stopped
	}
	return err
}

func (c *session) steps(handle uintptr, yield func(*Row) bool) error {
	row := Row{tls: c.tls, handle: handle}
	for {
		switch rc := lib.Xsqlite3_step(c.tls, handle); rc {
		case lib.SQLITE_ROW:
			if !yield(&row) {
				return nil
			}
		case lib.SQLITE_DONE:
			return nil
		default:
			return c.failure(rc)
		}
	}
}

// bind hands SQLite a copy of the value.
func (c *session) bind(handle uintptr, i int32, v value.Value) error {
	var rc int32
	switch v.Kind() {
	case value.Null:
		rc = lib.Xsqlite3_bind_null(c.tls, handle, i)
	case value.Integer:
		rc = lib.Xsqlite3_bind_int64(c.tls, handle, i, v.Int64())
	case value.Real:
		rc = lib.Xsqlite3_bind_double(c.tls, handle, i, v.Float64())
	default:
		raw := v.Raw()
		text, err := libc.CString(raw)
		if err != nil {
			return err
		}
		if v.Kind() == value.Text {
			rc = lib.Xsqlite3_bind_text(c.tls, handle, i, text, int32(len(raw)), lib.SQLITE_TRANSIENT)
		} else {
			rc = lib.Xsqlite3_bind_blob(c.tls, handle, i, text, int32(len(raw)), lib.SQLITE_TRANSIENT)
		}
		libc.Xfree(c.tls, text)
	}
	if rc != lib.SQLITE_OK {
		return c.failure(rc)
	}
	return nil
}

// watch interrupts a run that takes too long or whose caller has gone. It
// looks only every few milliseconds: a timer or goroutine per run would cost
// more than a short statement itself.
type watch struct {
	tls   *libc.TLS // its own, for it runs beside the session
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

// stop ends the watching and tells why the run was interrupted, or nil.
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
		// Again and again: SQLite drops one that comes between two steps.
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

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"
	"unsafe"

	lib "modernc.org/sqlite/lib"

	"github.com/birdcall/birdcall/internal/db/engine"
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
	out        uintptr   // what SQLite writes a pointer to; Go moves its stack, but not this
	external   *external // nil where statements read the file alone
	limits     Limits

	// In mode Live:
	file     fs.FileInfo // the file as it was when it was looked at last
	logged   bool        // whether commits go to a write-ahead log
	unlocked bool        // whether only looking at the file shows a change
}

// resultError is SQLite's own error.
type resultError struct {
	code    int // extended result code
	message string
}

func (e *resultError) Error() string { return fmt.Sprintf("%s (%d)", e.message, e.code) }

// Code returns the extended result code (https://www.sqlite.org/rescode.html).
func (e *resultError) Code() int { return e.code }

// Is says which of the reasons that all engines have it is: a failure of the
// statement itself has SQLite's general code.
func (e *resultError) Is(target error) bool {
	switch e.code & 0xff {
	case lib.SQLITE_ERROR:
		return target == engine.ErrComputation
	case lib.SQLITE_NOMEM:
		return target == engine.ErrMemory
	}
	return false
}

// access says how a session reads.
type access struct {
	uri  string
	keep int           // statements
	busy time.Duration // to wait for another program's lock
	hold bool          // one read transaction for all its life
	at   *snapshot     // the state to read, or nil for the newest
	// Pragmas that say where temporary data go, and how many KiB of pages and
	// of rows to sort are kept in memory.
	temp, cache string
	// locked is called, if not nil, while no commit can come in between.
	locked func() error
	// external is what statements can read besides the file, or nil.
	external External
}

func openSession(a access, limits Limits) (_ *session, err error) {
	c := &session{tls: libc.NewTLS(), statements: map[*Statement]*prepared{}, keep: a.keep, limits: limits}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	name, err := c.text(a.uri)
	if err != nil {
		return nil, err
	}
	defer c.free(name)
	const flags = lib.SQLITE_OPEN_READONLY | lib.SQLITE_OPEN_URI | lib.SQLITE_OPEN_NOMUTEX
	if rc := lib.Xsqlite3_open_v2(c.tls, name, uintptr(unsafe.Pointer(&c.db)), flags, 0); rc != lib.SQLITE_OK {
		return nil, c.failure(rc)
	}
	lib.Xsqlite3_extended_result_codes(c.tls, c.db, 1)
	lib.Xsqlite3_busy_timeout(c.tls, c.db, int32(a.busy.Milliseconds()))
	for _, sql := range []string{a.temp, a.cache} {
		if err := c.exec(sql); err != nil {
			return nil, err
		}
	}
	guard := uintptr(0)
	if a.external != nil {
		if err := c.attach(a.external); err != nil {
			return nil, err
		}
		if guard, err = c.external.hold(c.tls, 0); err != nil {
			return nil, err
		}
	}
	if err := c.exec("PRAGMA query_only = 1"); err != nil {
		return nil, err
	}
	if err := c.begin(a); err != nil {
		return nil, err
	}
	for _, l := range limits.list() {
		lib.Xsqlite3_limit(c.tls, c.db, int32(l.id), int32(l.value))
	}
	if rc := lib.Xsqlite3_set_authorizer(c.tls, c.db, authorizer, guard); rc != lib.SQLITE_OK {
		return nil, c.failure(rc)
	}
	c.watch.init(c.db)
	return c, nil
}

// begin reads the file once, which shows whether it can be, and starts the
// transaction that the session holds.
func (c *session) begin(a access) error {
	const read = "SELECT 1 FROM sqlite_schema"
	if a.at != nil {
		// Reading first lets the connection know of the log, without which it
		// opens no snapshot (https://www.sqlite.org/c3ref/snapshot_open.html).
		if err := c.exec(read); err != nil {
			return err
		}
	}
	if err := c.exec("BEGIN"); err != nil {
		return err
	}
	if a.at != nil {
		if rc := a.at.open(c); rc != lib.SQLITE_OK {
			return c.failure(rc)
		}
	}
	if err := c.exec(read); err != nil {
		return err
	}
	if a.locked != nil {
		if err := a.locked(); err != nil {
			return err
		}
		c.logged = c.journalMode() == "wal"
	}
	if a.hold {
		return nil
	}
	return c.exec("COMMIT")
}

// journalMode returns how commits are kept whole
// (https://www.sqlite.org/pragma.html#pragma_journal_mode), or "".
func (c *session) journalMode() string {
	handle, err := c.compile("PRAGMA journal_mode")
	if err != nil {
		return ""
	}
	defer lib.Xsqlite3_finalize(c.tls, handle)
	if lib.Xsqlite3_step(c.tls, handle) != lib.SQLITE_ROW {
		return ""
	}
	return string((&Row{tls: c.tls, handle: handle}).Raw(0))
}

// tempStore says where what does not fit into a sorter goes: into files that
// vanish with their connection, or, where none can be written, into memory.
var tempStore = sync.OnceValue(func() string {
	f, err := os.CreateTemp("", "birdcall-")
	if err != nil {
		return tempInMemory
	}
	_ = errors.Join(f.Close(), os.Remove(f.Name()))
	return tempInFiles
})

const (
	tempInFiles  = "PRAGMA temp_store = 1"
	tempInMemory = "PRAGMA temp_store = 2"

	cacheOfOne  = "PRAGMA cache_size = -2000" // SQLite's default
	cacheOfMany = "PRAGMA cache_size = -500"
)

// bound sets the greatest size of a value or row in bytes.
func (c *session) bound(value int) {
	lib.Xsqlite3_limit(c.tls, c.db, lib.SQLITE_LIMIT_LENGTH, int32(value))
}

// text returns a copy of a string as C has it, which free gives back.
func (c *session) text(s string) (uintptr, error) { return libc.CString(s) }

func (c *session) free(text uintptr) { libc.Xfree(c.tls, text) }

func (c *session) exec(sql string) error {
	text, err := c.text(sql)
	if err != nil {
		return err
	}
	defer c.free(text)
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
	c.external.detach(c.tls)
	c.tls.Close()
}

// run is Pool.Run on this connection.
func (c *session) run(ctx context.Context, s *Statement, args []value.Value, limit time.Duration, yield func(*Row) bool) error {
	p, err := c.ready(s, args)
	if err != nil {
		return err
	}
	if s.steps > 0 {
		lib.Xsqlite3_progress_handler(c.tls, c.db, int32(s.steps), enough, 0)
		defer lib.Xsqlite3_progress_handler(c.tls, c.db, 0, 0, 0)
	}
	c.watch.start(ctx, limit)
	err = c.steps(s, p, yield)
	stopped := c.watch.stop()
	lib.Xsqlite3_reset(c.tls, p.handle)
	code := (*resultError)(nil)
	switch {
	case !errors.As(err, &code):
	case stopped != nil && code.code&0xff == lib.SQLITE_INTERRUPT:
		return stopped
	case s.steps > 0 && code.code&0xff == lib.SQLITE_INTERRUPT:
		return fmt.Errorf("%w: the statement takes more than %d steps", ErrTooLarge, s.steps)
	case c.file != nil && code.code&0xff == lib.SQLITE_ERROR:
		// SQLite compiles a statement anew when the tables have changed.
		again, failed := c.compile(s.sql)
		if failed != nil {
			return noLongerFits(failed)
		}
		lib.Xsqlite3_finalize(c.tls, again)
	}
	return err
}

// ready returns a statement that is compiled on this connection, with its arguments.
func (c *session) ready(s *Statement, args []value.Value) (*prepared, error) {
	if len(args) != s.params {
		return nil, fmt.Errorf("%d arguments for %d parameters", len(args), s.params)
	}
	p, err := c.prepare(s)
	if err != nil {
		return nil, noLongerFits(err)
	}
	for i, v := range args {
		if err := c.bind(p.handle, int32(i+1), v); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// noLongerFits adds a reason to the failure of compiling a statement that was
// compiled before.
func noLongerFits(err error) error {
	if code := (*resultError)(nil); errors.As(err, &code) && code.code&0xff == lib.SQLITE_ERROR {
		return fmt.Errorf("%w: %w", ErrSchema, err)
	}
	return err
}

func (c *session) steps(s *Statement, p *prepared, yield func(*Row) bool) error {
	row := Row{tls: c.tls, handle: p.handle}
	for first := true; ; first = false {
		rc := lib.Xsqlite3_step(c.tls, p.handle)
		if first && (rc == lib.SQLITE_ROW || rc == lib.SQLITE_DONE) {
			if err := c.check(s, p); err != nil {
				return err
			}
		}
		switch rc {
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

// check holds a statement that was compiled, or compiled anew because the
// tables have changed, against the columns that its reader expects.
func (c *session) check(s *Statement, p *prepared) error {
	const reset = 1
	if again := lib.Xsqlite3_stmt_status(c.tls, p.handle, lib.SQLITE_STMTSTATUS_REPREPARE, reset); again == 0 && p.checked {
		return nil
	}
	p.checked = slices.Equal(c.columns(p.handle), s.columns)
	if !p.checked {
		return fmt.Errorf("%w: its columns have other names now", ErrSchema)
	}
	return nil
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

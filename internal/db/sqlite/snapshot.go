package sqlite

import (
	"errors"
	"fmt"
	"unsafe"

	lib "modernc.org/sqlite/lib"
)

// snapshot keeps one committed state of a database readable while other
// programs go on writing, by a transaction that lasts until close.
//
// Without a write-ahead log its shared lock keeps writers from committing
// (https://www.sqlite.org/lockingv3.html). With one, the state is a prefix of
// the log, which checkpoints leave alone as long as somebody reads it; other
// connections ask for it by its handle
// (https://www.sqlite.org/c3ref/snapshot.html). Where the log held nothing at
// the time, or nothing that is not in the file too, checkpoints leave the file
// alone (https://www.sqlite.org/walformat.html, section 2.3.1: WAL_READ_LOCK(0)),
// and it can be read as if it were immutable.
type snapshot struct {
	guard  *session
	handle uintptr // sqlite3_snapshot*, or 0 if the file alone is the state
}

// settle takes hold of the state that the mode asks for.
func (d *DB) settle() error {
	logged := isLogged(d.header)
	switch {
	case d.at.FS != nil, d.mode == Live:
		return nil
	case logged && !d.hasLog():
		// Nobody has it open: whoever does keeps a log. Even a reader would
		// make files next to it, unless it takes the database as immutable.
		d.fixed = true
		return nil
	case logged && d.mode == Immutable:
		return &Error{
			Op: "open", Database: d.at.String(), Err: fmt.Errorf("%w: its write-ahead log (-wal) holds what is not in the file yet", ErrUnfinished),
			Hint: "close the programs that use it, or do not take it as immutable",
		}
	}
	a := d.access(1)
	a.locked = func() (err error) {
		d.opened, err = d.stat()
		return err
	}
	guard, err := openSession(a, d.limits)
	if err != nil {
		return err
	}
	if d.mode == Immutable { // the guard has seen that no write is unfinished
		guard.close()
		d.fixed = true
		return nil
	}
	d.snapshot = &snapshot{guard: guard}
	if guard.logged {
		d.snapshot.handle = guard.snapshot()
	}
	d.fixed = d.snapshot.handle == 0
	return nil
}

// snapshot returns a handle of the state that the session reads, or 0 if the
// log holds nothing of it.
func (c *session) snapshot() uintptr {
	main, err := c.text("main")
	if err != nil {
		return 0
	}
	defer c.free(main)
	if rc := lib.Xsqlite3_snapshot_get(c.tls, c.db, main, uintptr(unsafe.Pointer(&c.out))); rc != lib.SQLITE_OK {
		return 0
	}
	return c.out
}

// open makes the transaction that a session has begun read the state.
func (s *snapshot) open(c *session) int32 {
	main, err := c.text("main")
	if err != nil {
		return lib.SQLITE_NOMEM
	}
	defer c.free(main)
	return lib.Xsqlite3_snapshot_open(c.tls, c.db, main, s.handle)
}

func (s *snapshot) close() {
	if s == nil {
		return
	}
	if s.handle != 0 {
		lib.Xsqlite3_snapshot_free(s.guard.tls, s.handle)
	}
	s.guard.close()
}

// access returns how sessions read the database itself, with locks.
func (d *DB) access(keep int) access {
	a := access{uri: d.uri + d.query, keep: keep, busy: d.busy, hold: d.mode != Live, temp: tempInMemory, cache: cacheOfOne, external: d.external}
	if d.at.FS == nil {
		a.temp = tempStore()
	}
	if d.mode != Snapshot {
		// A service has many connections to many databases. The pages that one
		// does not need are another's (SQLITE_ENABLE_MEMORY_MANAGEMENT).
		a.cache = cacheOfMany
	}
	return a
}

// unlocked returns how sessions read the file as it is, without locks.
func (d *DB) unlocked(keep int) access {
	a := d.access(keep)
	a.uri += "&immutable=1"
	return a
}

// connect opens a session that reads what the mode asks for.
func (d *DB) connect(keep int) (*session, error) {
	switch {
	case d.at.FS != nil:
		return openSession(d.unlocked(keep), d.limits)
	case d.mode == Live:
		return d.connectLive(keep)
	}
	if err := d.Unchanged(); err != nil {
		return nil, err
	}
	c, err := d.connectFixed(keep)
	if err != nil {
		return nil, err
	}
	if err := d.Unchanged(); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (d *DB) connectFixed(keep int) (*session, error) {
	if !d.fixed {
		a := d.access(keep)
		a.at = d.snapshot
		c, err := openSession(a, d.limits)
		if code := (*resultError)(nil); !errors.As(err, &code) || code.code != lib.SQLITE_ERROR_SNAPSHOT {
			return c, err
		}
		// The log was begun anew, so that all of the state is in the file,
		// which stays as it is while the guard reads it.
	}
	return openSession(d.unlocked(keep), d.limits)
}

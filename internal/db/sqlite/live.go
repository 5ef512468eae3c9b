package sqlite

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"sync"
	"time"

	lib "modernc.org/sqlite/lib"
)

// stat describes the file as it is now.
func (d *DB) stat() (fs.FileInfo, error) {
	info, err := os.Stat(d.at.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: it is not there any more", ErrChanged)
	}
	return info, err
}

// same reports whether a and b are the same file without a write in between.
func same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// Unchanged fails with ErrChanged if the file has changed since Open, so that the rows
// read may not belong to one state. It is for the modes Snapshot and Immutable. Writes
// to a log next to the file do not matter.
func (d *DB) Unchanged() error {
	if d.opened == nil || d.mode == Live {
		return nil
	}
	now, err := d.stat()
	if err == nil && (!os.SameFile(now, d.opened) || d.fixed && !same(now, d.opened)) {
		err = ErrChanged
	}
	if err != nil {
		return d.fail("read", err)
	}
	return nil
}

// Outdated reports whether the contents of the external tables may have changed since
// Open.
func (d *DB) Outdated() bool {
	if d.external == nil {
		return false
	}
	now, fixed := d.external.Version()
	return !fixed && now != d.outside
}

// settled is the age from which the time of a file's last change distinguishes it from
// a later change. Some file systems count in steps of two seconds.
const settled = 3 * time.Second

// connectLive opens a session that reads the newest state with each statement.
//
// While nobody writes, the session reads the file without a lock. If the file is the
// same after the last row as it was while nobody was writing, all rows are of one
// committed state. That costs a statement less than SQLite's locks, and no writer waits
// for it. Shortly after a write, and while the log has changes that are not in the
// file, the session takes the locks.
func (d *DB) connectLive(keep int) (*session, error) {
	before, err := d.stat()
	if err != nil {
		return nil, err
	}
	if d.isAtRest(before) {
		if c, err := d.connectUnlocked(keep, before, true); err == nil {
			return c, nil
		}
	}
	a := d.access(keep)
	var file fs.FileInfo
	a.locked = func() (err error) {
		file, err = d.stat()
		return err
	}
	c, err := openSession(a, d.limits)
	if code := (*resultError)(nil); errors.As(err, &code) && isReadOnlyFolder(code.code) && !d.hasLog() {
		// The database is used with a log, and where no file can be made
		// next to it, none can be read. There is none now.
		return d.connectUnlocked(keep, before, true)
	}
	if err != nil {
		return nil, err
	}
	if !os.SameFile(before, file) {
		c.close()
		return nil, ErrChanged
	}
	c.file = file
	if !d.isQuiet(c, file) {
		return c, nil
	}
	if quick, err := d.connectUnlocked(keep, file, c.logged); err == nil {
		c.close()
		return quick, nil
	}
	return c, nil
}

// connectUnlocked opens a session that reads the file as it is, if it is still
// what it was.
func (d *DB) connectUnlocked(keep int, file fs.FileInfo, logged bool) (*session, error) {
	c, err := openSession(d.unlocked(keep), d.limits)
	if err != nil {
		return nil, err
	}
	c.file, c.logged, c.unlocked = file, logged, true
	if !d.isCurrent(c) {
		c.close()
		return nil, ErrChanged
	}
	return c, nil
}

// isAtRest reports whether nobody has a database with a write-ahead log open: any
// program that does keeps a log. Taking a lock would create files next to it.
func (d *DB) isAtRest(file fs.FileInfo) bool {
	if !isLogged(d.header) || !os.SameFile(file, d.opened) || time.Since(file.ModTime()) <= settled {
		return false
	}
	for _, end := range []string{"-wal", "-journal"} {
		if _, err := os.Stat(d.at.Path + end); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// isReadOnlyFolder reports whether a code says that files that a log needs
// cannot be made (https://www.sqlite.org/wal.html, section 5).
func isReadOnlyFolder(code int) bool {
	switch code {
	case lib.SQLITE_CANTOPEN, lib.SQLITE_READONLY_CANTINIT, lib.SQLITE_READONLY_DIRECTORY, lib.SQLITE_READONLY_RECOVERY:
		return true
	}
	return false
}

// isQuiet reports whether a session may read the file without a lock.
func (d *DB) isQuiet(c *session, file fs.FileInfo) bool {
	return time.Since(file.ModTime()) > settled && !(c.logged && d.hasLog())
}

// isCurrent reports whether a session still matches the current file. SQLite itself
// sees other programs' commits, but not that the file was replaced or that another was
// copied over it.
func (d *DB) isCurrent(c *session) bool {
	if d.mode != Live {
		return true
	}
	now, err := d.stat()
	switch {
	case err != nil, !os.SameFile(now, c.file):
		return false
	case c.unlocked:
		return d.isUntouched(c, now)
	case d.isQuiet(c, now):
		return false
	}
	if !same(now, c.file) {
		lib.Xsqlite3_db_release_memory(c.tls, c.db)
		c.file = now
	}
	return true
}

// isUntouched reports whether nobody has written to the file of a session, nor,
// if it reads without a lock, to the log next to it.
func (d *DB) isUntouched(c *session, now fs.FileInfo) bool {
	return same(now, c.file) && !(c.unlocked && c.logged && d.hasLog())
}

// explainChange returns ErrChanged, joined with err, if the file has changed and either
// the session read without a lock or err says that the data are corrupt. Otherwise it
// returns err.
func (d *DB) explainChange(c *session, err error) error {
	if d.mode != Live || !c.unlocked && !isBroken(err) {
		return err
	}
	if now, failed := d.stat(); failed != nil || !d.isUntouched(c, now) {
		return errors.Join(ErrChanged, err)
	}
	return err
}

// isBroken reports whether an error says that the data are no valid database.
func isBroken(err error) bool {
	code := (*resultError)(nil)
	if !errors.As(err, &code) {
		return false
	}
	switch code.code & 0xff {
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB, lib.SQLITE_IOERR:
		return true
	}
	return false
}

// Retry runs f, and once or twice more if it fails with ErrChanged: a file that was
// written to during a read is read with locks the next time.
func Retry(f func() error) error {
	err := f()
	for range 2 {
		if !errors.Is(err, ErrChanged) {
			break
		}
		err = f()
	}
	return err
}

// watcher checks on its own connection whether the data have changed.
type watcher struct {
	mu      sync.Mutex
	session *session
	file    int // how many files were seen
}

// dataVersion changes on one connection whenever another one commits
// (https://www.sqlite.org/pragma.html#pragma_data_version).
var dataVersion = &Statement{sql: "SELECT data_version FROM pragma_data_version", columns: []string{"data_version"}}

func (w *watcher) close() {
	if w.session != nil {
		w.session.close()
	}
}

// Fingerprint returns a short text that distinguishes the file, as it was at Open,
// from others: a hash of its header, which counts changes
// (https://www.sqlite.org/fileformat2.html, section 1.3.7), and of its size
// and time on disk.
func (d *DB) Fingerprint() string {
	h := fnv.New64a()
	h.Write(d.header)
	if d.opened != nil {
		fmt.Fprint(h, d.opened.Size(), d.opened.ModTime().UnixNano())
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// Version returns a text that changes whenever the data of the DB change. Compare it
// only with other versions of the same DB.
func (d *DB) Version(ctx context.Context) (string, error) {
	if d.mode != Live {
		return "", nil
	}
	version, err := d.fileVersion(ctx)
	if err != nil || d.external == nil {
		return version, err
	}
	outside, _ := d.external.Version()
	return version + "." + outside, nil
}

func (d *DB) fileVersion(ctx context.Context) (string, error) {
	w := &d.watcher
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.session != nil && !d.isCurrent(w.session) {
		w.session.close()
		w.session = nil
	}
	if w.session == nil {
		c, err := d.connectLive(1)
		if err != nil {
			return "", d.fail("query", err)
		}
		w.session = c
		w.file++
	}
	commits := int64(0)
	err := w.session.run(ctx, dataVersion, nil, patience, func(r *Row) bool {
		commits = r.Int64(0)
		return true
	})
	if err != nil {
		return "", d.fail("query", d.explainChange(w.session, err))
	}
	return fmt.Sprintf("%d.%d", w.file, commits), nil
}

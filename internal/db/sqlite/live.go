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

// same reports whether a file is the same one and nobody has written to it.
func same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// Unchanged fails with ErrChanged if the file is not what it was at Open, so
// that what was read of it may not belong together. It is for modes Snapshot
// and Immutable; what is written to a log next to the file does not matter.
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

// Outdated reports whether what the tables besides the file hold may have changed
// since Open.
func (d *DB) Outdated() bool {
	if d.external == nil {
		return false
	}
	now, fixed := d.external.Version()
	return !fixed && now != d.outside
}

// settled is how old a file's last change is for its time on disk to distinguish it
// from the next one. Some file systems count in steps of two seconds.
const settled = 3 * time.Second

// connectLive opens a session that reads the newest state with each statement.
//
// While nobody writes, it reads the file without a lock: a file that is what it
// was when nobody was writing to it, and still is after the last row, had one
// committed state in between. That costs a statement less than SQLite's locks,
// and no writer waits for it. Shortly after a write, and while a log holds
// what is not in the file, it takes the locks.
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

// isAtRest reports whether nobody has a database with a write-ahead log open:
// whoever does keeps a log. Taking a lock would make files next to it.
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

// isCurrent reports whether a session is right for the file as it is now.
// SQLite itself sees what others commit, but neither that a file was replaced
// nor that another was copied over it.
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

// explainChange returns ErrChanged if the file has changed while a session
// read it without a lock, or what was read is no database any more, and err
// otherwise.
func (d *DB) explainChange(c *session, err error) error {
	if d.mode != Live || !c.unlocked && !isBroken(err) {
		return err
	}
	if now, failed := d.stat(); failed != nil || !d.isUntouched(c, now) {
		return errors.Join(ErrChanged, err)
	}
	return err
}

// isBroken reports whether an error says that what was read is no database.
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

// Retry runs f, and once or twice more when it fails with ErrChanged: a file
// that was written to while it was read is read with locks the next time.
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

// watcher reports whether the data have changed, by its own connection.
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

// Version returns a short text that changes whenever what the DB reads does.
// It is to be compared with others of the same DB only.
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

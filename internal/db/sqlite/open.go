package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"modernc.org/sqlite/vfs"
)

// Location says where a database is: the file Path on disk, or the file Name
// inside FS when FS is not nil.
type Location struct {
	Path string
	FS   fs.FS
	Name string
}

// String returns the path or name as it was given.
func (l Location) String() string {
	if l.FS != nil {
		return l.Name
	}
	return l.Path
}

// Mode says how a DB handles other programs that write to its file.
type Mode int

const (
	// Snapshot reads one committed state, that of Open, for all the life of
	// the DB. A program that writes to a database without a write-ahead log
	// waits until Close.
	Snapshot Mode = iota
	// Live reads the newest committed state with each statement, and releases it when
	// the statement ends. A replaced file is opened again.
	Live
	// Immutable trusts the caller that nobody writes to the file. It neither locks nor
	// checks. A file inside an fs.FS is always immutable.
	Immutable
)

// Options adjust Open; the zero value is right for most callers.
type Options struct {
	Limits Limits
	Mode   Mode
	Busy   time.Duration // to wait for another program's lock; default 5 s
	// External provides further tables and functions for statements, or is nil.
	External External
}

// DB is an open database. Several goroutines may use it at once; each
// statement runs on its own connection.
type DB struct {
	at       Location
	mode     Mode
	limits   Limits
	busy     time.Duration
	external External
	pool     *Pool
	uri      string // for the driver, without the query string
	query    string // of the uri
	header   []byte
	files    *vfs.FS // nil for a database on disk

	opened   fs.FileInfo // of the file on disk at Open
	fixed    bool        // whether the file must stay as it was at Open
	snapshot *snapshot   // what holds the state in mode Snapshot, or nil
	watcher  watcher     // reports versions in mode Live
	outside  string      // the version of External at Open
}

// A query of the DB itself is bound by its caller's context alone.
const (
	connections = 64
	patience    = 24 * time.Hour
)

// Open opens a database for reading. It fails with ErrMissing if the file does not
// exist and with ErrNotDatabase if it is something else. It fails with ErrLocked,
// ErrUnfinished or ErrChanged if other programs use it, or have left files next to it,
// in a way that prevents reading. Close must be called when done.
func Open(ctx context.Context, at Location, opts Options) (*DB, error) {
	if err := localIsUTC(); err != nil {
		return nil, err
	}
	d := &DB{at: at, mode: opts.Mode, limits: opts.Limits.withDefaults(), busy: cmp.Or(opts.Busy, 5*time.Second), external: opts.External}
	if at.FS != nil {
		d.mode = Immutable
	}
	if d.external != nil {
		d.outside, _ = d.external.Version()
	}
	if err := d.find(); err != nil {
		return nil, err
	}
	if err := d.settle(); err != nil {
		return nil, errors.Join(d.fail("open", err), d.Close())
	}
	d.pool = d.NewPool(PoolOptions{Connections: connections, Statements: 1, Wait: patience, Time: patience})
	if _, err := d.Query(ctx, "SELECT count(*) FROM sqlite_schema"); err != nil {
		if e := (*Error)(nil); errors.As(err, &e) {
			e.Op = "open"
		}
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// find checks that the file is there and is a database, and names it for the
// driver. Only the URI form honours mode=ro (https://www.sqlite.org/uri.html),
// so the path is escaped into one.
func (d *DB) find() error {
	if d.at.FS == nil {
		info, err := os.Stat(d.at.Path)
		if err == nil && !info.Mode().IsRegular() {
			return &Error{Op: "open", Database: d.at.String(), Err: fmt.Errorf("%w: it is no regular file", ErrNotDatabase), Hint: "give the database's file"}
		}
		d.opened = info
	}
	header, err := readHeader(d.at)
	if errors.Is(err, fs.ErrNotExist) {
		return &Error{Op: "open", Database: d.at.String(), Err: ErrMissing, Hint: "check the name, or download the database"}
	}
	if err == nil {
		err = checkHeader(header)
	}
	if err != nil {
		return d.fail("open", err)
	}
	d.header, d.query = header, "?mode=ro"
	if d.at.FS != nil {
		name, files, err := vfs.New(d.at.FS)
		if err != nil {
			return d.fail("open", err)
		}
		d.files, d.uri, d.query = files, "file:"+escape(d.at.Name), d.query+"&vfs="+name
		return nil
	}
	path, err := filepath.Abs(d.at.Path)
	if err != nil {
		return d.fail("open", err)
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	d.uri = "file://" + escape(path)
	return nil
}

// Close releases the database. No statement may be running on it.
func (d *DB) Close() error {
	if d.pool != nil {
		d.pool.Close()
	}
	d.snapshot.close()
	d.watcher.close()
	if d.files == nil {
		return nil
	}
	if err := d.files.Close(); err != nil {
		return d.fail("close", err)
	}
	return nil
}

// Location returns what the database was opened with.
func (d *DB) Location() Location { return d.at }

// IsLive reports whether answers may change while the DB is open.
func (d *DB) IsLive() bool { return d.mode == Live }

// readHeader returns the first bytes of the file, at most 100, the length of
// SQLite's header (https://www.sqlite.org/fileformat2.html, section 1.3).
func readHeader(at Location) ([]byte, error) {
	var file io.ReadCloser
	var err error
	if at.FS != nil {
		file, err = at.FS.Open(at.Name)
	} else {
		file, err = os.Open(at.Path)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, 100))
}

// checkHeader distinguishes other files from a database, with the usual reason.
func checkHeader(header []byte) error {
	switch {
	case bytes.HasPrefix(header, []byte("SQLite format 3\x00")) && len(header) == 100:
		return nil
	case bytes.HasPrefix(header, []byte("version https://git-lfs")):
		return fmt.Errorf("%w: it is a Git LFS pointer; fetch the file itself with git lfs pull", ErrNotDatabase)
	case len(header) == 0:
		return fmt.Errorf("%w: the file is empty; download it again", ErrNotDatabase)
	}
	for _, f := range otherFiles {
		if bytes.HasPrefix(header, []byte(f.magic)) {
			return fmt.Errorf("%w: it is %s", ErrNotDatabase, f.what)
		}
	}
	if utf8.Valid(header) || utf8.Valid(header[:max(0, len(header)-utf8.UTFMax)]) {
		return fmt.Errorf("%w: it is a text; if that is SQL, make a database of it with sqlite3 NEW.sqlite < FILE", ErrNotDatabase)
	}
	return fmt.Errorf("%w: it lacks SQLite's header; if it is encrypted, decrypt it first, and else download it again", ErrNotDatabase)
}

// otherFiles lists, by their first bytes, kinds of files that contain databases or are
// mistaken for them.
var otherFiles = []struct{ magic, what string }{
	{"\x1f\x8b", "compressed by gzip; unpack it with gunzip"},
	{"PK\x03\x04", "a zip archive; unpack it"},
	{"\x28\xb5\x2f\xfd", "compressed by zstd; unpack it with unzstd"},
	{"\xfd7zXZ", "compressed by xz; unpack it with unxz"},
	{"BZh", "compressed by bzip2; unpack it with bunzip2"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it"},
	{"PAR1", "a Parquet file, and no SQLite database"},
	{"<!DOCTYPE", "a page of the web, such as one that asks to sign in; download the file itself"},
	{"<html", "a page of the web, such as one that asks to sign in; download the file itself"},
}

// isLogged reports whether the database uses a write-ahead log
// (https://www.sqlite.org/fileformat2.html, section 1.3.3).
func isLogged(header []byte) bool { return header[18] == 2 || header[19] == 2 }

// hasLog reports whether the log of a database on disk holds anything.
func (d *DB) hasLog() bool {
	if d.at.FS != nil {
		return false
	}
	info, err := os.Stat(d.at.Path + "-wal")
	return err == nil && info.Size() > 0
}

func escape(path string) string { return (&url.URL{Path: path}).EscapedPath() }

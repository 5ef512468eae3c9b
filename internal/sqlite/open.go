package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

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

// Options adjust Open; the zero value is right for most callers.
type Options struct {
	Limits Limits
}

// DB is an open database. Several goroutines may use it at once; each
// statement runs on a connection of its own.
type DB struct {
	at     Location
	limits Limits
	pool   *Pool
	uri    string
	header []byte
	files  *vfs.FS // nil for a database on disk
}

// A query of the DB itself is bound by its caller's context alone.
const (
	connections = 64
	patience    = 24 * time.Hour
)

// Open opens a database for reading. It fails with ErrMissing or
// ErrNotDatabase when the file is not there or is something else. Close must
// be called when done.
func Open(ctx context.Context, at Location, opts Options) (*DB, error) {
	if err := localIsUTC(); err != nil {
		return nil, err
	}
	d := &DB{at: at, limits: opts.Limits.withDefaults()}
	header, err := readHeader(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Op: "open", Database: at.String(), Err: ErrMissing, Hint: "check the name, or download the database"}
	}
	if err != nil {
		return nil, d.fail("open", err)
	}
	if err := checkHeader(header); err != nil {
		return nil, d.fail("open", err)
	}
	d.header = header
	d.uri, err = d.dsn(isLogged(header) && !hasLog(at))
	if err != nil {
		return nil, d.fail("open", err)
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

// Close releases the database. No statement may be running on it.
func (d *DB) Close() error {
	d.pool.Close()
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

// Version returns a short text that changes when the database's content does:
// a hash of the file's header, which counts changes
// (https://www.sqlite.org/fileformat2.html, section 1.3.7), and of its size
// and time on disk.
func (d *DB) Version() string {
	h := fnv.New64a()
	h.Write(d.header)
	if info, err := os.Stat(d.at.Path); d.at.FS == nil && err == nil {
		fmt.Fprint(h, info.Size(), info.ModTime().UnixNano())
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

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

// checkHeader tells other files from a database, with the usual reason.
func checkHeader(header []byte) error {
	switch {
	case bytes.HasPrefix(header, []byte("SQLite format 3\x00")) && len(header) == 100:
		return nil
	case bytes.HasPrefix(header, []byte("version https://git-lfs")):
		return fmt.Errorf("%w: it is a Git LFS pointer; fetch the file itself with git lfs pull", ErrNotDatabase)
	case len(header) == 0:
		return fmt.Errorf("%w: the file is empty; download it again", ErrNotDatabase)
	}
	return fmt.Errorf("%w: it lacks SQLite's header; download it again", ErrNotDatabase)
}

// isLogged reports whether the database uses a write-ahead log
// (https://www.sqlite.org/fileformat2.html, section 1.3.3).
func isLogged(header []byte) bool { return header[18] == 2 || header[19] == 2 }

// hasLog reports whether the log of a database on disk holds anything.
func hasLog(at Location) bool {
	info, err := os.Stat(at.Path + "-wal")
	return at.FS == nil && err == nil && info.Size() > 0
}

// dsn returns the driver's name for the location. Only the URI form honours
// mode=ro (https://www.sqlite.org/uri.html), so the path is escaped into one.
// Even a reader of a database with a write-ahead log makes files beside it,
// unless it takes the database as immutable.
func (d *DB) dsn(immutable bool) (string, error) {
	mode := "?mode=ro"
	if immutable {
		mode += "&immutable=1"
	}
	if d.at.FS != nil {
		name, files, err := vfs.New(d.at.FS)
		if err != nil {
			return "", err
		}
		d.files = files
		return "file:" + escape(d.at.Name) + mode + "&vfs=" + name, nil
	}
	path, err := filepath.Abs(d.at.Path)
	if err != nil {
		return "", err
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return "file://" + escape(path) + mode, nil
}

func escape(path string) string { return (&url.URL{Path: path}).EscapedPath() }

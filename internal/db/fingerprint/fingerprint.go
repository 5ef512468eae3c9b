// Package fingerprint says which data a database has: where they are, and the size
// and SHA-256 of their file.
package fingerprint

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/birdcall/birdcall/pkg/bird"
)

// Kind says where the data of a database are.
type Kind string

// The kinds of data.
const (
	File     Kind = "file"
	Embedded Kind = "embedded" // in the program
	Server   Kind = "server"   // whose rows may change at any time, so that there is no sum of them
)

// Sum is the size and the SHA-256 of a file.
type Sum struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in hexadecimal digits
}

// Database says which data a database has.
type Database struct {
	DB   string `json:"db_id"`
	Kind Kind   `json:"kind"`
	*Sum        // of the database file; nil for a server
	// WAL is the sum of the file's write-ahead log, which holds the latest
	// transactions; nil if there is none or it is empty.
	WAL *Sum `json:"wal,omitempty"`
}

// OnServer returns the fingerprint of a database on a server, which has no file.
func OnServer(id string) Database { return Database{DB: id, Kind: Server} }

// Reader reads the file of a database, and its write-ahead log. The files are open
// from Open to Close. SQLite's locks end where any file of the process on the same
// database is closed (POSIX's advisory locks are the process'), so a Reader is opened
// before a connection that must not lose its lock, and closed after it.
type Reader struct {
	db        *bird.Database
	file, log fs.File
	err       error
	read      func() (Database, error)
}

// Open opens the files of a database. It starts no reading; an error of opening is
// one of Wait.
func Open(db *bird.Database) *Reader {
	r := &Reader{db: db}
	if db.FS != nil {
		r.file, r.err = db.FS.Open(db.Name)
		return r
	}
	if file, err := os.Open(db.Path); err == nil {
		r.file = file
	} else {
		r.err = err
	}
	if log, err := os.Open(db.Path + "-wal"); err == nil {
		r.log = log
	} else if !errors.Is(err, fs.ErrNotExist) {
		r.err = errors.Join(r.err, err)
	}
	return r
}

// Start has the files read in the background, unless they are already. Reading ends
// with ctx.
func (r *Reader) Start(ctx context.Context) {
	if r.read == nil {
		r.read = sync.OnceValues(func() (Database, error) { return r.sums(ctx) })
		go func() { _, _ = r.read() }() // Wait returns the error
	}
}

// Wait returns what was read after Start. Errors are those of files and of ctx.
func (r *Reader) Wait() (Database, error) { return r.read() }

func (r *Reader) sums(ctx context.Context) (out Database, err error) {
	out = Database{DB: r.db.ID, Kind: File}
	if r.db.FS != nil {
		out.Kind = Embedded
	}
	if r.err != nil {
		return out, r.err
	}
	if out.Sum, err = read(ctx, r.file); err != nil || r.log == nil {
		return out, err
	}
	if out.WAL, err = read(ctx, r.log); err == nil && out.WAL.Bytes == 0 {
		out.WAL = nil
	}
	return out, err
}

// Close closes the files, when all connections of this process to the database are
// closed. It waits for a reading that was started.
func (r *Reader) Close() {
	if r.read != nil {
		_, _ = r.read() // not to close what is read
	}
	for _, f := range []fs.File{r.file, r.log} {
		if f != nil {
			_ = f.Close() // what was only read needs no Close to succeed
		}
	}
}

// OfFile returns the sum of the file at a path.
func OfFile(ctx context.Context, path string) (*Sum, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return read(ctx, file)
}

// read returns the sum of all that a reader has.
func read(ctx context.Context, r io.Reader) (*Sum, error) {
	h := sha256.New()
	n, err := io.CopyBuffer(h, &canceled{ctx, r}, make([]byte, 256<<10))
	if err != nil {
		return nil, err
	}
	return &Sum{n, hex.EncodeToString(h.Sum(nil))}, nil
}

// canceled is a reader that ends with its context.
type canceled struct {
	ctx context.Context
	io.Reader
}

func (c *canceled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.Reader.Read(p)
}

// Equal reports whether two databases have the same data, as far as is known.
func (d Database) Equal(other Database) bool {
	return d.DB == other.DB && d.Kind == other.Kind && equal(d.Sum, other.Sum) && equal(d.WAL, other.WAL)
}

func equal(a, b *Sum) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

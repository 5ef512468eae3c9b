// Package fingerprint identifies the data of a database: where they are, and the size
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
	Server   Kind = "server"   // rows may change at any time, so there is no Sum
)

// Sum is the size and the SHA-256 of a file.
type Sum struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in hexadecimal digits
}

// Database identifies the data of a database.
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

// Reader reads the file of a database and its write-ahead log. The files are open from
// Open to Close. SQLite's file locks are POSIX advisory locks: when the process closes
// any file of a database, it loses its locks on that database. So open a Reader before
// a connection that must keep its lock, and close the Reader after the connection.
type Reader struct {
	db        *bird.Database
	file, log fs.File
	err       error
	read      func() (Database, error)
}

// Open opens the files of a database. It does not read them. If opening fails, Wait
// returns the error.
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

// Start begins to read the files in the background, unless reading has begun. Reading
// stops when ctx ends.
func (r *Reader) Start(ctx context.Context) {
	if r.read == nil {
		r.read = sync.OnceValues(func() (Database, error) { return r.sums(ctx) })
		go func() { _, _ = r.read() }() // Wait returns the error
	}
}

// Wait waits for the reading that Start began and returns its result. Errors are those
// of files and of ctx.
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

// Close closes the files. Call it after all connections of this process to the database
// are closed. It waits for a reading that has begun.
func (r *Reader) Close() {
	if r.read != nil {
		_, _ = r.read() // wait, so that no file is closed while it is read
	}
	for _, f := range []fs.File{r.file, r.log} {
		if f != nil {
			_ = f.Close() // a file that was only read needs no successful Close
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

// read returns the sum of all bytes of r.
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

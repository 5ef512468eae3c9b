package find

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/pkg/bird"
)

// A file of the index has the stored values of one database:
//
//	magic
//	uvarint length, bytes    the stamp of the database
//	the rest                 the file of package valueindex
const fileMagic = "birdcall find 1\n"

// suffix of the files of an index.
const suffix = ".find"

// InMemory as Options.Dir has no files of an index read or written but for those that are
// embedded next to an embedded database.
const InMemory = "-"

// fileOf returns the path of the file of a database: next to the database, or in the
// folder of the options; "" where there is no place for one.
func (o *opener) fileOf(info *bird.Database) string {
	switch {
	case o.opts.Dir == InMemory:
	case o.opts.Dir != "":
		return filepath.Join(o.opts.Dir, strings.Map(plain, info.ID)+suffix)
	case info.FS == nil && info.Path != "":
		return info.Path + suffix
	}
	return ""
}

// plain replaces what has a meaning in paths.
func plain(r rune) rune {
	if strings.ContainsRune(`/\:*?"<>|`, r) {
		return '_'
	}
	return r
}

// load returns the values of a file, if there is one that has these columns of that
// database; else nil. A broken file is like none: it is written again.
func (o *opener) load(info *bird.Database, path, stamp string, columns []valueindex.Column) *valueindex.Index {
	var data []byte
	var err error
	switch {
	case path != "":
		data, err = os.ReadFile(path)
	case info.FS != nil:
		data, err = fs.ReadFile(info.FS, info.Name+suffix)
	default:
		return nil
	}
	if err != nil {
		return nil
	}
	rest, ok := bytes.CutPrefix(data, []byte(fileMagic))
	n, size := binary.Uvarint(rest)
	if !ok || size <= 0 || n > uint64(len(rest)-size) || string(rest[size:size+int(n)]) != stamp {
		return nil
	}
	x, err := valueindex.Read(rest[size+int(n):])
	if err != nil || !slices.Equal(x.Columns(), columns) {
		return nil
	}
	return x
}

// save writes the file of a database.
func save(path, stamp string, x *valueindex.Index) error {
	b := append([]byte(fileMagic), binary.AppendUvarint(nil, uint64(len(stamp)))...)
	b = append(b, stamp...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return outdir.WriteFile(path, append(b, x.Bytes()...))
}

// headerSize is the size of the header of a SQLite file, where each transaction counts
// one up (https://www.sqlite.org/fileformat.html, section 1.3). It distinguishes a file
// from what it was, but not from one that was made by as many transactions: so files of
// up to wholeSize are read whole. Transactions in a write-ahead log do not count in the
// header, and may replace older ones in the log, so that all of it is read.
const (
	headerSize = 100
	wholeSize  = 64 << 20
	wholeLog   = math.MaxInt64
)

// stampOf returns a text that changes when a database's file does, without reading all
// of a large one; "" where the file does not mention all that the database has.
func stampOf(info *bird.Database) (string, error) {
	if info.APIs != nil {
		return "", nil
	}
	main, err := stampOfFile(headerSize, func() (fs.File, error) {
		if info.FS != nil {
			return info.FS.Open(info.Name)
		}
		return os.Open(info.Path)
	})
	if err != nil || info.FS != nil {
		return main, err
	}
	log, err := stampOfFile(wholeLog, func() (fs.File, error) { return os.Open(info.Path + "-wal") })
	if errors.Is(err, fs.ErrNotExist) || err == nil && strings.HasPrefix(log, "0 ") {
		return main, nil
	}
	return main + " " + log, err
}

// stampOfFile returns the size of a file and a hash of it, for a large one of how it
// begins.
func stampOfFile(begin int64, open func() (fs.File, error)) (string, error) {
	f, err := open()
	if err != nil {
		return "", err
	}
	defer f.Close()
	about, err := f.Stat()
	if err != nil {
		return "", err
	}
	if about.Size() <= wholeSize {
		begin = wholeSize
	}
	hash := xxhash.New()
	if _, err := io.Copy(hash, io.LimitReader(f, begin)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d %016x", about.Size(), hash.Sum64()), nil
}

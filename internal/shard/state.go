package shard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"

	"github.com/birdcall/birdcall/internal/engine"
	"github.com/birdcall/birdcall/pkg/bird"
)

// StateOfQuestions returns a text that differs if the questions of a dataset do,
// or their order.
func StateOfQuestions(dataset *bird.Dataset) string {
	h := sha256.New()
	for _, q := range dataset.Questions {
		fmt.Fprintf(h, "%#v\n", q)
	}
	return sum(h)
}

// headerSize is how long the header of a SQLite file is. It counts the
// transactions that have changed the file (https://sqlite.org/fileformat2.html).
const headerSize = 100

// StateOfDatabase returns a text that differs if the database file was written
// to, or what the dataset tells about its tables is another. The data
// themselves are not read, so that it takes no time.
func StateOfDatabase(db *bird.Database) (string, error) {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(db.Tables); err != nil {
		return "", err
	}
	f, err := open(db)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	fmt.Fprintln(h, info.Size())
	if _, err := io.CopyN(h, f, headerSize); err != nil && !errors.Is(err, io.EOF) { // an empty file is an empty database
		return "", err
	}
	return sum(h), nil
}

// StateOfTables returns the same of a database on a server: a text that differs
// if its tables are others, or what the dataset tells about them is. Their rows
// may change at any time.
func StateOfTables(db *bird.Database, schema *engine.Schema) (string, error) {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(db.Tables); err != nil {
		return "", err
	}
	err := json.NewEncoder(h).Encode(schema)
	return sum(h), err
}

func open(db *bird.Database) (fs.File, error) {
	if db.FS != nil {
		return db.FS.Open(db.Name)
	}
	return os.Open(db.Path)
}

func sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

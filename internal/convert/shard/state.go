package shard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"

	"github.com/birdcall/birdcall/internal/db/engine"
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

// StateOfTables returns a text that differs if what the dataset says of the
// tables of a database is another, or its schema is. schema is nil for a file, whose
// fingerprint says more.
func StateOfTables(db *bird.Database, schema *engine.Schema) (string, error) {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(db.Tables); err != nil {
		return "", err
	}
	err := json.NewEncoder(h).Encode(schema)
	return sum(h), err
}

func sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

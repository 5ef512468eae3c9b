package sqltree

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/sqlite"
)

// TestSchemaThatCannotBeRead says that there is no schema, and an error, where the
// database cannot be read.
func TestSchemaThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d.sqlite")
	file, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Exec("CREATE TABLE t(x, " + strings.Repeat("c", 1000) + ")"); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	for limit, readable := range map[int]bool{500: false, 5000: true} {
		db, err := sqlite.Open(t.Context(), sqlite.Location{Path: path}, sqlite.Options{Limits: sqlite.Limits{Value: limit}})
		if err != nil {
			t.Fatal(err)
		}
		schema, err := Schema(t.Context(), db)
		if readable && (err != nil || schema.Table("t") == nil) || !readable && (!errors.Is(err, sqlite.ErrTooLarge) || schema != nil) {
			t.Errorf("values of %d bytes: %+v, %v", limit, schema, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

package sqlitedb_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/tools/sqlitedb"
)

const library = "dev_databases/city_library/city_library.sqlite"

// What the books of a library cost, by their language, from a SQLite file.
func Example() {
	ctx := context.Background()
	db, err := sqlitedb.OpenFS(ctx, sample.FS(), library)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	fmt.Println(db.Tables())
	books, err := tools.FromDatabase(ctx, db, "book")
	if err != nil {
		fmt.Println(err)
		return
	}
	err = tools.From(books).
		Filter("language", tools.NotEqual, "").
		GroupBy("language").
		Aggregate(tools.Count, "").
		Aggregate(tools.Max, "price").
		Sort(tools.Descending, "max_price").
		Print(ctx, os.Stdout)
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// [branch author book book_author member loan]
	// language  count  max_price
	// de           15       30.0
	// en           37       30.0
	// pt            5       30.0
	// ga            6      24.95
	// ja            4       12.5
}

// onDisk writes the sample's library to a file.
func onDisk(t *testing.T) string {
	t.Helper()
	data, err := fs.ReadFile(sample.FS(), library)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "library.sqlite")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOpen checks that a file on disk has the tables that one in a file system
// has, and what is left of it after Close.
func TestOpen(t *testing.T) {
	ctx := context.Background()
	inside, err := sqlitedb.OpenFS(ctx, sample.FS(), library)
	if err != nil {
		t.Fatal(err)
	}
	defer inside.Close()
	db, err := sqlitedb.Open(ctx, onDisk(t))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(inside.Tables(), db.Tables()); d != "" {
		t.Error(d)
	}
	for _, name := range db.Tables() {
		a, err := tools.FromDatabase(ctx, inside, name)
		if err != nil {
			t.Fatal(err)
		}
		b, err := tools.FromDatabase(ctx, db, name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(a.String(), b.String()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	read, err := tools.FromDatabase(ctx, db, "member")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := read.Rows(ctx); err != nil {
		t.Errorf("columns that were read: %v", err)
	}
}

// TestErrors shows which errors can be distinguished.
func TestErrors(t *testing.T) {
	ctx := context.Background()
	var noContext context.Context
	text := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(text, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlitedb.Open(ctx, text+".none"); !errors.Is(err, sqlitedb.ErrMissing) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := sqlitedb.Open(ctx, text); !errors.Is(err, sqlitedb.ErrNotDatabase) {
		t.Errorf("a text file: %v", err)
	}
	if _, err := sqlitedb.OpenFS(ctx, nil, "a"); err == nil {
		t.Error("no file system is no error")
	}
	if _, err := sqlitedb.Open(noContext, text); err == nil {
		t.Error("no context is no error")
	}
	for _, db := range []*sqlitedb.DB{nil, {}} {
		if _, err := tools.FromDatabase(ctx, db, "a"); err == nil {
			t.Error("no database is no error")
		}
		if _, err := db.Column(ctx, "a", "b"); err == nil || db.Tables() != nil || db.Close() != nil {
			t.Errorf("a database that is not open: %v", err)
		}
	}
	db, err := sqlitedb.Open(ctx, onDisk(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := tools.FromDatabase(ctx, db, "none"); err == nil {
		t.Error("a missing table is no error")
	}
	if _, err := db.Column(ctx, "member", "none"); err == nil {
		t.Error("a missing column is no error")
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := tools.FromDatabase(stopped, db, "member"); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v", err)
	}
}

package columns_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"github.com/birdcall/birdcall/internal/db/columns"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/value"
	_ "modernc.org/sqlite"
)

// store returns one on a database of birds, which takes no value of a thousand bytes.
func store(t *testing.T) *columns.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "birds.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range []string{
		"CREATE TABLE bird (id INTEGER PRIMARY KEY, name TEXT, grams REAL, song TEXT)",
		"CREATE VIEW small AS SELECT name, grams FROM bird WHERE grams < 20",
		"INSERT INTO bird VALUES (1, 'robin', 18.5, printf('%.1000c', 'a')), (2, 'rook', 480, NULL), (3, NULL, NULL, NULL)",
	} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	opened, err := sqlite.Open(context.Background(), sqlite.Location{Path: path}, sqlite.Options{Limits: sqlite.Limits{Value: 900}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() })
	schema, err := opened.Schema(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return columns.New(opened, schema)
}

var want = map[string][]value.Value{
	"id":    {value.Int(1), value.Int(2), value.Int(3)},
	"name":  {value.Str("robin"), value.Str("rook"), value.NullValue()},
	"grams": {value.Float(18.5), value.Float(480), value.NullValue()},
}

// check reads columns of bird and compares them.
func check(t *testing.T, s *columns.Store, names ...string) {
	t.Helper()
	for _, name := range names {
		c, err := s.Column(context.Background(), "Bird", name)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range want[name] {
			if got := c.Value(i); got != v {
				t.Errorf("%s %d: %v, want %v", name, i, got, v)
			}
		}
	}
}

// Columns are the same whether they were loaded together or are read one by one, and
// what cannot be loaded harms nothing.
func TestLoad(t *testing.T) {
	ctx := context.Background()
	s := store(t)
	s.Load(ctx, "bird", []string{"name", "NAME", "nosuch", "id"})
	s.Load(ctx, "small", []string{"name"})
	s.Load(ctx, "nosuch", []string{"name"})
	loaded := s.Bytes()
	if loaded == 0 {
		t.Error("nothing was loaded")
	}
	check(t, s, "id", "name")
	if s.Bytes() != loaded {
		t.Errorf("columns that were loaded were read again: %d bytes, then %d", loaded, s.Bytes())
	}
	check(t, s, "grams")
	if _, err := s.Column(ctx, "bird", "nosuch"); err == nil {
		t.Error("a column that does not exist was read")
	}
	s.Forget()
	if s.Bytes() != 0 {
		t.Errorf("%d bytes are kept", s.Bytes())
	}
	s.Load(ctx, "bird", []string{"grams", "id"})
	check(t, s, "grams", "name", "id")
}

// A column that cannot be read leaves those that were to be loaded with it as they are.
func TestLoadFails(t *testing.T) {
	s := store(t)
	s.Load(context.Background(), "bird", []string{"id", "song", "name"})
	if s.Bytes() != 0 {
		t.Errorf("%d bytes are kept", s.Bytes())
	}
	check(t, s, "id", "name")
	if _, err := s.Column(context.Background(), "bird", "song"); !errors.Is(err, sqlite.ErrTooLarge) {
		t.Errorf("a song of a thousand bytes was read: %v", err)
	}
}

// Goroutines that load and read the same columns wait for one another.
func TestLoadAtOnce(t *testing.T) {
	s := store(t)
	var wait sync.WaitGroup
	for i := range 8 {
		names := []string{"id", "name", "grams"}
		wait.Go(func() {
			s.Load(context.Background(), "bird", names[i%3:])
			check(t, s, names...)
		})
	}
	wait.Wait()
}

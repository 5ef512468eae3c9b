package fingerprint

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/bird"
)

const (
	empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	abc   = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
)

// of reads the files of a database.
func of(ctx context.Context, db *bird.Database) (Database, error) {
	r := Open(db)
	defer r.Close()
	r.Start(ctx)
	r.Start(ctx) // has no effect
	return r.Wait()
}

// TestReader lists files and what is said of them.
func TestReader(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain, idle, busy := write("plain", "abc"), write("idle", ""), write("busy", "abc")
	write("idle-wal", "")
	write("busy-wal", "abc")
	for _, c := range []struct {
		name string
		db   bird.Database
		want string
	}{
		{"a file", bird.Database{ID: "a", Path: plain}, `{"db_id":"a","kind":"file","bytes":3,"sha256":"` + abc + `"}`},
		{"an empty log", bird.Database{ID: "a", Path: idle}, `{"db_id":"a","kind":"file","bytes":0,"sha256":"` + empty + `"}`},
		{"a log", bird.Database{ID: "a", Path: busy}, `{"db_id":"a","kind":"file","bytes":3,"sha256":"` + abc + `","wal":{"bytes":3,"sha256":"` + abc + `"}}`},
		{"in the program", bird.Database{ID: "a", FS: fstest.MapFS{"x": {Data: []byte("abc")}}, Name: "x"}, `{"db_id":"a","kind":"embedded","bytes":3,"sha256":"` + abc + `"}`},
	} {
		got, err := of(t.Context(), &c.db)
		if err != nil {
			t.Fatal(err)
		}
		text, err := jsontext.Marshal(got, "")
		if err != nil || string(text) != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.name, text, err, c.want)
		}
	}
	if text, err := jsontext.Marshal(OnServer("a"), ""); err != nil || string(text) != `{"db_id":"a","kind":"server"}` {
		t.Errorf("on a server: %s, %v", text, err)
	}
	if _, err := of(t.Context(), &bird.Database{Path: filepath.Join(dir, "none")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := of(ended, &bird.Database{Path: plain}); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled context: %v", err)
	}
}

// TestEqual lists data that are others.
func TestEqual(t *testing.T) {
	same := func() Database { return Database{"a", File, &Sum{3, abc}, &Sum{3, abc}} }
	if !same().Equal(same()) || !OnServer("a").Equal(OnServer("a")) {
		t.Error("the same data are not equal")
	}
	for name, change := range map[string]func(*Database){
		"the name": func(d *Database) { d.DB = "b" },
		"the kind": func(d *Database) { d.Kind = Embedded },
		"the size": func(d *Database) { d.Bytes++ },
		"the sum":  func(d *Database) { d.SHA256 = empty },
		"no sum":   func(d *Database) { d.Sum = nil },
		"the log":  func(d *Database) { d.WAL.SHA256 = empty },
		"no log":   func(d *Database) { d.WAL = nil },
	} {
		other := same()
		change(&other)
		if same().Equal(other) || other.Equal(same()) {
			t.Errorf("%s is another, and the data are equal", name)
		}
	}
}

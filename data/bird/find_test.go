package sample

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/find"
)

// TestIndexesMatchTheirDatabases says that the embedded indexes are those that find makes
// of the databases, whatever folder these are in.
func TestIndexesMatchTheirDatabases(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, FS()); err != nil {
		t.Fatal(err)
	}
	dataset, err := bird.Load(bird.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(t.TempDir(), "find")
	if _, err := find.Open(t.Context(), dataset, find.Options{Dir: index}); err != nil {
		t.Fatal(err)
	}
	for _, db := range load(t).Databases {
		embedded, err := fs.ReadFile(db.FS, db.Name+".find")
		if err != nil {
			t.Errorf("%v; run go generate", err)
			continue
		}
		built, err := os.ReadFile(filepath.Join(index, db.ID+".find"))
		if err != nil || !bytes.Equal(built, embedded) {
			t.Errorf("%s: the embedded index is another one than find makes (%v); run go generate", db.ID, err)
		}
	}
}

//go:build unix

package bird

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/fstest"
)

// TestNotRegular puts what is no regular file instead of each file of a
// dataset. None is opened: a pipe would wait for ever.
func TestNotRegular(t *testing.T) {
	dataset := tree("dev.json", birdRecords, "dev_tables.json", tablesFile, "dev_databases/zoo/zoo.sqlite", "",
		"dev_databases/zoo/database_description/Animal.csv", header)
	makers := []struct {
		what string
		make func(path string) error
	}{
		{"a folder", func(path string) error { return os.Mkdir(path, 0o755) }},
		{"a pipe", func(path string) error { return syscall.Mkfifo(path, 0o644) }},
		{"a pipe", func(path string) error {
			return errors.Join(syscall.Mkfifo(path+".pipe", 0o644), os.Symlink(filepath.Base(path)+".pipe", path))
		}},
		{"a device", func(path string) error { return os.Symlink(os.DevNull, path) }},
	}
	for name := range dataset {
		for _, m := range makers {
			dir := t.TempDir()
			if err := os.CopyFS(dir, dataset); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, name)
			if err := errors.Join(os.Remove(path), m.make(path)); err != nil {
				t.Fatal(err)
			}
			_, err := Load(Options{Dir: dir})
			want := "read " + path + ": it is no regular file but " + m.what + "; put a regular file in its place"
			if !errors.Is(err, ErrNotRegular) || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
			if name == "dev.json" {
				if _, err := Load(Options{Dir: dir, Questions: path}); !errors.Is(err, ErrNotRegular) || err.Error() != want {
					t.Errorf("named: got %v, want %s", err, want)
				}
			}
		}
	}
}

// TestNotRegularBesideRegular says that a folder in one place of a file does
// not hide a file in another.
func TestNotRegularBesideRegular(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"a database":      tree("questions.jsonl", plainLines, "zoo.sqlite/x", "", "zoo.db", ""),
		"a question file": tree("questions.json/x", "", "questions.jsonl", plainLines, "zoo.db", ""),
		"a deeper one":    tree("questions.json/x", "", "data/questions.jsonl", plainLines, "data/zoo.db", ""),
	} {
		if _, err := Load(Options{FS: files}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSpecialFiles(t *testing.T) {
	for mode, want := range map[fs.FileMode]string{
		fs.ModeSocket:                     "a socket",
		fs.ModeDevice | fs.ModeCharDevice: "a device",
		fs.ModeIrregular:                  "a special file",
		fs.ModeDir:                        "a folder",
		fs.ModeNamedPipe:                  "a pipe",
	} {
		if err := regular(mode); err == nil || err.Error() != "it is no regular file but "+want {
			t.Errorf("%s: got %v", mode, err)
		}
	}
}

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/pkg/bird"
)

// FilesOf returns a dataset without questions if the values of --db are SQLite
// files, and nil if they are names.
func FilesOf(databases []string) (*bird.Dataset, error) {
	if !slices.ContainsFunc(databases, isFile) {
		return nil, nil
	}
	out := &bird.Dataset{}
	for _, path := range databases {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("--db %s: there is no such file; give SQLite files, or databases of the --dataset by their names", path)
		}
		id := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		if out.Database(id) != nil {
			return nil, fmt.Errorf("--db %s: another file has the name %s; name one of them only", path, id)
		}
		out.Databases = append(out.Databases, &bird.Database{ID: id, Path: path})
	}
	return out, nil
}

// isFile reports whether a database is named by its file: there is one, or the name
// can be no other.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() || strings.ContainsRune(name, filepath.Separator) ||
		slices.Contains([]string{".sqlite", ".sqlite3", ".db"}, strings.ToLower(filepath.Ext(name)))
}

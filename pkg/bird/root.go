package bird

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// maxFile bounds what is read of one file, in bytes.
const maxFile = 1 << 30

// root is the folder a dataset is read from. Names in it are slash
// separated and relative.
type root struct {
	files fs.FS
	dir   string // the folder on disk, or "" when the caller gave an fs.FS

	noFiles bool // databases are elsewhere
}

// display returns a name as the caller would write it.
func (s root) display(name string) string {
	if s.dir == "" {
		return name
	}
	return filepath.Join(s.dir, filepath.FromSlash(name))
}

// read returns the whole content of a file.
func (s root) read(name string) ([]byte, error) {
	info, err := fs.Stat(s.files, name)
	if err != nil {
		return nil, err
	}
	if err := regular(info.Mode()); err != nil {
		return nil, err
	}
	file, err := s.files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("the file is larger than %d bytes", maxFile)
	}
	return data, err
}

// regular returns an error unless mode is that of a regular file. Other files must not
// be opened: a named pipe would wait for a writer for ever.
func regular(mode fs.FileMode) error {
	what := "a special file"
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	}
	return fmt.Errorf("%w but %s", ErrNotRegular, what)
}

// named returns the root of a file that the caller named, and its name there:
// a name inside an fs.FS, or a path on disk from here or from the dataset's
// folder.
func (s root) named(file string) (root, string) {
	if s.dir == "" {
		return s, path.Clean(filepath.ToSlash(file))
	}
	at := filepath.Clean(file)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) && !filepath.IsAbs(file) {
		at = filepath.Join(s.dir, file)
	}
	dir, base := filepath.Split(at)
	if dir == "" {
		dir = "."
	}
	return root{files: os.DirFS(dir), dir: dir, noFiles: s.noFiles}, base
}

// is reports whether a file that the caller named is the one of this name.
func (s root) is(name, file string) bool {
	at, base := s.named(file)
	if s.dir == "" {
		return base == name
	}
	have, err := fs.Stat(at.files, base)
	if err != nil {
		return false
	}
	want, err := fs.Stat(s.files, name)
	return err == nil && os.SameFile(have, want)
}

func (s root) isThere(name string) bool {
	_, err := fs.Stat(s.files, name)
	return err == nil
}

func (s root) isFolder(name string) bool {
	info, err := fs.Stat(s.files, name)
	return err == nil && info.IsDir()
}

// suffixes are those of database files.
var suffixes = []string{".sqlite", ".db", ".sqlite3"}

// databases returns the ids of the databases under folder, in ascending order.
func (s root) databases(folder string) ([]string, error) {
	entries, err := fs.ReadDir(s.files, folder)
	if err != nil {
		return nil, unread(s.display(folder), err, "make the folder readable")
	}
	var ids []string
	for _, entry := range entries {
		id := entry.Name()
		if !s.isFolder(path.Join(folder, id)) { // a link to a folder counts as a folder
			if !slices.Contains(suffixes, path.Ext(id)) {
				continue
			}
			id = stem(id)
		}
		if _, err := s.database(folder, id); errors.Is(err, fs.ErrNotExist) {
			continue // a folder without a database
		} else if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// database locates the database id under folder. The error is fs.ErrNotExist if there
// is no such database.
func (s root) database(folder, id string) (*Database, error) {
	var missing error = fs.ErrNotExist
	for _, stem := range []string{path.Join(folder, id, id), path.Join(folder, id)} {
		for _, suffix := range suffixes {
			name := stem + suffix
			if !fs.ValidPath(name) {
				continue
			}
			info, err := fs.Stat(s.files, name)
			if err != nil {
				continue
			}
			if err := regular(info.Mode()); err != nil {
				missing = unread(s.display(name), err, "")
				continue
			}
			db := &Database{ID: id}
			if s.dir == "" {
				db.FS, db.Name = s.files, name
			} else {
				db.Path = s.display(name)
			}
			return db, nil
		}
	}
	return nil, missing
}

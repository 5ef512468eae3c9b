package bird

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// maxFile bounds what is read of one file, in bytes.
const maxFile = 1 << 30

// source is the folder a dataset is read from. Names in it are slash
// separated and relative.
type source struct {
	files fs.FS
	dir   string // the folder on disk, or "" when the caller gave an fs.FS
}

// display returns a name as the caller would write it.
func (s source) display(name string) string {
	if s.dir == "" {
		return name
	}
	return filepath.Join(s.dir, filepath.FromSlash(name))
}

// read returns the whole content of a file.
func (s source) read(name string) ([]byte, error) {
	file, err := s.files.Open(name)
	if err != nil {
		return nil, err
	}
	return readAll(file)
}

func readAll(file io.ReadCloser) ([]byte, error) {
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("the file is larger than %d bytes", maxFile)
	}
	return data, err
}

// readQuestions reads a file that the caller named: a name inside an fs.FS,
// or a path on disk from here or from the dataset's folder.
func (s source) readQuestions(name string) ([]byte, error) {
	if s.dir == "" {
		return s.read(path.Clean(filepath.ToSlash(name)))
	}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) && !filepath.IsAbs(name) {
		file, err = os.Open(filepath.Join(s.dir, name))
	}
	if err != nil {
		return nil, err
	}
	return readAll(file)
}

func (s source) isFile(name string) bool {
	info, err := fs.Stat(s.files, name)
	return err == nil && !info.IsDir()
}

func (s source) isFolder(name string) bool {
	info, err := fs.Stat(s.files, name)
	return err == nil && info.IsDir()
}

// database returns where the database id is under folder, if it is there.
func (s source) database(folder, id string) (*Database, bool) {
	for _, stem := range []string{path.Join(folder, id, id), path.Join(folder, id)} {
		for _, suffix := range []string{".sqlite", ".db", ".sqlite3"} {
			name := stem + suffix
			if !fs.ValidPath(name) || !s.isFile(name) {
				continue
			}
			db := &Database{ID: id}
			if s.dir == "" {
				db.FS, db.Name = s.files, name
			} else {
				db.Path = s.display(name)
			}
			return db, true
		}
	}
	return nil, false
}

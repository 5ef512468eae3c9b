package outdir

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteFile makes a file appear with a content, whole or not at all. One that is
// there is replaced.
func WriteFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".writing")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // without effect after the rename
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

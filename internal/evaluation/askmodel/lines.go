package askmodel

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/birdcall/birdcall/internal/text/jsontext"
)

// lines is a file of JSON, a value a line, which several goroutines add to. A line
// is in the file once add has returned, whatever happens then.
type lines struct {
	path string
	mu   sync.Mutex
	file *os.File // nil until the first line is added
}

// read returns the lines of a file, none if it does not exist. What is behind
// the last newline was cut off by the end of a run: it is removed.
func (l *lines) read() ([][]byte, error) {
	data, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	if len(whole) < len(data) {
		if err := os.Truncate(l.path, int64(len(whole))); err != nil {
			return nil, fmt.Errorf("cannot remove the line at the end of %s, which is cut: %w", l.path, err)
		}
	}
	if len(whole) == 0 {
		return nil, nil
	}
	return bytes.Split(whole[:len(whole)-1], []byte("\n")), nil
}

// add writes a line, and waits until it is on disk.
func (l *lines) add(v any) error {
	data, err := jsontext.Marshal(v, "")
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		if l.file, err = os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
			return err
		}
		if err := syncFolder(l.path); err != nil {
			return err
		}
	}
	if _, err := l.file.Write(append(data, '\n')); err != nil {
		return fmt.Errorf("an answer cannot be recorded: %w", err)
	}
	return l.file.Sync()
}

func (l *lines) close() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// rewrite has the file hold these values and no others, or removes it where there
// are none.
func rewrite[T any](l *lines, values []T) error {
	if err := l.close(); err != nil {
		return err
	}
	if len(values) == 0 {
		if err := os.Remove(l.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	var b bytes.Buffer
	for _, v := range values {
		if err := jsontext.Append(&b, v); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	return writeWhole(l.path, b.Bytes())
}

// writeWhole makes a file appear complete or not at all.
func writeWhole(path string, data []byte) error {
	making := path + ".new"
	f, err := os.Create(making)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(making, path); err != nil {
		return err
	}
	return syncFolder(path)
}

// syncFolder has the names in a file's folder on disk, where the system can.
func syncFolder(path string) error {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer d.Close()
	_ = d.Sync() // not every system can do it to a folder
	return nil
}

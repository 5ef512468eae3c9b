package outdir

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/birdcall/birdcall/internal/text/jsontext"
)

// The reasons not to write to a folder, to be tested with errors.Is.
var (
	ErrBusy    = errors.New("another run is writing it")
	ErrForeign = errors.New("it holds files of something else")
	ErrLink    = errors.New("it is a link to nothing")
)

// Dir is a folder in the making.
type Dir struct {
	name                 string // as the caller says it, for messages
	final, building, old string
	lock                 *lock
	files                []string // what was written
	whole                bool     // the new folder is complete, and not to be discarded
}

// Open prepares to write the folder at a path. It follows links, locks the
// folder, mends what a killed run has left, and refuses a folder with files
// that this package did not write. Discard must be called in the end.
func Open(path string) (*Dir, error) {
	final, err := follow(path)
	if err != nil {
		return nil, err
	}
	nextTo := func(end string) string {
		return filepath.Join(filepath.Dir(final), "."+filepath.Base(final)+end)
	}
	d := &Dir{name: path, final: final, building: nextTo(".building"), old: nextTo(".old")}
	if d.lock, err = acquire(path, nextTo(".lock")); err != nil {
		return nil, err
	}
	if err := d.prepare(); err != nil {
		d.Discard()
		return nil, err
	}
	return d, nil
}

func (d *Dir) prepare() error {
	if err := d.mend(); err != nil {
		return err
	}
	if err := d.check(); err != nil {
		return err
	}
	if err := os.RemoveAll(d.building); err != nil {
		return fmt.Errorf("cannot remove what a killed run has left: %w; remove it, or choose another --out", err)
	}
	if err := os.Mkdir(d.building, 0o755); err != nil {
		return fmt.Errorf("cannot write to %s: %w; choose another --out", filepath.Dir(d.name), err)
	}
	return nil
}

// follow returns where the folder at a path is or will be, links followed, and
// makes the folders above it.
func follow(path string) (string, error) {
	if err := checkPath(path); err != nil {
		return "", err
	}
	above, base := filepath.Dir(path), filepath.Base(path)
	if err := os.MkdirAll(above, 0o755); err != nil {
		return "", fmt.Errorf("cannot write to %s: %w; choose another --out", above, err)
	}
	real, err := filepath.EvalSymlinks(above)
	if err != nil {
		return "", err
	}
	final, err := filepath.EvalSymlinks(filepath.Join(real, base))
	if errors.Is(err, fs.ErrNotExist) {
		return filepath.Join(real, base), nil
	}
	return final, err
}

// checkPath reports what of a path is no folder, or a link to nothing. What is
// not there at all can be made.
func checkPath(path string) error {
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil {
			if !info.IsDir() {
				return fmt.Errorf("%s is a file and no folder; move it away, or choose another --out", at)
			}
			return nil
		}
		if link, err := os.Readlink(at); err == nil {
			return fmt.Errorf("%s: %w: %s; make that folder, remove the link, or choose another --out", at, ErrLink, link)
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

// isThere reports whether there is anything at a path, a link to nothing too.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// JSON writes a value as indented JSON.
func (d *Dir) JSON(name string, v any) error {
	data, err := jsontext.Marshal(v, "  ")
	if err != nil {
		return err
	}
	return d.Bytes(name, append(data, '\n'))
}

// Bytes writes a file.
func (d *Dir) Bytes(name string, data []byte) error {
	return d.Write(name, func(w *bufio.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Write writes a file as it is made.
func (d *Dir) Write(name string, content func(*bufio.Writer) error) (err error) {
	f, err := os.Create(filepath.Join(d.building, name))
	if err != nil {
		return err
	}
	d.files = append(d.files, name)
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	if err := content(w); err != nil {
		return err
	}
	return w.Flush()
}

// Publish puts the finished folder in its place. Where that fails, the old
// folder stays in its place and the error says where the new one is.
func (d *Dir) Publish() error {
	if err := d.writeList(); err != nil {
		return err
	}
	d.whole = true
	err := os.Rename(d.final, d.old)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		if err = os.Rename(d.building, d.final); err == nil {
			return d.retire()
		}
		_ = os.Rename(d.old, d.final) // what is not there needs no way back, and the next run tries again
	}
	return fmt.Errorf("cannot put the new files into %s: %w; they are in %s until the next run", d.name, err, d.building)
}

// mend clears up what a run that was killed while it published has left: an old
// folder without a new one goes back to its place, one with a new one is
// removed.
func (d *Dir) mend() error {
	switch {
	case !isThere(d.old):
		return nil
	case isThere(filepath.Join(d.final, ListFile)):
		return d.retire()
	}
	_ = os.Remove(d.final) // an empty folder; any other stays, and in the way
	if err := os.Rename(d.old, d.final); err != nil {
		return fmt.Errorf("cannot put %s, which a killed run has left, back into its place: %w; move %s away", d.old, err, d.name)
	}
	return nil
}

// retire removes the old folder: the files on its list. What else has come
// into it meanwhile moves to the new folder.
func (d *Dir) retire() error {
	entries, err := os.ReadDir(d.old)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	list, err := readList(d.old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		at, to := filepath.Join(d.old, e.Name()), filepath.Join(d.final, e.Name())
		switch {
		case e.Name() == ListFile:
		case list.has(e):
			err = os.Remove(at)
		default:
			if isThere(to) {
				return fmt.Errorf("%s came into %s while it was replaced, and the new folder has a file of that name: it is kept as %s; move it away", e.Name(), d.name, at)
			}
			err = os.Rename(at, to)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is written, but what it replaces is not removed: %w; remove %s", d.name, err, d.old)
		}
	}
	// The list goes last, so that a killed run leaves no file that is not on it.
	if err := os.Remove(filepath.Join(d.old, ListFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Remove(d.old)
}

// Discard lets go of the folder and deletes what is unfinished. After
// Publish it only lets go.
func (d *Dir) Discard() {
	if d.lock == nil {
		return
	}
	if !d.whole {
		_ = os.RemoveAll(d.building)
	}
	d.lock.release()
	d.lock = nil
}

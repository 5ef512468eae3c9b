package outdir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
)

// errLocked is tryLock's answer for a file that another process has locked.
var errLocked = errors.New("locked")

// lock is a locked file. The operating system ends the lock with the process,
// so a file that is left behind locks nothing.
type lock struct{ file *os.File }

// maxAttempts bounds how often a lock is taken anew because its file was
// removed by the one who had it before.
const maxAttempts = 100

// acquire locks the file at a path for the writer of a folder.
func acquire(folder, path string) (*lock, error) {
	for range maxAttempts {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, fmt.Errorf("cannot write to the folder of %s: %w; choose another --out", folder, err)
		}
		if err := tryLock(f); errors.Is(err, errLocked) {
			defer f.Close()
			return nil, fmt.Errorf("%s: %w%s; wait until it has ended, or choose another --out", folder, ErrBusy, holder(f))
		} else if err != nil {
			f.Close()
			return nil, fmt.Errorf("cannot lock %s: %w; choose an --out on another file system", path, err)
		}
		if !isAt(f, path) {
			f.Close()
			continue
		}
		l := &lock{f}
		if err := l.sign(); err != nil {
			l.release()
			return nil, err
		}
		return l, nil
	}
	return nil, fmt.Errorf("cannot lock %s: it is replaced all the time, or is a link; remove it", path)
}

// isAt reports whether a file is still the one at a path, and no link leads to
// it.
func isAt(f *os.File, path string) bool {
	have, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(have, there)
}

// release removes the file while it is still locked, so that nobody else's is
// removed. Where an open file cannot be removed it stays, and locks nothing.
func (l *lock) release() {
	_ = os.Remove(l.file.Name())
	l.file.Close()
}

// sign writes who has the lock, for the message to others.
func (l *lock) sign() error {
	host, _ := os.Hostname() // a host without a name has none to name
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err := l.file.WriteAt(fmt.Appendf(nil, "%d %s\n", os.Getpid(), host), 0)
	return err
}

var signature = regexp.MustCompile(`^(\d+) ([\w.-]*)\n`)

// holder says which process has a lock: "" if that is not known.
func holder(f *os.File) string {
	text, err := io.ReadAll(io.NewSectionReader(f, 0, 512))
	if err != nil {
		return ""
	}
	m := signature.FindSubmatch(text)
	if m == nil {
		return ""
	}
	on := ""
	if host, _ := os.Hostname(); host != string(m[2]) {
		on = " on " + string(m[2])
	}
	return fmt.Sprintf(" (process %s%s)", m[1], on)
}

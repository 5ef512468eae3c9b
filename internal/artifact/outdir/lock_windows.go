package outdir

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock locks a file, or says errLocked at once. The locked byte is far behind
// the file's end: others can read what is written.
func tryLock(f *os.File) error {
	const far = 1 << 30
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{OffsetHigh: far})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errLocked
	}
	return err
}

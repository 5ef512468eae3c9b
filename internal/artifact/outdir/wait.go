package outdir

import (
	"context"
	"errors"
	"time"
)

// LockFile locks the file at path for work on the folder named so, and waits
// for others to release it until ctx ends. The file is there while it is locked.
func LockFile(ctx context.Context, folder, path string) (release func(), err error) {
	const pause = 20 * time.Millisecond
	for {
		l, err := acquire(folder, path)
		if err == nil {
			return l.release, nil
		}
		if !errors.Is(err, ErrBusy) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(pause):
		}
	}
}

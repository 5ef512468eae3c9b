package postgres

import (
	"context"
	"errors"
	"time"
)

// patience is how long Retry goes on after the first failure.
const patience = time.Second

// Retry runs f. If f fails with ErrUnavailable, Retry runs it again with growing
// pauses, for a second at most; if f fails with ErrConflict, only once more. f must
// forget what it read before it failed.
func (d *DB) Retry(ctx context.Context, f func() error) error {
	var failed time.Time
	pause := time.Duration(0)
	conflicts := 0
	for {
		err := f()
		if err != nil && failed.IsZero() {
			failed = time.Now()
		}
		switch {
		case errors.Is(err, ErrConflict):
			if conflicts++; conflicts > 1 {
				return err
			}
		case !errors.Is(err, ErrUnavailable) || time.Since(failed)+pause > patience:
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
		pause = min(2*pause+10*time.Millisecond, patience/4)
	}
}

package engine

import (
	"context"
	"sync/atomic"
	"time"
)

// Slots bound how many connections are in use at once. Several goroutines may use
// them. Make them with NewSlots.
type Slots struct {
	taken   chan struct{}
	waiting atomic.Int32
}

// NewSlots returns Slots for at most limit connections.
func NewSlots(limit int) *Slots { return &Slots{taken: make(chan struct{}, limit)} }

// Take takes a slot, which Give gives back. It fails with ErrBusy if no slot becomes
// free within wait, and with the context's error if the context ends first. A wait of 0
// is not limited except by the context.
func (s *Slots) Take(ctx context.Context, wait time.Duration) error {
	select {
	case s.taken <- struct{}{}:
		return nil
	default:
	}
	s.waiting.Add(1)
	defer s.waiting.Add(-1)
	var late <-chan time.Time
	if wait != 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case s.taken <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-late:
		return ErrBusy
	}
}

// Give gives a slot back, and reports whether another caller waits for one.
func (s *Slots) Give() (wanted bool) {
	<-s.taken
	return s.waiting.Load() > 0
}

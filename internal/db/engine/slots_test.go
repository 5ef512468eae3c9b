package engine_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
)

// TestSlots takes the only slot, and says what becomes of others who want it.
func TestSlots(t *testing.T) {
	s := engine.NewSlots(1)
	if err := s.Take(t.Context(), time.Nanosecond); err != nil {
		t.Fatal(err)
	}
	if err := s.Take(t.Context(), time.Nanosecond); !errors.Is(err, engine.ErrBusy) {
		t.Errorf("with no time left: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Take(gone, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	if s.Give() {
		t.Error("nobody waits, and somebody is said to")
	}
	if err := s.Take(t.Context(), 0); err != nil {
		t.Errorf("a slot that was given back: %v", err)
	}
}

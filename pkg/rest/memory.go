package rest

import (
	"errors"
	"sync/atomic"
)

// errMemory says that the answers that are being made and sent leave no room
// for another.
var errMemory = errors.New("other answers take the memory there is for them")

// small is how many bytes of an answer need no room: short answers are given
// while slow clients hold all the memory there is for long ones. A buffer of
// that size is kept for later requests.
const small = 64 << 10

// memory bounds the bytes of all answers that are being made or sent, but for
// the first small ones of each.
type memory struct {
	maxBytes int64       // 0: no bound
	changed  func(int64) // called with held whenever it changes, if not nil
	held     atomic.Int64
}

// hold takes or gives back what a buffer of that capacity needs beyond the
// share that is held for it already. It reports whether there was room.
func (m *memory) hold(share *int64, capacity int) bool {
	more := max(int64(capacity)-small, 0) - *share
	if more == 0 {
		return true
	}
	now := m.held.Add(more)
	if more > 0 && m.maxBytes > 0 && now > m.maxBytes {
		m.held.Add(-more)
		return false
	}
	*share += more
	if m.changed != nil {
		m.changed(now)
	}
	return true
}

// kept returns the buffer, empty, or nil if it is too large to be kept.
func kept(buffer []byte) []byte {
	if cap(buffer) > small {
		return nil
	}
	return buffer[:0]
}

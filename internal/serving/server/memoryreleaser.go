package server

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// memoryReleaser gives memory back to the system after a peak of what takes it. Go by
// itself does so over minutes.
type memoryReleaser struct {
	free  func()                      // gives back
	later func(time.Duration, func()) // calls after a time

	mu      sync.Mutex
	peaks   []*peak
	pending bool // whether release will be called
}

// peak watches an amount that may be large for a time, such as that of open
// connections.
type peak struct {
	of    *memoryReleaser
	worth int64 // the least amount that is worth giving back

	now, highest int64 // guarded by of.mu
}

// releaseAfter is how long after the peak memory is given back.
const releaseAfter = 3 * time.Second

func newMemoryReleaser() *memoryReleaser {
	return &memoryReleaser{
		free: func() {
			runtime.GC() // what pools keep is free after two collections
			debug.FreeOSMemory()
		},
		later: func(d time.Duration, f func()) { time.AfterFunc(d, f) },
	}
}

// watch returns a peak of an amount.
func (r *memoryReleaser) watch(worth int64) *peak {
	p := &peak{of: r, worth: worth}
	r.peaks = append(r.peaks, p)
	return p
}

// is sets the present amount.
func (p *peak) is(amount int64) {
	r := p.of
	r.mu.Lock()
	p.now, p.highest = amount, max(p.highest, amount)
	due := !r.pending && p.isOver()
	r.pending = r.pending || due
	r.mu.Unlock()
	if due {
		r.later(releaseAfter, r.release)
	}
}

// isOver reports whether much less is in use than was. The caller holds mu.
func (p *peak) isOver() bool { return p.highest >= p.worth && p.now <= p.highest/2 }

// release gives memory back unless it is in use again.
func (r *memoryReleaser) release() {
	r.mu.Lock()
	r.pending = false
	over := false
	for _, p := range r.peaks {
		if p.isOver() {
			over, p.highest = true, p.now
		}
	}
	r.mu.Unlock()
	if over {
		r.free()
	}
}

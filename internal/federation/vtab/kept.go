package vtab

import (
	"time"

	"github.com/birdcall/birdcall/pkg/value"
)

// listed returns the listing that is kept from a statement before, or nil.
func (t *table) listed() *listing {
	if t.forget == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept != nil && t.forget(t.keptAt) {
		t.kept = nil
	}
	return t.kept
}

// keep keeps a listing for the statements to come, and notes how long it is.
func (t *table) keep(l *listing) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen = max(1, len(l.rows))
	if t.forget != nil {
		t.kept, t.keptAt = l, time.Now()
		t.known, t.rows = map[string][][]value.Value{}, 0
	}
}

// kept returns the rows of a tuple that a statement before has asked for.
func (s *state) kept(set, key string) ([][]value.Value, bool) {
	if s.forget == nil {
		return nil, false
	}
	t := s.table
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.known) > 0 && t.forget(t.since) {
		t.known, t.rows = map[string][][]value.Value{}, 0
	}
	rows, ok := t.known[set+key]
	return rows, ok
}

// keepRows keeps the rows of a tuple for the statements to come.
func (t *table) keepRows(set, key string, rows [][]value.Value) {
	if t.forget == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rows+len(rows)+len(t.known) > maxKeptRows {
		t.known, t.rows = map[string][][]value.Value{}, 0
	}
	if len(t.known) == 0 {
		t.since = time.Now()
	}
	t.known[set+key] = rows
	t.rows += len(rows)
}

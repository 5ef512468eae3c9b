package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// record is what came back.
type record struct {
	mu       sync.Mutex
	up       bool
	changed  time.Time // when up last did
	statuses map[int]int
	answers  map[string]uint64 // hashes of bodies by target and ETag
	stamps   map[string]int64  // the newest that was committed, by database
	commits  int
	failures []string
	checked  int // rows
	cut      int // requests without an answer while the service was stopped
	restarts int
	resident []int // MB, once a second
}

func (r *record) fail(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	const enough = 50
	if len(r.failures) < enough {
		r.failures = append(r.failures, fmt.Sprintf(format, args...))
	}
}

func (r *record) setUp(up bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.up, r.changed = up, time.Now()
}

func (r *record) restarted() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.restarts++
}

// commit notes what a writer has committed.
func (r *record) commit(db string, stamp int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stamps[db] = max(r.stamps[db], stamp)
	r.commits++
}

// committed returns the newest stamp of a database that is surely there.
func (r *record) committed(db string) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stamps[db]
}

// looked notes how many rows of an answer were looked at.
func (r *record) looked(rows int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checked += rows
}

func (r *record) memory(mb int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.resident = append(r.resident, mb)
}

// documented are the statuses that docs/serve.md lists.
var documented = []int{200, 304, 400, 404, 405, 406, 422, 429, 431, 503, 504}

func (r *record) status(path string, status int, body []byte) {
	r.mu.Lock()
	r.statuses[status]++
	r.mu.Unlock()
	if !slices.Contains(documented, status) {
		r.fail("%.200s: status %d: %.300s", path, status, body)
	}
	if status >= 400 && status != http.StatusRequestHeaderFieldsTooLarge && strings.Contains(string(body), "account") && strings.Contains(string(body), "SELECT") {
		r.fail("%.200s: the problem shows SQL: %.300s", path, body)
	}
}

// lost notes a request without an answer, which is right only while the
// service is stopped.
func (r *record) lost(ctx context.Context, err error) {
	r.mu.Lock()
	excused := !r.up || time.Since(r.changed) < time.Second || ctx.Err() != nil
	r.cut++
	r.mu.Unlock()
	if !excused {
		r.fail("no answer: %v", err)
	}
}

// tag notes the answer under an ETag.
func (r *record) tag(key string, hash uint64) {
	r.mu.Lock()
	before, ok := r.answers[key]
	const most = 1_000_000
	if len(r.answers) < most {
		r.answers[key] = hash
	}
	r.mu.Unlock()
	if ok && before != hash {
		r.fail("two answers under one ETag: %s", key)
	}
}

// report prints what came back, and fails if it should not have.
func (r *record) report(w io.Writer) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(w, "answers by status: %v; %d rows looked at, %d commits meanwhile\n", r.statuses, r.checked, r.commits)
	fmt.Fprintf(w, "%d restarts, %d requests without an answer meanwhile\n", r.restarts, r.cut)
	if n := len(r.resident); n > 1 {
		first, second := slices.Max(r.resident[:n/2]), slices.Max(r.resident[n/2:])
		fmt.Fprintf(w, "resident memory: at most %d MB in the first half, %d MB in the second\n", first, second)
		if second > first+first/4 {
			r.failures = append(r.failures, "memory grows")
		}
	}
	for _, f := range r.failures {
		fmt.Fprintln(w, "failure:", f)
	}
	if len(r.failures) > 0 {
		return fmt.Errorf("%d failures", len(r.failures))
	}
	if r.statuses[http.StatusOK] == 0 {
		return errors.New("no good answer")
	}
	return nil
}

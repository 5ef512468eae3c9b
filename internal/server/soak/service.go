package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// service is the program under test.
type service struct {
	program, addr, dir string
	record             *record

	mu      sync.Mutex
	running *exec.Cmd
}

// start starts the service and waits until it is ready.
func (s *service) start(ctx context.Context) error {
	c := command(s.program, "--dataset", s.dir, "--addr", s.addr, "--timeout", "1s", "--log-level", "error")
	c.Stderr = io.Discard // failures while a writer's journal is left are told there, rightly
	if err := c.Start(); err != nil {
		return err
	}
	s.mu.Lock()
	s.running = c
	s.mu.Unlock()
	for range 500 {
		resp, err := http.Get("http://" + s.addr + "/readyz")
		if err == nil {
			resp.Body.Close()
			s.record.setUp(true)
			return nil
		}
		if !pause(ctx, 20*time.Millisecond) {
			return nil
		}
		if c.ProcessState != nil {
			break
		}
	}
	return errors.New("the service does not get ready")
}

// end ends the service with a signal.
func (s *service) end(signal os.Signal) error {
	s.record.setUp(false)
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.running.Process.Signal(signal)
	return s.running.Wait()
}

// stop ends the service as its users do.
func (s *service) stop() {
	if err := s.end(syscall.SIGTERM); err != nil {
		s.record.fail("the service did not stop well: %v", err)
	}
}

// disturb stops and kills the service now and then until the time is over. A
// start fails while the journal of a killed writer lies beside a database,
// until its writer is back.
func (s *service) disturb(ctx context.Context, random *rand.Rand) {
	for pause(ctx, time.Duration(20+random.IntN(60))*time.Second) {
		if random.IntN(3) == 0 {
			_ = s.end(syscall.SIGKILL)
		} else {
			s.stop()
		}
		s.record.restarted()
		started := false
		for range 20 {
			if started = s.start(ctx) == nil; started || !pause(ctx, time.Second) {
				break
			}
		}
		if !started && ctx.Err() == nil {
			s.record.fail("the service does not start again")
			return
		}
	}
}

// watchMemory notes the service's resident memory every second.
func (s *service) watchMemory(ctx context.Context) {
	for pause(ctx, time.Second) {
		s.mu.Lock()
		pid := s.running.Process.Pid
		s.mu.Unlock()
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			continue
		}
		kb := 0
		if _, after, ok := strings.Cut(string(status), "VmRSS:"); ok {
			_, _ = fmt.Sscan(after, &kb)
			s.record.memory(kb / 1024)
		}
	}
}

// record is what came back.
type record struct {
	mu       sync.Mutex
	up       bool
	changed  time.Time // when up last did
	statuses map[int]int
	answers  map[string]uint64 // hashes of bodies by target and ETag
	failures []string
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

func (r *record) memory(mb int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.resident = append(r.resident, mb)
}

// documented are the statuses that docs/serve.md tells of.
var documented = []int{200, 304, 400, 404, 405, 406, 422, 429, 431, 503, 504}

func (r *record) status(path string, status int, body []byte) {
	r.mu.Lock()
	r.statuses[status]++
	r.mu.Unlock()
	if !slices.Contains(documented, status) {
		r.fail("%.200s: status %d: %.300s", path, status, body)
	}
	if status >= 400 && status != http.StatusRequestHeaderFieldsTooLarge && strings.Contains(string(body), "account") && strings.Contains(string(body), "SELECT") {
		r.fail("%.200s: the problem tells SQL: %.300s", path, body)
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
	fmt.Fprintf(w, "answers by status: %v; %d restarts, %d requests without an answer meanwhile\n", r.statuses, r.restarts, r.cut)
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

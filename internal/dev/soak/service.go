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
	c.Stderr = io.Discard // failures while a writer's journal is left are reported there, rightly
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
// start fails while the journal of a killed writer is next to a database,
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

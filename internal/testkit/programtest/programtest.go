// Package programtest runs the programs as their users do, in processes of their
// own, for tests.
//
// A test of a program's package is the program itself when it is started again:
//
//	func TestMain(m *testing.M) { programtest.Main(m, "serve", main) }
//
//	func TestVersion(t *testing.T) {
//		out := programtest.Run(t, "serve", "--version")
//		…
//	}
//
// With BIRDCALL_BIN=DIR the binaries of a folder run in its place, so that a test
// can be seen to fail with those of another commit.
package programtest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite"
)

const (
	runs   = "BIRDCALL_TEST_RUNS" // the environment of a process that is the program
	folder = "BIRDCALL_BIN"
)

var own string // the program that the test binary can be

// Main runs the tests of a package main, or the program of that name, whose
// function main is given.
func Main(m *testing.M, name string, main func()) {
	if os.Getenv(runs) != "" {
		_ = os.Unsetenv(runs) // it is set
		main()
		os.Exit(0)
	}
	own = name
	code := m.Run()
	for _, file := range built {
		_ = os.RemoveAll(filepath.Dir(file)) // a folder for temporary files is cleaned anyway
	}
	os.Exit(code)
}

// Command is a program with its arguments that is not started yet. It is killed
// when the context of the test ends. A program other than the package's own is
// built first.
func Command(t testing.TB, program string, args ...string) *exec.Cmd {
	t.Helper()
	if dir := os.Getenv(folder); dir != "" {
		return exec.CommandContext(t.Context(), filepath.Join(dir, program), args...)
	}
	if program != own {
		return exec.CommandContext(t.Context(), build(t, program), args...)
	}
	c := exec.CommandContext(t.Context(), os.Args[0], args...)
	c.Env = append(os.Environ(), runs+"="+program)
	return c
}

var (
	building sync.Mutex
	built    = map[string]string{}
)

// build compiles a program of cmd once for all tests of a process.
func build(t testing.TB, program string) string {
	t.Helper()
	building.Lock()
	defer building.Unlock()
	if file := built[program]; file != "" {
		return file
	}
	dir, err := os.MkdirTemp("", "birdcall-test-")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, program)
	if out, err := exec.Command("go", "build", "-o", file, "github.com/birdcall/birdcall/cmd/"+program).CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", program, err, out)
	}
	built[program] = file
	return file
}

// Result is how a program ended, and what it wrote.
type Result struct {
	Code           int
	Stdout, Stderr string
}

// Run runs a program to its end, at most two minutes.
func Run(t testing.TB, program string, args ...string) Result {
	t.Helper()
	return RunCommand(t, Command(t, program, args...))
}

// RunCommand runs a command of [Command] to its end, at most two minutes.
func RunCommand(t testing.TB, c *exec.Cmd) Result {
	t.Helper()
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(2*time.Minute, func() { _ = c.Process.Kill() }) // it may have ended
	err := c.Wait()
	if !late.Stop() {
		t.Fatalf("%s does not end:\n%s%s", c, out.String(), errs.String())
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return Result{c.ProcessState.ExitCode(), out.String(), errs.String()}
}

// Database makes a SQLite file of that name, without its extension, in a folder of the
// test by statements, and returns its path.
func Database(t testing.TB, name, statements string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	return path
}

// Server is a running service.
type Server struct {
	URL string // without a slash at the end
	c   *exec.Cmd
	log *log
}

// log is what a service wrote.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(text)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Serve starts serve at a free port of 127.0.0.1 with further flags, waits until it
// is ready, and stops it when the test ends.
func Serve(t testing.TB, args ...string) *Server {
	t.Helper()
	s := StartServe(t, args...)
	s.WaitReady(t)
	return s
}

// WaitReady waits until a service is ready, at most a minute.
func (s *Server) WaitReady(t testing.TB) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if answer, err := http.Get(s.URL + "/readyz"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("serve is not ready:\n%s", s.log)
		}
	}
}

// StartServe is like [Serve], but does not wait until the service is ready.
func StartServe(t testing.TB, args ...string) *Server {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	c := Command(t, "serve", append([]string{"--addr", address}, args...)...)
	s := &Server{"http://" + address, c, &log{}}
	c.Stdout, c.Stderr = s.log, s.log
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 20 * time.Second
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop(t) })
	return s
}

// Stop ends a service with SIGTERM and returns how long that took, or zero if it had
// ended before.
func (s *Server) Stop(t testing.TB) time.Duration {
	t.Helper()
	if s.c.ProcessState != nil {
		return 0
	}
	start := time.Now()
	_ = s.c.Process.Signal(syscall.SIGTERM) // it may have ended
	_ = s.c.Wait()                          // how it ends is for the test to look at
	return time.Since(start)
}

// Log is what the service has written so far: all of it after Stop.
func (s *Server) Log() string { return s.log.String() }

// Do sends a request to a path of the service and returns the status, the header and
// the body. Headers are given as pairs of name and value; that of the name Host is
// the request's host.
func (s *Server) Do(t testing.TB, method, path, body string, header ...string) (int, http.Header, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if r.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(answer.Body); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, text.String()
}

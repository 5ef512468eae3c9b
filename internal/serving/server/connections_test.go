package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// serve runs a service on a free port until the test ends.
func serve(t *testing.T, s *Server, admin bool) (main, adminAddr string) {
	t.Helper()
	var on Listeners
	listen := func() net.Listener {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	on.Main = listen()
	if admin {
		on.Admin = listen()
		adminAddr = on.Admin.Addr().String()
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Serve(ctx, on, 5*time.Second) }()
	t.Cleanup(func() {
		cancel()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
	return on.Main.Addr().String(), adminAddr
}

// client is a connection by hand.
type client struct {
	net.Conn
	t *testing.T
	r *bufio.Reader
}

func dial(t *testing.T, addr string) *client {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return &client{c, t, bufio.NewReader(c)}
}

// send writes a request.
func (c *client) send(target string) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", target); err != nil {
		c.t.Fatal(err)
	}
}

// answer reads a response and returns its status, or 0 for a connection that
// was closed instead.
func (c *client) answer() int {
	resp, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return 0
	}
	return resp.StatusCode
}

// Where there is no room for a connection, the one that waited longest gives
// its place.
func TestConnectionsThatWaitGiveWay(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var refused atomic.Int64
	l := newConnections(listener, 2, &refused, func(int64) {})
	server := &http.Server{Handler: start(t, Options{}).Handler(), ConnState: l.state}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { server.Close() })
	waiting := func() int {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.waiting.Len()
	}
	addr := listener.Addr().String()
	first, second := dial(t, addr), dial(t, addr)
	for _, c := range []*client{first, second} {
		c.send("/healthz")
		if got := c.answer(); got != 200 {
			t.Fatalf("status %d", got)
		}
		waitFor(t, "both wait", func() bool { return waiting() == 2 })
	}
	third := dial(t, addr)
	third.send("/healthz")
	if got := third.answer(); got != 200 {
		t.Errorf("the third got %d", got)
	}
	if got := first.answer(); got != 0 {
		t.Errorf("the first is still there and got %d", got)
	}
	second.send("/healthz")
	if got := second.answer(); got != 200 {
		t.Errorf("the second got %d", got)
	}
	if n := refused.Load(); n != 0 {
		t.Errorf("%d were refused", n)
	}
}

// A connection that has never asked anything waits too.
func TestSilentConnectionsGiveWay(t *testing.T) {
	s := start(t, Options{MaxConnections: 3})
	addr, _ := serve(t, s, false)
	for range 10 {
		dial(t, addr)
	}
	c := dial(t, addr)
	c.send("/healthz")
	if got := c.answer(); got != 200 {
		t.Errorf("got %d", got)
	}
}

// Where all connections are at work, one more is asked to come again, and there
// is room again when one is done.
func TestConnectionsAreRefused(t *testing.T) {
	s := start(t, Options{Dataset: slow(t), Timeout: time.Minute, MaxConnections: 2, Connections: 2})
	addr, _ := serve(t, s, false)
	path := s.api.Databases[0].Endpoints[0].Path
	busy := []*client{dial(t, addr), dial(t, addr)}
	for _, c := range busy {
		c.send(path)
	}
	waitFor(t, "both are at work", func() bool { return s.inFlight.Load() == 2 })
	one := dial(t, addr)
	resp, err := http.ReadResponse(one.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || resp.StatusCode != 503 || resp.Header.Get("Retry-After") != "1" || !resp.Close || !strings.Contains(string(body), `"title":"Too busy","status":503`) {
		t.Errorf("%v: %d %v %s", err, resp.StatusCode, resp.Header, body)
	}
	if s.refused.Load() != 1 {
		t.Errorf("%d were refused", s.refused.Load())
	}
	_ = busy[0].Close()
	waitFor(t, "the one that left is counted out", func() bool { return s.open.Load() == 1 })
	again := dial(t, addr)
	again.send("/metrics")
	resp, err = http.ReadResponse(again.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	for _, want := range []string{"birdcall_connections_refused_total 1\n", "birdcall_connections 2\n"} {
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%v: no %s in the metrics", err, want)
		}
	}
	_ = busy[1].Close()
}

// Idle connections are closed, and counted out.
func TestIdleConnectionsAreClosed(t *testing.T) {
	s := start(t, Options{IdleTimeout: time.Millisecond})
	addr, _ := serve(t, s, false)
	c := dial(t, addr)
	c.send("/healthz")
	if got := c.answer(); got != 200 {
		t.Errorf("got %d", got)
	}
	if got := c.answer(); got != 0 {
		t.Errorf("a second answer: %d", got)
	}
	waitFor(t, "it is counted out", func() bool { return s.open.Load() == 0 })
}

// waitFor waits until something is so.
func waitFor(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// Memory is given back once, some time after much less is in use than was.
func TestRelief(t *testing.T) {
	var due []func()
	freed := 0
	r := &memoryReleaser{free: func() { freed++ }, later: func(_ time.Duration, f func()) { due = append(due, f) }}
	connections, bytes := r.watch(100), r.watch(1000)
	for i, c := range []struct {
		of     *peak
		amount int64
		after  bool // whether the time is over then
		due    int  // calls that will come
		freed  int
	}{
		{connections, 99, false, 0, 0},
		{connections, 0, false, 0, 0}, // not worth it
		{connections, 200, false, 0, 0},
		{connections, 101, false, 0, 0},
		{connections, 100, false, 1, 0},
		{connections, 50, false, 1, 0},
		{bytes, 5000, false, 1, 0},
		{bytes, 0, true, 0, 1}, // once for both
		{connections, 10, false, 0, 1},
		{connections, 300, false, 0, 1},
		{connections, 20, false, 1, 1},
		{connections, 250, true, 0, 1}, // in use again
		{connections, 0, true, 0, 2},
		{bytes, 10, false, 0, 2},
	} {
		c.of.is(c.amount)
		if c.after {
			for _, f := range due {
				f()
			}
			due = nil
		}
		if len(due) != c.due || freed != c.freed {
			t.Errorf("%d: %d calls to come, freed %d times; want %d and %d", i, len(due), freed, c.due, c.freed)
		}
	}
}

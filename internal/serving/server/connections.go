package server

import (
	queue "container/list"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// connections bounds how many connections of a listener are open. One too many
// replaces the one that has waited longest for its next request, or
// for its first. Where all are at work it is asked at once to come again, so that
// a load balancer asks another instance rather than waits here.
type connections struct {
	net.Listener
	limit   int
	changed func(open int64) // called with open whenever it changes; not nil
	refused *atomic.Int64

	mu      sync.Mutex
	open    int
	waiting *queue.List // of *connection: between requests, the longest first
}

// connection is an open one.
type connection struct {
	net.Conn
	of     *connections
	closed sync.Once
	place  *queue.Element // in waiting, or nil
}

func newConnections(l net.Listener, limit int, refused *atomic.Int64, changed func(int64)) *connections {
	return &connections{Listener: l, limit: limit, changed: changed, refused: refused, waiting: queue.New()}
}

// Accept returns the next connection that there is room for.
func (l *connections) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.makeRoom() {
			return &connection{Conn: c, of: l}, nil
		}
		l.refused.Add(1)
		turnAway(c)
	}
}

// makeRoom counts a new connection, if need be instead of one that waits.
func (l *connections) makeRoom() bool {
	l.mu.Lock()
	var oldest *connection
	if l.open >= l.limit {
		first := l.waiting.Front()
		if first == nil {
			l.mu.Unlock()
			return false
		}
		oldest = first.Value.(*connection)
		oldest.leave()
	}
	l.count(1)
	l.mu.Unlock()
	if oldest != nil {
		_ = oldest.Close() // which waits for nothing
	}
	return true
}

// count adds to the open connections. The caller holds mu.
func (l *connections) count(n int) {
	l.open += n
	l.changed(int64(l.open))
}

// leave takes the connection out of those that wait. The caller holds mu.
func (c *connection) leave() {
	if c.place != nil {
		c.of.waiting.Remove(c.place)
		c.place = nil
	}
}

// Close closes the connection and counts it out.
func (c *connection) Close() error {
	c.closed.Do(func() {
		c.of.mu.Lock()
		c.leave()
		c.of.count(-1)
		c.of.mu.Unlock()
	})
	return c.Conn.Close()
}

// CloseWrite informs the client that no more comes. net/http does so before it
// closes a connection whose client is still sending.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// state is the hook of http.Server that says which connections wait.
func (l *connections) state(of net.Conn, state http.ConnState) {
	c, ok := of.(*connection)
	if !ok || state == http.StateClosed { // Close has counted it out
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c.leave()
	if state == http.StateNew || state == http.StateIdle {
		c.place = l.waiting.PushBack(c)
	}
}

// turnAway answers a connection before it has asked anything.
func turnAway(c net.Conn) {
	const body = `{"type":"about:blank","title":"Too busy","status":503,"detail":"Too many connections are open. Try again after the time in Retry-After."}` + "\n"
	_ = c.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)) // there is room for it in the socket's buffer
	_, _ = io.WriteString(c, fmt.Sprintf("HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nCache-Control: no-store\r\n"+
		"Retry-After: 1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
	_ = c.Close()
}

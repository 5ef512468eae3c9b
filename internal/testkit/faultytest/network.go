package faultytest

import (
	"context"
	"fmt"
	"net"
	"sync"
)

// network is one of listeners in memory.
type network struct {
	mu      sync.Mutex
	servers map[string]chan net.Conn // by address
	done    chan struct{}
}

type listener struct {
	network *network
	address address
	conns   chan net.Conn
	once    sync.Once
	done    chan struct{}
}

type address string

func (address) Network() string  { return "memory" }
func (a address) String() string { return string(a) }

func (n *network) listen() net.Listener {
	n.mu.Lock()
	defer n.mu.Unlock()
	l := &listener{
		network: n, conns: make(chan net.Conn), done: make(chan struct{}),
		address: address(fmt.Sprintf("server%d.test:80", len(n.servers)+1)),
	}
	n.servers[string(l.address)] = l.conns
	return l
}

func (n *network) dial(ctx context.Context, _, to string) (net.Conn, error) {
	n.mu.Lock()
	conns := n.servers[to]
	n.mu.Unlock()
	if conns == nil {
		return nil, fmt.Errorf("dial %s: no such server", to)
	}
	here, there := net.Pipe()
	select {
	case conns <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-n.done:
		return nil, net.ErrClosed
	}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *listener) Addr() net.Addr { return l.address }

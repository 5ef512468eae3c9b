package postgres

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/jackc/pgx/v5/pgconn"
)

// server is one Postgres database with the connections to it.
type server struct {
	config  *pgconn.Config
	opts    Options
	unnamed bool
	shown   string
	types   types
	slots   *engine.Slots

	snapshot snapshot

	mu     sync.Mutex
	idle   []*conn
	closed bool
}

func newServer(config *pgconn.Config, opts Options, unnamed bool, shown string) *server {
	return &server{config: config, opts: opts, unnamed: unnamed, shown: shown, slots: engine.NewSlots(opts.Connections)}
}

var errClosed = errors.New("the connections are closed")

// acquire takes a connection, which release gives back. It prefers a connection that
// was last used for the schema. It fails with ErrBusy if none becomes free within wait;
// a wait of 0 is limited only by the context.
func (p *server) acquire(ctx context.Context, schema string, wait time.Duration) (*conn, error) {
	if err := p.slots.Take(ctx, wait); err != nil {
		return nil, err
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		p.slots.Give()
		return nil, errClosed
	}
	if n := len(p.idle); n > 0 {
		i := n - 1
		for i > 0 && p.idle[i].schema != schema {
			i--
		}
		c := p.idle[i]
		p.idle = slices.Delete(p.idle, i, i+1)
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	c, err := p.connect(ctx)
	if err == nil {
		if c.snapshot, err = p.snapshot.export(ctx, p); err != nil {
			c.close()
		}
	}
	if err != nil {
		p.slots.Give()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, unavailable(err)
	}
	return c, nil
}

// unavailable marks a failure to connect as ErrUnavailable, unless the failure says
// that later attempts will fail too.
func unavailable(err error) error {
	server := (*pgconn.PgError)(nil)
	if errors.As(err, &server) && !isAway(server.Code) || errors.Is(err, ErrUnavailable) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

// release gives a connection back. It closes a connection that can no longer be used.
func (p *server) release(c *conn) {
	usable := c.isUsable()
	p.mu.Lock()
	keep := usable && !p.closed
	if keep {
		p.idle = append(p.idle, c)
	}
	p.mu.Unlock()
	if !keep {
		c.close()
	}
	if p.slots.Give() {
		// Yield to the goroutine that waits for the connection: it sends a query, and
		// this goroutine goes on while the server works.
		runtime.Gosched()
	}
}

// forget closes the connections that are not in use: when one broke, the others are
// most likely broken, too.
func (p *server) forget() {
	p.mu.Lock()
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, c := range idle {
		c.close()
	}
}

func (p *server) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.forget()
	p.snapshot.end()
}

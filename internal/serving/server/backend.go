package server

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/engines"
)

// backend is the server that has the databases, as the health checks see it. It
// has its own connection, so that a busy service is still ready.
type backend struct {
	source engine.Source
	id     string // of one of the databases, which stands for all
	logger *slog.Logger

	mu    sync.Mutex
	asked time.Time
	err   error
}

// How long an answer counts, and how long the server may take for it. Those who
// ask for readiness wait for a second as a rule.
const (
	freshness     = time.Second
	longestAnswer = 800 * time.Millisecond
)

// newBackend returns the server of the options, or nil where there is none.
func newBackend(o Options) (*backend, error) {
	if o.Source == "" || len(o.Dataset.Databases) == 0 {
		return nil, nil
	}
	source, err := engines.Open(o.Source, engine.Options{Connections: 1})
	return &backend{source: source, id: o.Dataset.Databases[0].ID, logger: o.Logger}, err
}

// check fails if the server does not answer. That it began or ceased to is logged.
func (b *backend) check(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.asked) < freshness {
		return b.err
	}
	// A client that leaves says nothing of the server.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestAnswer)
	defer cancel()
	before := b.err
	b.err = b.source.Ping(ctx, b.id)
	b.asked = time.Now()
	switch {
	case b.err != nil && before == nil:
		b.logger.Error("the databases' server does not answer", "error", b.err)
	case b.err == nil && before != nil:
		b.logger.Info("the databases' server answers again")
	}
	return b.err
}

func (b *backend) close() {
	if b != nil {
		b.source.Close()
	}
}

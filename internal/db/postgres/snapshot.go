package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// snapshot is the state that all connections read under Options.Snapshot. A
// transaction that stays open until the end exports it
// (https://www.postgresql.org/docs/current/functions-admin.html, section
// "Snapshot Synchronization Functions").
type snapshot struct {
	mu     sync.Mutex
	holder *conn
	name   string
}

// exportSQL lets no time limit of the server end the transaction.
const exportSQL = beginSnapshot + `;
SELECT pg_catalog.set_config(name, '0', true) FROM pg_catalog.pg_settings WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout');
SELECT pg_catalog.pg_export_snapshot()`

// export returns the name of the snapshot, which the first call makes, or ""
// where each statement reads the newest state.
func (s *snapshot) export(ctx context.Context, p *server) (string, error) {
	if !p.opts.Snapshot {
		return "", nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holder != nil {
		return s.name, nil
	}
	c, err := p.connect(ctx)
	if err != nil {
		return "", err
	}
	results, err := c.pg.Exec(ctx, exportSQL).ReadAll()
	if err != nil {
		c.close()
		return "", err
	}
	s.holder, s.name = c, string(results[len(results)-1].Rows[0][0])
	return s.name, nil
}

// holderWait is how long the connection that holds a snapshot may take to answer.
const holderWait = 10 * time.Second

// Unchanged fails with ErrUnavailable if the state that Options.Snapshot reads is lost.
// That happens when the connection that holds the state breaks. For live data it never
// fails.
func (d *DB) Unchanged() error {
	ctx, cancel := context.WithTimeout(context.Background(), holderWait)
	defer cancel()
	if err := d.server.snapshot.check(ctx); err != nil {
		return &Error{Op: "snapshot", Database: d.String(), Err: fmt.Errorf("%w: the state that was read is lost: %w", ErrUnavailable, err),
			Hint: "begin again when the server can be reached"}
	}
	return nil
}

// check fails if an exported snapshot is no longer held.
func (s *snapshot) check(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holder == nil {
		return nil
	}
	_, err := s.holder.ask(ctx, "SELECT 1")
	return err
}

// end releases the state.
func (s *snapshot) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holder != nil {
		s.holder.close()
		s.holder = nil
	}
}

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"

	lib "modernc.org/sqlite/lib"

	"github.com/birdcall/birdcall/pkg/value"
)

// maxFetching is how many statements of a pool may fetch external data at a time: each
// keeps its data in memory.
const maxFetching = 256

// runExternal runs a statement that reads external data repeatedly until all data that
// it requests are known. Only the last run hands over rows: those of earlier runs may
// be wrong. Each run has its own connection and reads one state of the file. No
// connection is held while data are fetched.
func (p *Pool) runExternal(ctx context.Context, s *Statement, args []value.Value, yield func(*Row) bool) error {
	ctx, cancel := context.WithTimeout(ctx, p.opts.Time)
	defer cancel()
	if err := p.fetching.Take(ctx, p.opts.Wait); err != nil {
		return err
	}
	defer p.fetching.Give()
	reading := p.db.external.Begin(ctx, s.sql)
	defer reading.End()
	// The first run waits as any statement does. Later ones have what they asked for,
	// and wait as long as they may run.
	for wait := p.opts.Wait; ; wait = 0 {
		r, err := p.round(ctx, wait, s, args, reading)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		}
		again, err := reading.Fetch(ctx)
		switch {
		case err != nil:
			return err
		case again:
			continue
		case r.err != nil:
			return r.err
		}
		for _, row := range r.rows {
			if !yield(RowOf(row)) {
				return nil
			}
		}
		return nil
	}
}

// round is the result of one run of a statement.
type round struct {
	rows [][]value.Value
	err  error // which does not count if something was not known
}

// round runs a statement once. The error is one that another run would not remove.
func (p *Pool) round(ctx context.Context, wait time.Duration, s *Statement, args []value.Value, reading Reading) (r round, err error) {
	err = p.on(ctx, wait, func(c *session) error {
		compiled, err := c.ready(s, args)
		if err != nil {
			return err
		}
		x := c.external
		x.reading, x.failure = reading, nil
		r.rows, r.err = c.collect(ctx, s, compiled, p.opts.Time)
		x.reading = nil
		if x.failure != nil {
			r.err = x.failure
		}
		return r.err
	})
	if r.err != nil && !errors.Is(err, ErrSchema) && !errors.Is(err, ErrChanged) {
		err = nil
	}
	return r, err
}

// collect runs a statement once and returns its rows.
func (c *session) collect(ctx context.Context, s *Statement, p *prepared, limit time.Duration) ([][]value.Value, error) {
	var rows [][]value.Value
	var size int64
	var full error
	c.watch.start(ctx, limit)
	err := c.steps(s, p, func(r *Row) bool {
		row := make([]value.Value, len(s.columns))
		for i := range row {
			row[i] = r.Value(i)
		}
		size += rowSize(row)
		if len(rows) == c.limits.Rows || size > c.limits.Bytes {
			full = fmt.Errorf("%w: the answer has more than %d rows or %d bytes", ErrTooLarge, c.limits.Rows, c.limits.Bytes)
			return false
		}
		rows = append(rows, row)
		return true
	})
	_ = c.watch.stop() // the context says as much
	lib.Xsqlite3_reset(c.tls, p.handle)
	return rows, errors.Join(full, err)
}

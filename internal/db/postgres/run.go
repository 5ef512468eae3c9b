package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/jackc/pgx/v5/pgconn"
)

// grace is how much longer than the server's time limit the client waits.
const grace = 500 * time.Millisecond

// drain is how long unwanted rows are read before the statement is cancelled. A cancel
// request takes its own connection.
const drain = 10 * time.Millisecond

// limits are those of one run. A time of 0 is limited only by the context.
type limits struct {
	wait  time.Duration // for a connection
	time  time.Duration
	value int  // bytes; 0: as many as the connection lets through
	once  bool // the statement is not kept prepared
}

// timeout returns how long the server lets a statement run; 0 means without limit.
func (l limits) timeout(ctx context.Context) time.Duration {
	if l.time > 0 {
		return l.time
	}
	if deadline, ok := ctx.Deadline(); ok {
		return max(time.Until(deadline), time.Millisecond)
	}
	return 0
}

// Run runs the statement with args bound to $1, $2, ... and calls yield for every row,
// which is a *Row, until yield returns false. The row may be used only until yield
// returns. Postgres reads a text as a value of the parameter's type, so a numeric keeps
// its digits. For a boolean, 0 and 1 are false and true.
//
// Run fails with ErrBusy when no connection becomes free in time, with
// context.DeadlineExceeded when the time for one run is over, and with the context's
// error when the context ends first. It fails with ErrTooLarge when a value is too
// large, with ErrUnavailable and ErrConflict, which Retry handles, with ErrComputation,
// with ErrSchema when the statement no longer matches the tables, and otherwise with
// the server's error. Run may call yield before it fails; the rows count only if Run
// returns nil.
func (s *Statement) Run(ctx context.Context, args []value.Value, yield func(engine.Row) bool) error {
	opts := s.db.server.opts
	if err := s.db.server.run(ctx, s, args, limits{wait: opts.Wait, time: opts.Time, value: opts.Value}, yield); err != nil {
		return fail("query", s.db.String(), err)
	}
	return nil
}

// run runs one statement. If an object that the statement depends on was replaced, run
// checks it again first.
func (p *server) run(ctx context.Context, s *Statement, args []value.Value, l limits, yield func(engine.Row) bool) error {
	err := p.runOnce(ctx, s, args, l, yield)
	if errors.Is(err, errReplaced) {
		if err = s.checkAgain(ctx, l); err == nil {
			err = p.runOnce(ctx, s, args, l, yield)
		}
	}
	return err
}

// runOnce runs one statement in one transaction. Except for the first run on a
// connection, it takes one round trip.
func (p *server) runOnce(ctx context.Context, s *Statement, args []value.Value, l limits, yield func(engine.Row) bool) error {
	values, err := s.encode(args)
	if err != nil {
		return err
	}
	c, err := p.acquire(ctx, s.db.schema, l.wait)
	if err != nil {
		return err
	}
	// The watch lasts until the transaction has ended, which is after Run has
	// returned when rows are left over.
	fire := c.watch.begin()
	inTime := func() bool { return true }
	if l.time > 0 {
		inTime = time.AfterFunc(l.time+grace, fire).Stop
	}
	left := context.AfterFunc(ctx, fire)
	t := &transaction{server: p, conn: c, limits: l, timeout: l.timeout(ctx), fire: fire}
	more := true // also if yield panics
	defer func() {
		if more {
			inTime()
			left()
			go t.discard()
		}
	}()
	if more, err = t.query(s, values, yield); more {
		return err
	}
	answered := inTime()
	left()
	t.end()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case !answered:
		return fmt.Errorf("%w: the server does not answer", context.DeadlineExceeded)
	}
	return err
}

// unwatched is the context of operations that the watch of the connection ends.
var unwatched = context.Background()

// transaction is the run of one statement.
type transaction struct {
	server  *server
	conn    *conn
	limits  limits
	timeout time.Duration             // of the server
	fire    func()                    // ends it early
	guard   *guard                    // of the statement, or nil
	results *pgconn.MultiResultReader // of what was sent last, or nil
}

// query sends the statement and hands over its rows. more is true if the caller stopped
// early, so that the transaction has not ended.
func (t *transaction) query(s *Statement, values [][]byte, yield func(engine.Row) bool) (more bool, err error) {
	b := &pgconn.Batch{}
	unnamed := t.conn.pooled || t.limits.once
	setup, err := t.server.open(unwatched, t.conn, b, s.db.schema, t.timeout)
	if err != nil {
		return false, t.lost(err)
	}
	t.guard = s.guard.Load()
	if t.guard != nil {
		setup++
		if err := t.conn.addGuard(unwatched, b, s, t.guard, unnamed); err != nil {
			return false, t.lost(err)
		}
	}
	description := t.conn.kept[s]
	if description == nil && !unnamed {
		if description, err = t.prepare(b, s); err != nil {
			return false, err
		}
		b, setup = &pgconn.Batch{}, 0
	}
	asks := unnamed || s.isDoubted() // the server to describe the rows again
	switch {
	case unnamed:
		b.ExecParams(s.sql, values, s.params, nil, nil)
	case asks:
		b.ExecPrepared(description.Name, values, nil, nil)
	default:
		b.ExecStatement(description, values, nil, nil)
	}
	t.conn.locks = t.guard != nil
	end := []string{rollback}
	if t.conn.locks {
		end = []string{unlock, rollback}
	}
	for _, sql := range end {
		if err := t.conn.add(unwatched, b, sql); err != nil {
			return false, t.lost(err)
		}
	}
	t.results = t.conn.pg.ExecBatch(unwatched, b)
	if err := skip(t.results, setup); err != nil {
		return false, t.lost(err)
	}
	if !t.results.NextResult() {
		if t.conn.pg.IsClosed() && !asks {
			s.doubts.Add(1)
		}
		return false, t.explain(t.results.Close())
	}
	rows := t.results.ResultReader()
	fields := rows.FieldDescriptions()
	if !asks {
		fields = description.Fields // there are none with no rows
	}
	if !s.fits(fields) {
		return true, fmt.Errorf("%w: its columns are others", ErrSchema)
	}
	row := Row{types: s.written}
	for rows.NextRow() {
		row.cells = rows.Values()
		for _, cell := range row.cells {
			if limit := t.limits.value; limit > 0 && len(cell) > limit {
				return true, fmt.Errorf("%w: a value has %d bytes, and %d are allowed", ErrTooLarge, len(cell), limit)
			}
		}
		if !yield(&row) {
			return true, nil
		}
	}
	if _, err := rows.Close(); err != nil {
		return false, t.explain(err)
	}
	if err := t.results.Close(); err != nil {
		return false, t.explain(err)
	}
	return false, nil
}

// prepare starts the transaction and prepares the statement in it, where names mean the
// same as in the run.
func (t *transaction) prepare(b *pgconn.Batch, s *Statement) (*pgconn.StatementDescription, error) {
	if err := t.conn.pg.ExecBatch(unwatched, b).Close(); err != nil {
		return nil, t.lost(err)
	}
	c := t.conn
	if len(c.order) >= t.server.opts.Statements {
		old := c.order[0]
		c.order = c.order[1:]
		if err := c.pg.Deallocate(unwatched, c.kept[old].Name); err != nil {
			return nil, t.explain(err)
		}
		delete(c.kept, old)
		if err := c.dropGuard(unwatched, old); err != nil {
			return nil, t.explain(err)
		}
	}
	description, err := c.pg.Prepare(unwatched, c.name(), s.sql, s.params)
	if err != nil {
		return nil, t.explain(err)
	}
	c.kept[s] = description
	c.order = append(c.order, s)
	return description, nil
}

// lost is explain for failures before the query, which did not cause them.
func (t *transaction) lost(err error) error {
	if t.guard.stopped(err) {
		t.conn.stale = true
		return errReplaced
	}
	err = t.explain(err)
	if !t.conn.watch.hasFired() && !errors.Is(err, ErrUnavailable) {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// explain reports that the tables have changed if a once valid statement fails for that
// reason. If this connection broke, it closes the other idle ones.
func (t *transaction) explain(err error) error {
	if isStale(err) {
		t.conn.stale = true
		return fmt.Errorf("%w: %w", ErrSchema, err)
	}
	err = explain(err)
	if isBroken(err) && !t.conn.watch.hasFired() {
		t.server.forget()
	}
	return err
}

// end gives the connection back.
func (t *transaction) end() {
	if t.results != nil {
		_ = t.results.Close() // reported already
	}
	t.conn.watch.end()
	t.server.release(t.conn)
}

// discard reads the rest of the rows. If that takes long, it cancels the statement.
func (t *transaction) discard() {
	timer := time.AfterFunc(drain, t.fire)
	defer timer.Stop()
	t.end()
}

// encode returns the texts of a statement's arguments.
func (s *Statement) encode(args []value.Value) ([][]byte, error) {
	if len(args) != len(s.params) {
		return nil, fmt.Errorf("the statement has %d parameters, and %d values were given", len(s.params), len(args))
	}
	values := make([][]byte, len(args))
	for i, v := range args {
		switch v.Kind() {
		case value.Null:
		case value.Integer:
			values[i] = strconv.AppendInt(nil, v.Int64(), 10)
		case value.Real:
			values[i] = strconv.AppendFloat(nil, v.Float64(), 'g', -1, 64)
		case value.Blob:
			values[i] = fmt.Appendf(nil, `\x%x`, v.Raw())
		default:
			values[i] = []byte(v.Raw())
		}
	}
	return values, nil
}

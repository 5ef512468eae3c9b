package sqlite

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/value"
)

// PoolOptions bound a Pool. A zero field means its default.
type PoolOptions struct {
	Connections int           // at most that many at once; default 4
	Statements  int           // kept prepared on each connection; default 64
	Wait        time.Duration // for a free connection; default 1 s
	Time        time.Duration // for one run of a statement; default 5 s
	Value       int           // bytes of one value or stored row; default Limits.Value
	AnswerValue int           // the same for Pooled.Answer, which goes up to it; default 256 MiB
}

// Pool runs the same few statements again and again. Each of its connections keeps them
// prepared. In mode Live each run reads one committed state, which it releases at its
// end; in the other modes all runs read the same state. A statement that reads external
// data runs several times, and its rows are those of the last run. It holds no
// connection while data are fetched. Statements run as they were written. Their rows
// are handed over one by one and not kept. Several goroutines may use a pool at once.
type Pool struct {
	db    *DB
	opts  PoolOptions
	slots *engine.Slots

	fetching *engine.Slots // for statements that read what is not in the file

	mu     sync.Mutex
	idle   []*session
	closed bool
}

// Statement is a SELECT that a pool has checked.
type Statement struct {
	sql     string
	columns []string
	params  int
	outside bool // whether it reads what is not in the file
	steps   int  // of SQLite's virtual machine that one run may take; 0 for any number
}

// Columns returns the names of the columns as SQLite gives them.
func (s *Statement) Columns() []string { return s.columns }

// NewPool returns a pool of connections to the database, which are opened when
// they are needed. Close it before the database.
func (d *DB) NewPool(opts PoolOptions) *Pool {
	opts = PoolOptions{
		Connections: cmp.Or(opts.Connections, 4),
		Statements:  cmp.Or(opts.Statements, 64),
		Wait:        cmp.Or(opts.Wait, time.Second),
		Time:        cmp.Or(opts.Time, 5*time.Second),
		Value:       cmp.Or(opts.Value, d.limits.Value),
		AnswerValue: cmp.Or(opts.AnswerValue, maxValue),
	}
	return &Pool{db: d, opts: opts, slots: engine.NewSlots(opts.Connections), fetching: engine.NewSlots(maxFetching)}
}

// Prepare checks that sql is one SELECT that the database can run. Errors are
// those of DB.Query.
func (p *Pool) Prepare(ctx context.Context, sql string) (*Statement, error) {
	if len(sql) > p.db.limits.SQL {
		return nil, p.db.tooLarge("the statement has more than %d bytes", p.db.limits.SQL)
	}
	text, err := single(sql)
	if err != nil {
		return nil, p.db.fail("prepare", err)
	}
	c, err := p.acquire(ctx, p.opts.Wait, true)
	if err != nil {
		return nil, p.db.fail("prepare", err)
	}
	defer p.release(c)
	s := &Statement{sql: text}
	compiled, err := c.prepare(s)
	if err != nil {
		return nil, p.db.fail("prepare", err)
	}
	s.outside = compiled.outside
	s.columns, s.params = c.columns(compiled.handle), c.params(compiled.handle)
	return s, nil
}

// Run runs a statement with args bound to ?1, ?2, ... and calls yield for every row
// until yield returns false. The row may be used only until yield returns.
//
// Run fails with ErrBusy when no connection becomes free in time, with
// context.DeadlineExceeded when the time for one run is over, with the context's error
// when the context ends first, and otherwise with SQLite's error. In mode Live it also
// fails with ErrLocked when another program does not end its write in time, with
// ErrChanged when the file changed during the read, which Retry handles, and with
// ErrSchema when the statement no longer matches the tables. Run may call yield before
// it fails.
func (p *Pool) Run(ctx context.Context, s *Statement, args []value.Value, yield func(*Row) bool) error {
	var err error
	if s.outside {
		err = p.runExternal(ctx, s, args, yield)
	} else {
		err = p.on(ctx, p.opts.Wait, func(c *session) error { return c.run(ctx, s, args, p.opts.Time, yield) })
	}
	if err != nil {
		return p.db.fail("query", err)
	}
	return nil
}

// on calls a function with a connection, for which it waits as engine.Slots.Take does.
// If the file has changed meanwhile, an error of the function is ErrChanged as well.
func (p *Pool) on(ctx context.Context, wait time.Duration, run func(*session) error) error {
	c, err := p.acquire(ctx, wait, false)
	if err != nil {
		return err
	}
	err = p.db.explainChange(c, run(c))
	if errors.Is(err, ErrChanged) {
		p.forget()
		c.close()
		p.slots.Give()
	} else {
		p.release(c)
	}
	return err
}

// acquire takes a connection, which release gives back. It checks a connection that
// reads without a lock only if look is set: such a connection is checked after each run
// anyway.
func (p *Pool) acquire(ctx context.Context, wait time.Duration, look bool) (*session, error) {
	if err := p.slots.Take(ctx, wait); err != nil {
		return nil, err
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		p.slots.Give()
		return nil, errors.New("the pool is closed")
	}
	// The connection used last has the warmest cache.
	for n := len(p.idle); n > 0; n = len(p.idle) {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		if c.unlocked && !look || p.db.isCurrent(c) {
			return c, nil
		}
		c.close()
		p.mu.Lock()
	}
	p.mu.Unlock()
	c, err := p.db.connect(p.opts.Statements)
	if err != nil {
		p.slots.Give()
		return nil, err
	}
	c.bound(p.opts.Value)
	return c, nil
}

func (p *Pool) release(c *session) {
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.idle = append(p.idle, c)
	}
	p.mu.Unlock()
	if closed {
		c.close()
	}
	p.slots.Give()
}

// Close closes the connections. Those in use are closed when they are given back.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.forget()
}

// forget closes the connections that are not in use.
func (p *Pool) forget() {
	p.mu.Lock()
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, c := range idle {
		c.close()
	}
}

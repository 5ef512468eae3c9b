package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// within calls f in a transaction with the settings of a schema. It waits for a
// connection as acquire does. The transaction leaves nothing behind.
func (p *server) within(ctx context.Context, schema string, wait time.Duration, f func(context.Context, *conn) error) error {
	c, err := p.acquire(ctx, schema, wait)
	if err != nil {
		return err
	}
	defer p.release(c) // ends the transaction
	limited, cancel := context.WithTimeout(ctx, p.opts.Time+grace)
	defer cancel()
	b := &pgconn.Batch{}
	if _, err := p.open(limited, c, b, schema, p.opts.Time); err != nil {
		return p.lost(ctx, err)
	}
	if err := c.pg.ExecBatch(limited, b).Close(); err != nil {
		return p.lost(ctx, err)
	}
	if err := f(limited, c); err != nil {
		return p.lost(ctx, err)
	}
	return nil
}

// lost adds a reason to an error. If a connection broke, it also closes the other idle
// ones.
func (p *server) lost(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	err = explain(err)
	if isBroken(err) {
		p.forget()
	}
	return err
}

// ask returns the rows of a query of this package, with "" for NULL.
func (p *server) ask(ctx context.Context, sql string, args ...string) (rows [][]string, err error) {
	err = p.within(ctx, "pg_catalog", p.opts.Wait, func(ctx context.Context, c *conn) error {
		rows, err = c.ask(ctx, sql, args...)
		return err
	})
	return rows, err
}

// ask is like the server's ask, within an open transaction.
func (c *conn) ask(ctx context.Context, sql string, args ...string) ([][]string, error) {
	values := make([][]byte, len(args))
	for i, a := range args {
		values[i] = []byte(a)
	}
	answer := c.pg.ExecParams(ctx, sql, values, nil, nil, nil).Read()
	if answer.Err != nil {
		return nil, answer.Err
	}
	rows := make([][]string, len(answer.Rows))
	for i, row := range answer.Rows {
		for _, cell := range row {
			rows[i] = append(rows[i], string(cell))
		}
	}
	return rows, nil
}

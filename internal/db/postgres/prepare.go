package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/jackc/pgx/v5/pgconn"
)

// Statement is a SELECT that a DB has checked.
type Statement struct {
	db      *DB
	sql     string
	columns []engine.Result
	written []*typ   // the types of the columns
	params  []uint32 // types, by their numbers in pg_type
	types   []string // the same by their names
	// doubts counts the connections that were lost when the first row was due. The row
	// may have been too large, which pgconn reports only for rows that the server
	// describes again. Each doubt makes one run ask for that description.
	doubts atomic.Int32
	// guard is the check before each run, or nil.
	guard atomic.Pointer[guard]
}

// isDoubted reports whether a run must ask for a description of its rows.
func (s *Statement) isDoubted() bool { return s.doubts.Load() > 0 && s.doubts.Add(-1) >= 0 }

// Columns describes the columns of the answer, with the names that Postgres gives them.
// A json or jsonb column has the type "".
func (s *Statement) Columns() []engine.Result { return s.columns }

// Params returns the types of $1, $2, ... as Postgres writes them.
func (s *Statement) Params() []string { return s.types }

// fits reports whether an answer has the columns that the statement had when it
// was prepared.
func (s *Statement) fits(fields []pgconn.FieldDescription) bool {
	if len(fields) != len(s.written) {
		return false
	}
	for i, f := range fields {
		if f.DataTypeOID != s.written[i].oid {
			return false
		}
	}
	return true
}

// isLike reports whether another statement has the same parameters and columns.
func (s *Statement) isLike(other *Statement) bool {
	return slices.Equal(s.params, other.params) && slices.EqualFunc(s.written, other.written, func(a, b *typ) bool { return a.oid == b.oid })
}

// Prepare checks that sql is one SELECT that the database can run and that only reads.
// It refuses INTO, FOR UPDATE and FOR SHARE, statements inside that write, and
// functions that are volatile or run SQL from a text. It checks the names, operators,
// views and domains as the server resolves them. It does not run the statement. Errors
// are ErrNotSelect, ErrManyStatements, ErrForbidden, ErrTooLarge, those of Run, and the
// server's own.
func (d *DB) Prepare(ctx context.Context, sql string) (engine.Statement, error) {
	s, err := d.prepare(ctx, sql, d.server.opts.Wait)
	if err != nil {
		return nil, fail("prepare", d.String(), err)
	}
	return s, nil
}

func (d *DB) prepare(ctx context.Context, sql string, wait time.Duration) (s *Statement, err error) {
	switch at := strings.IndexByte(sql, 0); {
	case len(sql) > d.server.opts.SQL:
		err = fmt.Errorf("%w: the statement has more than %d bytes", ErrTooLarge, d.server.opts.SQL)
	case at >= 0:
		err = fmt.Errorf("%w: it has a NUL byte at offset %d", ErrNotSelect, at)
	default:
		err = d.Retry(ctx, func() error {
			s, err = d.check(ctx, sql, wait)
			return err
		})
	}
	return s, err
}

// showTree makes the server report the tree of each statement that it analyses, with
// all names resolved and all views expanded
// (https://www.postgresql.org/docs/current/runtime-config-logging.html).
const showTree = `SELECT pg_catalog.set_config('debug_pretty_print', 'off', true), pg_catalog.set_config('client_min_messages', 'log', true), pg_catalog.set_config('debug_print_rewritten', 'on', true)`

// hideTree ends the effect of showTree.
const hideTree = `SELECT pg_catalog.set_config('debug_print_rewritten', 'off', true), pg_catalog.set_config('client_min_messages', 'warning', true)`

func (d *DB) check(ctx context.Context, sql string, wait time.Duration) (*Statement, error) {
	s := &Statement{db: d, sql: sql}
	err := d.server.within(ctx, d.schema, wait, func(ctx context.Context, c *conn) error {
		if err := c.pg.ExecParams(ctx, showTree, nil, nil, nil, nil).Read().Err; err != nil {
			return err
		}
		c.locks = true // the server reads literals by calling functions of their types
		var trees []string
		c.notice = func(n *pgconn.Notice) {
			if strings.HasPrefix(n.Message, treeTitle) {
				trees = append(trees, n.Detail)
			}
		}
		description, err := c.pg.Prepare(ctx, "", sql, nil)
		c.notice = nil
		if err != nil {
			return many(err)
		}
		if err := c.pg.ExecParams(ctx, hideTree, nil, nil, nil, nil).Read().Err; err != nil {
			return err
		}
		used, err := c.checkTrees(ctx, trees, description.ParamOIDs)
		if err != nil {
			return err
		}
		g, err := c.newGuard(ctx, used)
		if err != nil {
			return err
		}
		s.guard.Store(g)
		return d.server.describe(ctx, c, s, description)
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// many adds a reason to the server's refusal of several statements.
func many(err error) error {
	server := (*pgconn.PgError)(nil)
	if errors.As(err, &server) && server.Code == "42601" && strings.Contains(server.Message, "multiple commands") {
		return fmt.Errorf("%w: %w", ErrManyStatements, err)
	}
	return err
}

// describe fills in the types of columns and parameters.
func (p *server) describe(ctx context.Context, c *conn, s *Statement, d *pgconn.StatementDescription) error {
	oids := append([]uint32(nil), d.ParamOIDs...)
	for _, f := range d.Fields {
		oids = append(oids, f.DataTypeOID)
	}
	known, err := p.types.resolve(ctx, c, oids)
	if err != nil {
		return err
	}
	for _, f := range d.Fields {
		t := known[f.DataTypeOID]
		s.columns = append(s.columns, engine.Result{Name: f.Name, Type: t.written().form.json()})
		s.written = append(s.written, t)
	}
	s.params = d.ParamOIDs
	for _, oid := range d.ParamOIDs {
		s.types = append(s.types, known[oid].name)
	}
	return nil
}

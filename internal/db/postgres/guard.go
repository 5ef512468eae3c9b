package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// guard stops a statement if somebody has replaced a view, function, policy or CHECK
// that it depends on, so that the server would understand it differently than when it
// was checked. The guard runs before the statement in each transaction. If something
// has changed, it divides by zero, which ends the transaction. Statements that read
// tables by the server's own functions have no guard.
type guard struct{ sql string }

// firstOwn is the smallest number of a catalog object that was created after the server
// was installed (FirstNormalObjectId).
const firstOwn = 16384

// stateSQL hashes the catalog's rows of relations, functions, operators and domains. It
// is formatted with their numbers. The xmin of a row changes with each change of the
// row.
const stateSQL = `(SELECT md5(coalesce(string_agg(one, ' ' ORDER BY one), '')) FROM (
SELECT concat('c', oid, relname, ' ', relnamespace, relkind, relrowsecurity, relforcerowsecurity) FROM pg_catalog.pg_class WHERE oid = ANY ('%[1]s'::oid[])
UNION ALL SELECT concat('v', ev_class, ' ', xmin) FROM pg_catalog.pg_rewrite WHERE ev_class = ANY ('%[1]s'::oid[])
UNION ALL SELECT concat('p', polrelid, ' ', xmin) FROM pg_catalog.pg_policy WHERE polrelid = ANY ('%[1]s'::oid[])
UNION ALL SELECT concat('f', oid, ' ', xmin) FROM pg_catalog.pg_proc WHERE oid = ANY ('%[2]s'::oid[])
UNION ALL SELECT concat('o', oid, ' ', xmin) FROM pg_catalog.pg_operator WHERE oid = ANY ('%[3]s'::oid[])
UNION ALL SELECT concat('d', contypid, ' ', xmin) FROM pg_catalog.pg_constraint WHERE contypid = ANY ('%[4]s'::oid[])
) AS rows(one))`

// isMoreSQL finds a view, or a table with policies, among relations.
const isMoreSQL = `SELECT EXISTS (SELECT FROM pg_catalog.pg_class WHERE oid = ANY ($1::oid[]) AND (relkind = 'v' OR relrowsecurity))`

// divisionByZero is the server's code of that error.
const divisionByZero = "22012"

// errReplaced says that a guard has stopped a statement.
var errReplaced = errors.New("what the statement depends on was replaced")

// newGuard returns the guard of what a statement uses, or nil.
func (c *conn) newGuard(ctx context.Context, u *uses) (*guard, error) {
	relations, functions, operators, types := own(u.relations), own(u.functions), own(u.operators), own(u.types)
	if len(functions)+len(operators)+len(types) == 0 {
		if len(relations) == 0 {
			return nil, nil
		}
		rows, err := c.ask(ctx, isMoreSQL, array(relations))
		if err != nil || rows[0][0] != "t" {
			return nil, err
		}
	}
	state := fmt.Sprintf(stateSQL, array(relations), array(functions), array(operators), array(types))
	rows, err := c.ask(ctx, "SELECT "+state)
	if err != nil {
		return nil, err
	}
	return &guard{"SELECT 1 / (" + state + " = '" + rows[0][0] + "')::int"}, nil
}

// own returns the numbers of objects that are not the server's own.
func own(numbers []string) []string {
	var list []string
	for _, n := range numbers {
		if oid, err := strconv.ParseUint(n, 10, 32); err == nil && oid >= firstOwn {
			list = append(list, n)
		}
	}
	return list
}

// addGuard puts the guard of a statement into a batch. If unnamed is set, nothing of it
// is kept.
func (c *conn) addGuard(ctx context.Context, b *pgconn.Batch, s *Statement, g *guard, unnamed bool) error {
	if unnamed {
		b.ExecParams(g.sql, nil, nil, nil, nil)
		return nil
	}
	kept := c.guards[s]
	if kept.guard != g {
		if err := c.dropGuard(ctx, s); err != nil {
			return err
		}
		d, err := c.pg.Prepare(ctx, c.name(), g.sql, nil)
		if err != nil {
			return err
		}
		kept = keptGuard{g, d}
		c.guards[s] = kept
	}
	b.ExecStatement(kept.description, nil, nil, nil)
	return nil
}

// keptGuard is a guard that is prepared on a connection.
type keptGuard struct {
	guard       *guard
	description *pgconn.StatementDescription
}

// dropGuard forgets the guard of a statement.
func (c *conn) dropGuard(ctx context.Context, s *Statement) error {
	kept, found := c.guards[s]
	if !found {
		return nil
	}
	delete(c.guards, s)
	return c.pg.Deallocate(ctx, kept.description.Name)
}

// stopped reports whether the guard caused an error that occurred before the statement.
// Only the guard divides there.
func (g *guard) stopped(err error) bool {
	server := (*pgconn.PgError)(nil)
	return g != nil && errors.As(err, &server) && server.Code == divisionByZero
}

// checkAgain checks a statement that its guard has stopped, as Prepare does. It fails
// with ErrSchema if the statement has changed its meaning or does more than read now.
func (s *Statement) checkAgain(ctx context.Context, l limits) error {
	now, err := s.db.check(ctx, s.sql, l.wait)
	switch {
	case errors.Is(err, ErrForbidden), errors.Is(err, ErrNotSelect), isStale(err):
		return fmt.Errorf("%w: %w: %w", ErrSchema, errReplaced, err)
	case err != nil:
		return err
	case !s.isLike(now):
		return fmt.Errorf("%w: %w", ErrSchema, errReplaced)
	}
	s.guard.Store(now.guard.Load())
	return nil
}

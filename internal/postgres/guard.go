package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// guard stops a statement that the server would understand otherwise than when it
// was checked: somebody has replaced a view, a function, a policy or a CHECK that it
// depends on, or put another table under a name. It runs in each transaction before
// the statement, and fails if the catalog's rows about these objects are others.
type guard struct {
	relations, functions, operators, types string // arrays of numbers in the catalog
	state                                  string // a hash of the rows
	// effects is true if the statement runs code that is not the server's own, which
	// may do more than it is declared to.
	effects bool
}

// firstOwn is the first number in the catalog of what the server does not come with
// (FirstNormalObjectId).
const firstOwn = 16384

// stateSQL hashes what the catalog has of the relations $1, the functions $2, the
// operators $3 and the domains $4. A row's xmin is another one after each change.
const stateSQL = `(SELECT md5(coalesce(string_agg(one, ' ' ORDER BY one), '')) FROM (
SELECT concat('c', oid, relname, ' ', relnamespace, relkind, relrowsecurity, relforcerowsecurity) FROM pg_catalog.pg_class WHERE oid = ANY ($1::oid[])
UNION ALL SELECT concat('v', ev_class, ' ', xmin) FROM pg_catalog.pg_rewrite WHERE ev_class = ANY ($1::oid[])
UNION ALL SELECT concat('p', polrelid, ' ', xmin) FROM pg_catalog.pg_policy WHERE polrelid = ANY ($1::oid[])
UNION ALL SELECT concat('f', oid, ' ', xmin) FROM pg_catalog.pg_proc WHERE oid = ANY ($2::oid[])
UNION ALL SELECT concat('o', oid, ' ', xmin) FROM pg_catalog.pg_operator WHERE oid = ANY ($3::oid[])
UNION ALL SELECT concat('d', contypid, ' ', xmin) FROM pg_catalog.pg_constraint WHERE contypid = ANY ($4::oid[])
) AS rows(one))`

// guardSQL divides by zero if the state is not $5, which ends the transaction before
// the statement runs.
const guardSQL = `SELECT 1 / (` + stateSQL + ` = $5)::int`

// divisionByZero is the code of that error.
const divisionByZero = "22012"

// errReplaced says that a guard has stopped a statement.
var errReplaced = errors.New("what the statement depends on was replaced")

// newGuard returns the guard of what a statement uses, or nil if that is the
// server's own.
func (c *conn) newGuard(ctx context.Context, u *uses) (*guard, error) {
	functions, operators, types := own(u.functions), own(u.operators), own(u.types)
	g := &guard{relations: array(own(u.relations)), functions: array(functions), operators: array(operators), types: array(types)}
	if g.relations == "{}" && len(functions)+len(operators)+len(types) == 0 {
		return nil, nil
	}
	rows, err := c.ask(ctx, "SELECT "+stateSQL+", EXISTS (SELECT FROM pg_catalog.pg_class WHERE oid = ANY ($1::oid[]) AND (relkind = 'v' OR relrowsecurity))",
		g.relations, g.functions, g.operators, g.types)
	if err != nil {
		return nil, err
	}
	g.state = rows[0][0]
	g.effects = len(functions)+len(operators)+len(types) > 0 || rows[0][1] == "t"
	return g, nil
}

// own returns the numbers that are not of the server's own objects.
func own(numbers []string) []string {
	var list []string
	for _, n := range numbers {
		if oid, err := strconv.ParseUint(n, 10, 32); err == nil && oid >= firstOwn {
			list = append(list, n)
		}
	}
	return list
}

// add puts the guard into a batch.
func (g *guard) add(ctx context.Context, c *conn, b *pgconn.Batch) error {
	values := [][]byte{[]byte(g.relations), []byte(g.functions), []byte(g.operators), []byte(g.types), []byte(g.state)}
	if c.pooled {
		b.ExecParams(guardSQL, values, nil, nil, nil)
		return nil
	}
	s, err := c.part(ctx, guardSQL)
	if err == nil {
		b.ExecStatement(s, values, nil, nil)
	}
	return err
}

// stopped says of an error before the statement whether the guard made it: nothing
// else there divides.
func (g *guard) stopped(err error) bool {
	server := (*pgconn.PgError)(nil)
	return g != nil && errors.As(err, &server) && server.Code == divisionByZero
}

// checkAgain checks a statement that its guard has stopped, as Prepare does. It fails
// with ErrSchema if the statement is another one now, or does more than read.
func (s *Statement) checkAgain(ctx context.Context, l limits) error {
	now, err := s.db.check(ctx, s.sql, l.wait)
	switch {
	case errors.Is(err, ErrForbidden), errors.Is(err, ErrNotSelect), isStale(err):
		return fmt.Errorf("%w: %v: %w", ErrSchema, errReplaced, err)
	case err != nil:
		return err
	case !s.isLike(now):
		return fmt.Errorf("%w: %w", ErrSchema, errReplaced)
	}
	s.guard.Store(now.guard.Load())
	return nil
}

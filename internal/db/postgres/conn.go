package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// begin starts the transaction of each statement. It overrides other defaults of the
// role or the server for the isolation level and for writing.
const (
	begin         = "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY"
	beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
	// rollback keeps nothing of a transaction, not even a setting that a function has
	// changed for the session.
	rollback = "ROLLBACK"
	// unlock gives up the locks that outlast a transaction.
	unlock = "SELECT pg_catalog.pg_advisory_unlock_all()"
)

// setTimeout sets the milliseconds for one statement of the transaction.
const setTimeout = "SET LOCAL statement_timeout = "

// setPath sets the schemas in which names are looked up, for the session or for
// the transaction.
const setPath = `SELECT pg_catalog.set_config('search_path', $1, $2)`

// fixed are the settings that never change: how values are written, and the time zone.
// They override the settings of the role or the server. A connection of our own has
// them from its start; behind a pooler, each transaction sets them.
var fixed = [][2]string{{"TimeZone", "UTC"}, {"DateStyle", "ISO, MDY"}, {"IntervalStyle", "postgres"}, {"extra_float_digits", "1"}, {"bytea_output", "hex"}}

// repeatable are further settings, under which a statement computes the same result
// each time: no racing parallel workers, no scan that joins a running one, and no plan
// made for other values.
var repeatable = [][2]string{{"max_parallel_workers_per_gather", "0"}, {"synchronize_seqscans", "off"}, {"plan_cache_mode", "force_custom_plan"}}

// fixedSettings returns the settings that the options require.
func (o Options) fixedSettings() [][2]string {
	if o.Snapshot {
		return slices.Concat(fixed, repeatable)
	}
	return fixed
}

// setAll returns the settings as a list of expressions.
func setAll(list [][2]string, local bool) string {
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "pg_catalog.set_config('%s', '%s', %v)", s[0], s[1], local)
	}
	return b.String()
}

// conn is one connection.
type conn struct {
	pg *pgconn.PgConn
	// pooled is true if a pooler is in between, which may give each transaction another
	// connection. Then no statement is kept by its name.
	pooled bool
	schema string               // in which the session looks names up, or ""; not used if it is pooled
	notice func(*pgconn.Notice) // handles the server's messages, or nil
	watch  *watch               // of the run of a statement

	parts  map[string]*pgconn.StatementDescription // the statements around the query of each transaction
	kept   map[*Statement]*pgconn.StatementDescription
	order  []*Statement // of kept, the oldest first
	guards map[*Statement]keptGuard
	made   int  // statements so far, for their names
	stale  bool // the kept statements no longer match the tables
	locks  bool // code other than the server's own ran, and may have left locks

	snapshot string // the name of the exported snapshot that is read, or ""
}

// connect opens a connection and detects whether a pooler is in between: then the
// answering process has another number than the one given at the start.
func (p *server) connect(ctx context.Context) (*conn, error) {
	c := &conn{parts: map[string]*pgconn.StatementDescription{}, kept: map[*Statement]*pgconn.StatementDescription{}, guards: map[*Statement]keptGuard{}}
	config := p.config.Copy()
	config.MaxProtocolMessageBodyLen = max(p.opts.Value+p.opts.Value/4, minMessage)
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
		if c.notice != nil {
			c.notice(n)
		}
	}
	pg, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	c.pg, c.watch = pg, newWatch(pg)
	answer := pg.ExecParams(ctx, "SELECT pg_catalog.pg_backend_pid()", nil, nil, nil, nil).Read()
	if answer.Err != nil {
		c.close()
		return nil, answer.Err
	}
	c.pooled = p.unnamed || len(answer.Rows) != 1 || string(answer.Rows[0][0]) != strconv.Itoa(int(pg.PID()))
	if c.pooled {
		return c, nil
	}
	settings := append(p.opts.fixedSettings(), [2]string{"statement_timeout", milliseconds(p.opts.Time)})
	if _, err := c.ask(ctx, "SELECT "+setAll(settings, false)); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// minMessage is the smallest limit for one message of the server. The tree of a
// statement is such a message.
const minMessage = 16 << 20

// close ends the connection without waiting for the server.
func (c *conn) close() {
	ctx, cancel := context.WithTimeout(context.Background(), cancelWait)
	defer cancel()
	_ = c.pg.Close(ctx) // it is closed in any case
}

// isUsable reports whether the connection is in the state before a transaction. It
// first ends a transaction that failed.
func (c *conn) isUsable() bool {
	if c.stale || c.pg.IsClosed() || c.pg.IsBusy() {
		return false
	}
	const idle = 'I'
	if c.pg.TxStatus() == idle {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), cancelWait)
	defer cancel()
	end := rollback
	if c.locks {
		end += "; " + unlock
	}
	c.locks = false
	return c.pg.Exec(ctx, end).Close() == nil && c.pg.TxStatus() == idle
}

// add puts one of the fixed statements into a batch.
func (c *conn) add(ctx context.Context, b *pgconn.Batch, sql string) error {
	if c.pooled {
		b.ExecParams(sql, nil, nil, nil, nil)
		return nil
	}
	s := c.parts[sql]
	if s == nil {
		var err error
		if s, err = c.pg.Prepare(ctx, c.name(), sql, nil); err != nil {
			return err
		}
		if len(s.Fields) == 0 {
			// Without a field, pgconn would ask each time whether there are rows.
			s.Fields = make([]pgconn.FieldDescription, 1)
		}
		c.parts[sql] = s
	}
	b.ExecStatement(s, nil, nil, nil)
	return nil
}

// name returns a new name for a statement. No other connection uses the same name, so a
// connection that is shared after all fails rather than run another statement.
func (c *conn) name() string {
	c.made++
	return fmt.Sprintf("birdcall_%d_%d", c.pg.PID(), c.made)
}

// open puts the start of a transaction into a batch, and returns the number of
// statements that it added. Its statements have no time limit if limit is 0.
func (p *server) open(ctx context.Context, c *conn, b *pgconn.Batch, schema string, limit time.Duration) (int, error) {
	if !c.pooled && c.schema != schema {
		// It is set outside of the transaction, so that the rollback keeps it.
		if _, err := c.ask(ctx, setPath, path(schema), "false"); err != nil {
			return 0, err
		}
		c.schema = schema
	}
	count, start := 1, begin
	if p.opts.Snapshot {
		start = beginSnapshot
	}
	err := c.add(ctx, b, start)
	if err == nil && c.snapshot != "" {
		count++
		err = c.add(ctx, b, "SET TRANSACTION SNAPSHOT '"+c.snapshot+"'")
	}
	switch {
	case err != nil:
	case limit != p.opts.Time, c.pooled: // not worth preparing
		count++
		b.ExecParams(setTimeout+milliseconds(limit), nil, nil, nil, nil)
	}
	if c.pooled {
		count++
		b.ExecParams(setPath+", "+setAll(p.opts.fixedSettings(), true), [][]byte{[]byte(path(schema)), []byte("true")}, nil, nil, nil)
	}
	return count, err
}

// milliseconds writes a time limit for the server; 0 means no limit.
func milliseconds(limit time.Duration) string {
	return strconv.FormatInt(int64((limit+time.Millisecond-1)/time.Millisecond), 10)
}

// path returns the search path for a schema. Built-in functions come first, so that no
// user's function of the same name replaces them. Temporary tables come last.
func path(schema string) string {
	return "pg_catalog, " + Quote(schema) + ", pg_temp"
}

// skip reads the answers to count statements of a batch.
func skip(results *pgconn.MultiResultReader, count int) error {
	for range count {
		if !results.NextResult() {
			return results.Close()
		}
		if _, err := results.ResultReader().Close(); err != nil {
			return err
		}
	}
	return nil
}

// Quote returns name as a quoted identifier.
func Quote(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

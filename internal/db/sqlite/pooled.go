package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/value"
)

// Pooled is a database whose prepared statements run in a pool. It implements
// engine.Database.
type Pooled struct {
	*DB
	pool *Pool
}

var _ engine.Database = (*Pooled)(nil)

// Pooled returns the database with a pool for its prepared statements. Closing it
// closes both.
func (d *DB) Pooled(opts PoolOptions) *Pooled { return &Pooled{d, d.NewPool(opts)} }

// Dialect is engine.SQLite.
func (p *Pooled) Dialect() *engine.Dialect { return engine.SQLite }

// Close closes the pool and the database.
func (p *Pooled) Close() error {
	p.pool.Close()
	return p.DB.Close()
}

// CloseIdle closes the connections that are not in use, with what they keep of the
// database and of statements. Others are opened when they are needed.
func (p *Pooled) CloseIdle() {
	p.pool.forget()
	p.DB.pool.forget()
}

// Retry runs f, and once or twice more when it fails with ErrChanged.
func (p *Pooled) Retry(_ context.Context, f func() error) error { return Retry(f) }

// Prepare checks that sql is one SELECT that the database can run.
func (p *Pooled) Prepare(ctx context.Context, sql string) (engine.Statement, error) {
	s, err := p.pool.Prepare(ctx, sql)
	if err != nil {
		return nil, err
	}
	return pooled{s, p.pool}, nil
}

// pooled is a statement that runs in a pool.
type pooled struct {
	*Statement
	pool *Pool
}

// Columns returns the names of the columns. Their types are not known before the
// statement runs (https://www.sqlite.org/datatype3.html, section 2).
func (s pooled) Columns() []engine.Result {
	list := make([]engine.Result, len(s.columns))
	for i, name := range s.columns {
		list[i].Name = name
	}
	return list
}

// Run runs the statement as Pool.Run does.
func (s pooled) Run(ctx context.Context, args []value.Value, yield func(engine.Row) bool) error {
	return s.pool.Run(ctx, s.Statement, args, func(r *Row) bool { return yield(r) })
}

// Answer runs one SELECT. If a value exceeds the database's limit, Answer runs the
// statement again with twice the limit. It stops when the answer is complete or the
// limit has reached the pool's AnswerValue.
func (p *Pooled) Answer(ctx context.Context, sql string) (*engine.Answer, error) {
	size := p.limits.Value
	result, err := p.Query(ctx, sql)
	for maxSize := p.pool.opts.AnswerValue; errors.Is(err, ErrTooLarge) && size < maxSize; {
		size = min(2*size, maxSize)
		pool := p.NewPool(PoolOptions{Connections: 1, Statements: 1, Time: patience, Value: size})
		result, err = pool.Query(ctx, sql)
		pool.Close()
	}
	if err != nil {
		return nil, err
	}
	return &engine.Answer{Columns: result.Columns, Rows: result.Rows, Value: size}, nil
}

// maxOfView is how many steps of SQLite's virtual machine a scan of a view may take:
// its SELECT may never end. Unlike time, steps are the same on every computer.
const maxOfView = 50_000_000

// stepsFor returns how many steps a statement about a table or view may take, 0 for
// any number.
func (p *Pooled) stepsFor(ctx context.Context, table string) (int, error) {
	answer, err := p.Query(ctx, "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE", value.Str(table))
	if err != nil || len(answer.Rows) == 0 {
		return 0, err
	}
	return maxOfView, nil
}

// Kinds reads the table once for each hundred columns. It does not read external data.
// It fails with ErrTooLarge for a view that computes for too long.
func (p *Pooled) Kinds(ctx context.Context, table string, columns []string) ([][]value.Kind, error) {
	if at := p.externalTable(table); at >= 0 {
		out := make([][]value.Kind, len(columns))
		for i, name := range columns {
			out[i] = p.external.Kinds(at, p.external.Tables()[at].Place(name))
		}
		return out, nil
	}
	kinds := map[string]value.Kind{"integer": value.Integer, "real": value.Real, "text": value.Text, "blob": value.Blob}
	const atOnce = 100 // well below SQLite's limit on columns
	steps, err := p.stepsFor(ctx, table)
	if err != nil {
		return nil, err
	}
	var out [][]value.Kind
	for part := range slices.Chunk(columns, atOnce) {
		var list []string
		for _, name := range part {
			list = append(list, "group_concat(DISTINCT typeof("+Quote(name)+"))")
		}
		answer, err := p.DB.pool.queryWithin(ctx, steps, "SELECT "+strings.Join(list, ", ")+" FROM "+Quote(table))
		if err != nil {
			return nil, err
		}
		for i := range part {
			found := []value.Kind{}
			for kind := range strings.SplitSeq(answer.Rows[0][i].Raw(), ",") {
				if k, ok := kinds[kind]; ok {
					found = append(found, k)
				}
			}
			slices.Sort(found)
			out = append(out, found)
		}
	}
	return out, nil
}

// Distinct reads the table until it has found more than maxValues values. It does not read
// external data. It fails with ErrTooLarge for a view that computes for too long.
func (p *Pooled) Distinct(ctx context.Context, table, column string, maxValues int) ([]value.Value, error) {
	if at := p.externalTable(table); at >= 0 {
		values := p.external.Values(at, p.external.Tables()[at].Place(column))
		if len(values) > maxValues {
			return nil, nil
		}
		return values, nil
	}
	steps, err := p.stepsFor(ctx, table)
	if err != nil {
		return nil, err
	}
	name := Quote(column)
	answer, err := p.DB.pool.queryWithin(ctx, steps, fmt.Sprintf("SELECT DISTINCT %s FROM %s WHERE %s IS NOT NULL LIMIT %d", name, Quote(table), name, maxValues+1))
	if err != nil || len(answer.Rows) > maxValues {
		return nil, err
	}
	values := make([]value.Value, len(answer.Rows))
	for i, row := range answer.Rows {
		values[i] = row[0]
	}
	slices.SortFunc(values, func(a, b value.Value) int {
		return cmp.Or(value.Compare(a, b, value.Binary), int(a.Kind())-int(b.Kind()))
	})
	return values, nil
}

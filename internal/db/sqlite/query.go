package sqlite

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/birdcall/birdcall/internal/db/budget"
	"github.com/birdcall/birdcall/pkg/value"
)

// Result is the answer to a query.
type Result struct {
	Columns []string        // names as SQLite gives them
	Rows    [][]value.Value // one slice of len(Columns) values per row
}

// Query runs one SELECT, with args bound to its parameters in order, and
// returns all rows. Text comes back byte for byte as stored, also from columns
// declared DATE or DATETIME and also when it is not UTF-8.
//
// Query fails with ErrNotSelect, ErrManyStatements or ErrForbidden for anything but one
// SELECT, and with ErrTooLarge when a limit is exceeded. It fails with the context's
// error when the context ends first, with budget.ErrSpent when the context's budget
// cannot pay for the rows, and otherwise with SQLite's error.
func (d *DB) Query(ctx context.Context, sql string, args ...value.Value) (*Result, error) {
	return d.pool.Query(ctx, sql, args...)
}

// virtual matches SQLite's text before the name of an external table in a plan.
var virtual = regexp.MustCompile(` VIRTUAL TABLE INDEX \d+:`)

// Explain returns SQLite's plan for a SELECT, a line for each step
// (https://www.sqlite.org/eqp.html). Errors are those of Query.
func (d *DB) Explain(ctx context.Context, sql string) ([]string, error) {
	if _, err := d.Prepare(ctx, sql); err != nil {
		return nil, err
	}
	text, err := single(sql)
	if err != nil {
		return nil, d.fail("prepare", err)
	}
	s := &Statement{sql: "EXPLAIN QUERY PLAN " + text, columns: []string{"id", "parent", "notused", "detail"}}
	depth := map[int64]int{}
	var lines []string
	err = d.pool.Run(ctx, s, nil, func(r *Row) bool {
		depth[r.Int64(0)] = depth[r.Int64(1)] + 1
		line := virtual.ReplaceAllString(string(r.Raw(3)), ": ")
		lines = append(lines, strings.Repeat("  ", depth[r.Int64(1)])+line)
		return true
	})
	return lines, err
}

// Prepare checks a statement and names its columns without running it. Errors are
// those of Query.
func (d *DB) Prepare(ctx context.Context, sql string) (*Statement, error) {
	return d.pool.Prepare(ctx, sql)
}

// Query does what DB.Query does on a connection of the pool.
func (p *Pool) Query(ctx context.Context, sql string, args ...value.Value) (*Result, error) {
	return p.queryWithin(ctx, 0, sql, args...)
}

// queryWithin is like Query, but fails with ErrTooLarge after steps steps of SQLite's
// virtual machine. 0 means no limit.
func (p *Pool) queryWithin(ctx context.Context, steps int, sql string, args ...value.Value) (result *Result, err error) {
	err = Retry(func() error {
		result, err = p.query(ctx, steps, sql, args)
		return err
	})
	return result, err
}

func (p *Pool) query(ctx context.Context, steps int, sql string, args []value.Value) (*Result, error) {
	limits := p.db.limits
	result := &Result{}
	var size int64
	question := budget.Of(ctx)
	keep := func(row []value.Value) error {
		if len(result.Rows) == limits.Rows {
			return p.db.tooLarge("the answer has more than %d rows", limits.Rows)
		}
		more := rowSize(row)
		if size += more; size > limits.Bytes {
			return p.db.tooLarge("the answer has more than %d bytes", limits.Bytes)
		}
		if err := question.Spend(more); err != nil {
			size -= more
			return err
		}
		result.Rows = append(result.Rows, append([]value.Value(nil), row...))
		return nil
	}
	s, err := p.Prepare(ctx, sql)
	if err != nil {
		question.Return(size)
		return nil, err
	}
	s.steps = steps
	if err := p.scan(ctx, s, args, keep); err != nil {
		return nil, err
	}
	result.Columns = s.Columns()
	return result, nil
}

// Each runs one SELECT as Query does and calls yield for every row. The slice is reused
// for the next row. Limits.Rows and Limits.Bytes do not apply. An error of yield ends
// the query and is returned unchanged. In mode Live, Each can fail with ErrChanged
// after some rows.
func (d *DB) Each(ctx context.Context, sql string, yield func(row []value.Value) error) error {
	s, err := d.pool.Prepare(ctx, sql)
	if err != nil {
		return err
	}
	return d.pool.scan(ctx, s, nil, yield)
}

// Columns reads the named columns of a table in one scan, in rowid order (in
// primary key order for a table without rowid, in the order of its SELECT for
// a view), and calls yield for every row. The slice is reused. No names still
// yields once per row, with an empty slice. An error of yield ends the scan
// and is returned as it is.
func (d *DB) Columns(ctx context.Context, table string, names []string, yield func(row []value.Value) error) error {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = Quote(table) + "." + Quote(name)
	}
	read := yield
	if len(names) == 0 {
		list = []string{"1"}
		read = func([]value.Value) error { return yield(nil) }
	}
	// NOT INDEXED keeps SQLite from scanning a covering index instead, whose
	// order is another one.
	sql := "SELECT " + strings.Join(list, ",") + " FROM " + Quote(table) + " NOT INDEXED"
	return d.Each(ctx, sql, read)
}

// scan runs a statement and calls yield for every row. An error of yield ends
// it and is returned as it is.
func (p *Pool) scan(ctx context.Context, s *Statement, args []value.Value, yield func([]value.Value) error) error {
	row := make([]value.Value, len(s.columns))
	var stopped error
	err := p.Run(ctx, s, args, func(r *Row) bool {
		for i := range row {
			row[i] = r.Value(i)
		}
		stopped = yield(row)
		return stopped == nil
	})
	if stopped != nil {
		return stopped
	}
	return err
}

// rowSize estimates the memory of a row in bytes.
func rowSize(row []value.Value) int64 {
	const header = 24 // of a slice
	size := int64(header)
	for _, v := range row {
		const cell = 32 // of a Value
		size += cell + int64(len(v.Raw()))
	}
	return size
}

func (d *DB) tooLarge(format string, bound any) error {
	return &Error{
		Op: "query", Database: d.at.String(), Hint: "ask for less",
		Err: fmt.Errorf("%w: "+format, ErrTooLarge, bound),
	}
}

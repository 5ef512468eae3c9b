package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/birdcall/birdcall/pkg/value"
	modernc "modernc.org/sqlite"
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
// It fails with ErrNotSelect, ErrManyStatements or ErrForbidden for anything
// but one SELECT, with ErrTooLarge when a limit is exceeded, with the
// context's error when that ends first, and with SQLite's error otherwise.
func (d *DB) Query(ctx context.Context, sql string, args ...value.Value) (*Result, error) {
	result := &Result{}
	var size int64
	keep := func(row []value.Value) error {
		if len(result.Rows) == d.limits.Rows {
			return d.tooLarge("the answer has more than %d rows", d.limits.Rows)
		}
		size += rowSize(row)
		if size > d.limits.Bytes {
			return d.tooLarge("the answer has more than %d bytes", d.limits.Bytes)
		}
		result.Rows = append(result.Rows, append([]value.Value(nil), row...))
		return nil
	}
	columns, err := d.each(ctx, sql, args, keep)
	if err != nil {
		return nil, err
	}
	result.Columns = columns
	return result, nil
}

// Each runs one SELECT as Query does and calls yield for every row. The slice
// is reused for the next row. Limits.Rows and Limits.Bytes do not apply. An
// error of yield ends the query and is returned as it is.
func (d *DB) Each(ctx context.Context, sql string, yield func(row []value.Value) error) error {
	_, err := d.each(ctx, sql, nil, yield)
	return err
}

// Columns reads the named columns of a table in one scan, in rowid order (in
// primary key order for a table without rowid, in the order of its SELECT for
// a view), and calls yield for every row. The slice is reused. No names still
// yields once per row, with an empty slice. An error of yield ends the scan
// and is returned as it is.
func (d *DB) Columns(ctx context.Context, table string, names []string, yield func(row []value.Value) error) error {
	list := make([]string, len(names))
	for i, name := range names {
		// The unary plus drops the declared type: see exact.
		list[i] = "+" + Quote(table) + "." + Quote(name)
	}
	read := yield
	if len(names) == 0 {
		list = []string{"1"}
		read = func([]value.Value) error { return yield(nil) }
	}
	// NOT INDEXED keeps SQLite from scanning a covering index instead, whose
	// order is another one.
	sql := "SELECT " + strings.Join(list, ",") + " FROM " + Quote(table) + " NOT INDEXED"
	return d.run(ctx, "scan", func(conn connection) error {
		return scan(ctx, conn, sql, nil, len(list), read)
	})
}

// each checks and runs sql, and returns its column names.
func (d *DB) each(ctx context.Context, sql string, args []value.Value, yield func(row []value.Value) error) (columns []string, err error) {
	err = d.run(ctx, "query", func(conn connection) error {
		if len(sql) > d.limits.SQL {
			return d.tooLarge("the statement has more than %d bytes", d.limits.SQL)
		}
		text, err := single(sql)
		if err != nil {
			return err
		}
		info, err := conn.ColumnInfo(text)
		if err != nil {
			return err
		}
		for _, column := range info {
			columns = append(columns, column.Name)
		}
		return scan(ctx, conn, exact(text, len(info)), bind(args), len(info), yield)
	})
	return columns, err
}

// connection is what this package uses of the driver's connection. Using it
// directly saves database/sql's conversions.
type connection interface {
	driver.QueryerContext
	ColumnInfo(query string) ([]modernc.ColumnInfo, error)
}

// run calls f with a guarded connection and wraps its error, but for one that
// came from the caller's own function.
func (d *DB) run(ctx context.Context, op string, f func(connection) error) error {
	conn, err := d.acquire(ctx)
	if err != nil {
		return d.fail(op, err)
	}
	defer conn.Close()
	err = conn.Raw(func(dc any) error {
		c, ok := dc.(connection)
		if !ok {
			return fmt.Errorf("the SQLite driver (%T) lacks a direct query", dc)
		}
		return f(c)
	})
	if own := (*callerError)(nil); errors.As(err, &own) {
		return own.err
	}
	if err != nil {
		return d.fail(op, err)
	}
	return nil
}

// callerError carries an error of a caller's function out unchanged.
type callerError struct{ err error }

func (e *callerError) Error() string { return e.err.Error() }

// scan runs sql, which gives n columns, and calls yield for every row.
func scan(ctx context.Context, conn connection, sql string, args []driver.NamedValue, n int, yield func([]value.Value) error) error {
	rows, err := conn.QueryContext(ctx, sql, args)
	if err != nil {
		return err
	}
	defer rows.Close()
	raw := make([]driver.Value, n)
	row := make([]value.Value, n)
	for i := 0; ; i++ {
		if i%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if err := rows.Next(raw); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		for j, v := range raw {
			if row[j], err = fromDriver(v); err != nil {
				return err
			}
		}
		if err := yield(row); err != nil {
			return &callerError{err}
		}
	}
}

// fromDriver converts what the driver returns for a cell.
func fromDriver(v driver.Value) (value.Value, error) {
	switch v := v.(type) {
	case nil:
		return value.NullValue(), nil
	case int64:
		return value.Int(v), nil
	case float64:
		return value.Float(v), nil
	case string:
		return value.Str(v), nil
	case []byte:
		return value.Bytes(string(v)), nil
	}
	return value.Value{}, fmt.Errorf("the SQLite driver returned a %T", v)
}

// bind converts arguments to what the driver binds.
func bind(args []value.Value) []driver.NamedValue {
	bound := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		bound[i].Ordinal = i + 1
		switch arg.Kind() {
		case value.Integer:
			bound[i].Value = arg.Int64()
		case value.Real:
			bound[i].Value = arg.Float64()
		case value.Text:
			bound[i].Value = arg.Raw()
		case value.Blob:
			bound[i].Value = []byte(arg.Raw())
		}
	}
	return bound
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
		Op: "query", Database: d.at.String(), Hint: "ask for less, or raise the limit",
		Err: fmt.Errorf("%w: "+format, ErrTooLarge, bound),
	}
}

package mixed

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"modernc.org/sqlite"

	"github.com/birdcall/birdcall/internal/federation/scalars"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// The functions, in every connection of database/sql.
func init() {
	for _, f := range scalars.Functions() {
		sqlite.MustRegisterDeterministicScalarFunction(f.Name, int32(len(f.Args)), func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			values := make([]value.Value, len(args))
			for i, a := range args {
				values[i] = ofDriver(a)
			}
			v, err := f.Call(values...)
			return toDriver(v), err
		})
	}
}

func ofDriver(v any) value.Value {
	switch v := v.(type) {
	case int64:
		return value.Int(v)
	case float64:
		return value.Float(v)
	case string:
		return value.Str(v)
	case []byte:
		return value.Bytes(string(v))
	}
	return value.NullValue()
}

func toDriver(v value.Value) any {
	switch v.Kind() {
	case value.Integer:
		return v.Int64()
	case value.Real:
		return v.Float64()
	case value.Text:
		return v.Raw()
	}
	return nil
}

// runner runs both forms on a database, whose functions are in SQLite itself and, for
// the join form, temporary tables with all arguments there are.
type runner struct{ conn *sql.Conn }

func newRunner(t *testing.T, path string) *runner {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &runner{conn}
}

// rows runs a statement, and returns its rows as sorted texts.
func (r *runner) rows(ctx context.Context, query string) ([]string, error) {
	list, err := r.values(ctx, query)
	out := make([]string, len(list))
	for i, row := range list {
		out[i] = fmt.Sprintf("%#v", row)
	}
	slices.Sort(out)
	return out, err
}

func (r *runner) values(ctx context.Context, query string) (out [][]any, err error) {
	rows, err := r.conn.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		row, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			to[i] = &row[i]
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// joined runs the join form. The arguments are those of the column, or only those in
// the rows of the question's SQL if some is true.
func (r *runner) joined(ctx context.Context, d *Database, q *bird.Question, a Augmented, some bool) ([]string, error) {
	table, column, _ := strings.Cut(a.Column, ".")
	arguments := fmt.Sprintf("SELECT DISTINCT %s FROM %s", identifier(column), identifier(table))
	if s, _ := read(q.SQL, d.schema); some {
		for _, src := range s.arm.Sources {
			if src.Table != nil && src.Table.Name == table {
				arguments = s.rows([]string{identifier(src.Name) + "." + identifier(column)})
			}
		}
	}
	list, err := r.values(ctx, arguments)
	if err != nil {
		return nil, err
	}
	seen := map[value.Value]bool{}
	for _, row := range list {
		seen[ofDriver(row[0])] = true
	}
	for _, l := range a.links {
		defer r.conn.ExecContext(context.Background(), "DROP TABLE IF EXISTS temp."+l.function.Name)
		if seen, err = r.fill(ctx, l, seen); err != nil {
			return nil, err
		}
	}
	return r.rows(ctx, a.JoinSQL)
}

// fill makes the table of a function for some arguments, and returns its results.
func (r *runner) fill(ctx context.Context, l link, arguments map[value.Value]bool) (map[value.Value]bool, error) {
	types := map[scalars.Type]string{scalars.Text: "TEXT", scalars.Number: "NUMERIC", scalars.Boolean: "BOOLEAN", scalars.Integer: "INTEGER", scalars.Real: "REAL"}
	var columns, keys, marks []string
	for _, v := range l.function.Args {
		columns, keys, marks = append(columns, v.Name+" "+types[v.Type]), append(keys, v.Name), append(marks, "?")
	}
	columns = append(columns, l.function.Result.Name+" "+types[l.function.Result.Type], "PRIMARY KEY ("+strings.Join(keys, ", ")+")")
	if _, err := r.conn.ExecContext(ctx, "CREATE TEMP TABLE "+l.function.Name+" ("+strings.Join(columns, ", ")+")"); err != nil {
		return nil, err
	}
	insert, err := r.conn.PrepareContext(ctx, "INSERT INTO temp."+l.function.Name+" VALUES ("+strings.Join(append(marks, "?"), ", ")+")")
	if err != nil {
		return nil, err
	}
	defer insert.Close()
	results := map[value.Value]bool{}
	for v := range arguments {
		if v.IsNull() {
			continue
		}
		args := append([]value.Value{v}, l.rest...)
		result, err := l.function.Call(args...)
		if err != nil {
			return nil, err
		}
		results[result] = true
		var row []any
		for _, x := range append(args, result) {
			row = append(row, toDriver(x))
		}
		if _, err := insert.ExecContext(ctx, row...); err != nil {
			return nil, err
		}
	}
	return results, nil
}

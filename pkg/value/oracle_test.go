package value_test

import (
	"database/sql"
	"fmt"
	"math"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/pkg/value"
)

// oracle is an SQLite database in memory, whose answers the tests compare with.
type oracle struct {
	t  testing.TB
	db *sql.DB
}

func newOracle(t testing.TB) *oracle {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return &oracle{t, db}
}

// fill creates the table v, whose untyped column x holds the values in
// the order of column id.
func (o *oracle) fill(values []value.Value) {
	const table = "v"
	o.t.Helper()
	if _, err := o.db.Exec("CREATE TABLE " + table + "(id INTEGER PRIMARY KEY, x)"); err != nil {
		o.t.Fatal(err)
	}
	for i, v := range values {
		if _, err := o.db.Exec("INSERT INTO "+table+" VALUES (?, ?)", i, bound(v)); err != nil {
			o.t.Fatal(err)
		}
	}
}

// query returns all rows.
func (o *oracle) query(query string, args ...any) [][]value.Value {
	o.t.Helper()
	rows, err := o.tryQuery(query, args...)
	if err != nil {
		o.t.Fatalf("%s: %v", query, err)
	}
	return rows
}

func (o *oracle) tryQuery(query string, args ...any) ([][]value.Value, error) {
	rows, err := o.db.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var all [][]value.Value
	for rows.Next() {
		cells := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := make([]value.Value, len(cells))
		for i, c := range cells {
			row[i] = scanned(c)
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

// eval returns the value of one expression, or the error of SQLite.
func (o *oracle) eval(expr string, args ...value.Value) (value.Value, error) {
	binds := make([]any, len(args))
	for i, a := range args {
		binds[i] = bound(a)
	}
	rows, err := o.tryQuery("SELECT "+expr, binds...)
	if err != nil {
		return value.Value{}, err
	}
	return rows[0][0], nil
}

func bound(v value.Value) any {
	switch v.Kind() {
	case value.Integer:
		return v.Int64()
	case value.Real:
		return v.Float64()
	case value.Text:
		return v.Raw()
	case value.Blob:
		return []byte(v.Raw())
	}
	return nil
}

func scanned(c any) value.Value {
	switch c := c.(type) {
	case nil:
		return value.NullValue()
	case int64:
		return value.Int(c)
	case float64:
		return value.Float(c)
	case string:
		return value.Str(c)
	case []byte:
		return value.Bytes(string(c))
	}
	panic(fmt.Sprintf("no value for %T", c))
}

// show writes a value with its storage class.
func show(v value.Value) string {
	switch v.Kind() {
	case value.Integer:
		return fmt.Sprintf("integer %d", v.Int64())
	case value.Real:
		return fmt.Sprintf("real %v (%x)", v.Float64(), math.Float64bits(v.Float64()))
	case value.Text:
		return fmt.Sprintf("text %q", v.Raw())
	case value.Blob:
		return fmt.Sprintf("blob %x", v.Raw())
	}
	return "NULL"
}

// awkward returns the values on which implementations of SQL like to differ.
func awkward() []value.Value {
	values := []value.Value{value.NullValue()}
	for _, i := range []int64{
		0, 1, -1, 2, 3, -3, 7, 10, 63, 64, 65, -63, -64, -65, 100, 1000003, math.MaxInt32, math.MinInt32,
		1<<51 - 1, 1 << 51, 1<<52 + 1, 1<<53 - 1, 1 << 53, 1<<53 + 1, -(1<<53 + 1),
		math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1, 3037000500, -3037000500,
	} {
		values = append(values, value.Int(i))
	}
	for _, f := range []float64{
		0, math.Copysign(0, -1), 0.5, -0.5, 1, -1, 1.5, 2.5, -2.5, 0.1, 0.1 + 0.2, 49.47, 2.0 / 3, 1e15, 1e16, 1e17, 123456.789e3,
		1 << 51, 1 << 53, 1<<53 + 2, 1 << 63, -(1 << 63), 1<<63 - 1024, 9.3e18, -9.3e18, 1e-5, 1e-4, 1.25e-7, 1e20, 1e22, 1e23, 1e100, -1e300,
		math.MaxFloat64, math.SmallestNonzeroFloat64, 2.2250738585072014e-308, math.Inf(1), math.Inf(-1), math.Pi, 99.9999999999999999, 0.99999999999999989,
	} {
		values = append(values, value.Float(f))
	}
	for _, s := range []string{
		"", " ", "0", "1", "-1", "+1", " 12 ", "12 ", "12abc", "abc", "ABC", "aBc", "abc ", "abd", "1.0", "1.5", ".5", "5.", "-.5e1", ".", "-", "+", "+ 1", "- 1", "--1",
		"1e3", "1E+3", "1e", "1e+", "1e-", "1.5e-3x", "1e400", "-1e400", "1e-400", "0e99999999999", "0x10", "0X1F", "inf", "Inf", "-Inf", "NaN", "nan", "infinity",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "92233720368547758070000", " 9223372036854775807x",
		"9007199254740993", "9007199254740993.0", "18446744073709551616", "00000000000000000000000012", "1.7976931348623157e308", "4.9e-324", "2.4703282292062327e-324",
		"3.14159265358979323846264338327950288", "123456789012345678901234567890", "0.000000000000000000000000000001234567890123456789",
		"1\x002", "a\x00b", "\x00", "\t5\n", "\v5", "5\u00a0", "é", "É", "straße", "日本語", "😀", "a😀b", "\xff", "\xc3", "a\x80b", "\xc0\x80", "\xed\xa0\x80", "%", "_", "a%", "%b%", "a_c", "*", "?", "[a-c]", "\\",
	} {
		values = append(values, value.Str(s))
	}
	for _, b := range []string{"", "0", "12", "1.5", "abc", "\x00", "\xff\xfe", "12x", "日"} {
		values = append(values, value.Bytes(b))
	}
	return values
}

// same reports identity, with all zero bits alike but for the sign of zero.
func same(a, b value.Value) bool { return a == b }

// checkBinary compares a function of two values with SQLite's expression on
// columns a.x and b.x, for all pairs of awkward values.
func checkBinary(t *testing.T, expr string, got func(a, b value.Value) value.Value) {
	t.Helper()
	values := awkward()
	o := newOracle(t)
	o.fill(values)
	rows := o.query("SELECT a.id, b.id, " + expr + " FROM v a, v b ORDER BY a.id, b.id")
	for _, row := range rows {
		a, b := values[row[0].Int64()], values[row[1].Int64()]
		if g := got(a, b); !same(g, row[2]) {
			t.Errorf("%s with %s and %s = %s, want %s", expr, show(a), show(b), show(g), show(row[2]))
		}
	}
}

// checkUnary compares a function of one value with an expression on column x.
func checkUnary(t *testing.T, expr string, got func(v value.Value) value.Value) {
	t.Helper()
	values := awkward()
	o := newOracle(t)
	o.fill(values)
	for i, row := range o.query("SELECT " + expr + " FROM v ORDER BY id") {
		if g := got(values[i]); !same(g, row[0]) {
			t.Errorf("%s with %s = %s, want %s", expr, show(values[i]), show(g), show(row[0]))
		}
	}
}

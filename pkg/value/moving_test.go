package value_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// TestMovingProperty moves frames over random values as SQLite does.
func TestMovingProperty(t *testing.T) {
	o := newOracle(t)
	cell := rapid.OneOf(
		rapid.Map(rapid.Int64Range(-5, 5), value.Int), rapid.Map(rapid.Float64Range(-1e3, 1e3), value.Float),
		rapid.SampledFrom([]value.Value{
			value.NullValue(), value.Int(math.MaxInt64), value.Int(math.MinInt64), value.Int(1 << 53), value.Float(1e300), value.Float(-1e300),
			value.Float(1), value.Float(0.1), value.Str("a"), value.Str("A"), value.Str(""), value.Str("2"), value.Str("2.5"), value.Str("x"), value.Bytes("7"),
		}),
	)
	rapid.Check(t, func(rt *rapid.T) {
		values := rapid.SliceOfN(cell, 1, 9).Draw(rt, "values")
		width := rapid.IntRange(0, 3).Draw(rt, "preceding")
		name := rapid.SampledFrom([]string{"count", "sum", "total", "avg", "min", "max", "group_concat"}).Draw(rt, "name")
		order := rapid.SampledFrom([]value.Collation{value.Binary, value.NoCase}).Draw(rt, "collation")
		o.query("DROP TABLE IF EXISTS v")
		o.fill(values)
		rows, wantErr := o.tryQuery(fmt.Sprintf("SELECT %s(x COLLATE %s) OVER (ORDER BY id ROWS BETWEEN %d PRECEDING AND CURRENT ROW) FROM v ORDER BY id", name, order, width))
		m, err := value.NewMoving(name, value.DefaultSeparator, order)
		if err != nil {
			rt.Fatal(err)
		}
		for i, v := range values {
			if i > width {
				m.Inverse(values[i-width-1])
			}
			m.Step(v)
			got, err := m.Result()
			if err != nil {
				if wantErr == nil {
					rt.Fatalf("row %d: %v, want %s", i, err, show(rows[i][0]))
				}
				return
			}
			if wantErr == nil && !same(got, rows[i][0]) {
				rt.Fatalf("row %d: %s, want %s", i, show(got), show(rows[i][0]))
			}
		}
		if wantErr != nil {
			rt.Fatalf("no error, want %v", wantErr)
		}
	})
}

func TestMovingErrors(t *testing.T) {
	_, err := value.NewMoving("std", "", value.Binary)
	var unknown *value.UnknownFunctionError
	if !errors.As(err, &unknown) || unknown.Name != "std" {
		t.Errorf("std: %v", err)
	}
}

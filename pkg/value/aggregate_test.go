package value_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// aggregateOf runs an aggregate over values.
func aggregateOf(t interface{ Fatal(...any) }, name, separator string, order value.Collation, values []value.Value) (value.Value, error) {
	a, err := value.NewAggregate(name, separator, order)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range values {
		a.Step(v)
	}
	return a.Result()
}

func TestAggregates(t *testing.T) {
	null, i, f, s, b := value.NullValue(), value.Int, value.Float, value.Str, value.Bytes
	groups := [][]value.Value{
		nil,
		{null},
		{null, null, i(1)},
		{i(1), i(2), i(3)},
		{i(1), f(2), i(3)},
		{f(0.1), f(0.2), f(0.3), f(1e16), f(-1e16), f(1)},
		{f(math.Copysign(0, -1))},
		{i(math.MaxInt64), i(1)},
		{i(math.MaxInt64), i(1), i(-1)},
		{i(math.MaxInt64), i(1), f(0.5)},
		{i(math.MaxInt64), f(0.5), i(math.MaxInt64)},
		{i(math.MinInt64), i(-1)},
		{i(1<<60 + 12345), f(0.25), i(-1 << 60)},
		{f(math.MaxFloat64), f(math.MaxFloat64)},
		{f(math.Inf(1)), f(1)},
		{f(math.Inf(1)), f(math.Inf(-1))},
		{s("12"), s("3.5"), s("4abc"), s("x"), b("7")},
		{s("12"), s("3")},
		{b("12"), b("3")},
		{s("a"), s("B"), s("b"), s("A ")},
		{s("b"), i(5), f(5), b("a"), null},
		{f(1), i(1)},
		{s(""), s("a\x00b"), s("é"), b("\xff"), f(0.5), i(7)},
		{i(10), i(20), i(40)},
	}
	o := newOracle(t)
	for g, group := range groups {
		o.query("DROP TABLE IF EXISTS v")
		o.fill(group)
		for _, name := range []string{"count", "sum", "total", "avg", "min", "max", "group_concat"} {
			for _, order := range []value.Collation{value.Binary, value.NoCase, value.RTrim} {
				want, wantErr := o.eval(name + "(x COLLATE " + order.String() + ") FROM (SELECT x FROM v ORDER BY id)")
				got, err := aggregateOf(t, name, value.DefaultSeparator, order, group)
				if (err != nil) != (wantErr != nil) || !same(got, want) {
					t.Errorf("group %d: %s = %s, %v, want %s, %v", g, name, show(got), err, show(want), wantErr)
				}
			}
		}
		want, _ := o.eval("string_agg(x, ' - ') FROM (SELECT x FROM v ORDER BY id)")
		if got, err := aggregateOf(t, "String_Agg", " - ", value.Binary, group); err != nil || !same(got, want) {
			t.Errorf("group %d: string_agg = %s, %v, want %s", g, show(got), err, show(want))
		}
	}
}

func TestSumProperty(t *testing.T) {
	o := newOracle(t)
	number := rapid.OneOf(
		rapid.Map(rapid.Int64(), value.Int), rapid.Map(rapid.Int64Range(-100, 100), value.Int),
		rapid.Map(rapid.Float64(), value.Float), rapid.Map(rapid.Float64Range(-100, 100), value.Float),
	)
	rapid.Check(t, func(rt *rapid.T) {
		values := rapid.SliceOfN(number, 1, 12).Draw(rt, "values")
		var binds []any
		for _, v := range values {
			binds = append(binds, bound(v))
		}
		from := "(SELECT column1 AS x FROM (VALUES (?)" + strings.Repeat(",(?)", len(values)-1) + "))"
		for _, name := range []string{"sum", "total", "avg"} {
			want, wantErr := o.tryQuery("SELECT "+name+"(x) FROM "+from, binds...)
			got, err := aggregateOf(rt, name, "", value.Binary, values)
			if (err != nil) != (wantErr != nil) || err == nil && !same(got, want[0][0]) {
				rt.Errorf("%s = %s, %v, want %v, %v", name, show(got), err, want, wantErr)
			}
		}
	})
}

func TestStd(t *testing.T) {
	for _, c := range []struct {
		values []value.Value
		want   value.Value
	}{
		{nil, value.NullValue()},
		{[]value.Value{value.Int(5)}, value.NullValue()},
		{[]value.Value{value.Int(2), value.NullValue(), value.Int(4)}, value.Float(math.Sqrt2)},
		{[]value.Value{value.Int(3), value.Int(3), value.Int(3)}, value.Float(0)},
	} {
		if got, err := aggregateOf(t, "std", "", value.Binary, c.values); err != nil || !near(got, c.want) && got != c.want {
			t.Errorf("std(%v) = %s, %v, want %s", c.values, show(got), err, show(c.want))
		}
	}
}

func TestAggregateErrors(t *testing.T) {
	_, err := value.NewAggregate("median", "", value.Binary)
	var unknown *value.UnknownFunctionError
	if !errors.As(err, &unknown) || unknown.Name != "median" {
		t.Errorf("median: %v", err)
	}
	a, err := value.NewAggregate("group_concat", "", value.Binary)
	if err != nil {
		t.Fatal(err)
	}
	part := value.Str(strings.Repeat("x", value.MaxLength/2))
	for range 3 {
		a.Step(part)
	}
	var failed *value.FunctionError
	if _, err := a.Result(); !errors.As(err, &failed) || failed.Message != "string or blob too big" {
		t.Errorf("long group_concat: %v", err)
	}
}

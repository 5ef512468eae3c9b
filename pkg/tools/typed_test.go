package tools

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/text/toolname"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// The general path is what the typed forms are tested against: the same values
// in a column of mixed layout take no other.

// twins returns a table whose columns a, b and g are typed where the values
// allow it, and the same table with mixed columns. The rows are those of the
// list, where -1 is a row of NULLs; nil stands for the columns as they are.
func twins(t interface{ Fatal(...any) }, fields []Field, columns [][]value.Value, rows []int32) (typed, mixed *Table) {
	var typedColumns, mixedColumns []*Column
	for _, values := range columns {
		typedColumns = append(typedColumns, NewColumn(values...))
		mixedColumns = append(mixedColumns, &Column{layout: layoutMixed, length: len(values), mixed: values})
	}
	typed, err := NewTable(fields, typedColumns)
	if err != nil {
		t.Fatal(err)
	}
	if mixed, err = NewTable(fields, mixedColumns); err != nil {
		t.Fatal(err)
	}
	if rows != nil {
		typed, mixed = typed.take(rows), mixed.take(rows)
	}
	return typed, mixed
}

// checkTwins runs a tool on both tables.
func checkTwins(t fataler, typed, mixed *Table, what any, tool func(*Table) (*Table, error)) {
	got, err := tool(typed)
	want, wantErr := tool(mixed)
	checkSame(t, what, got, err, want, wantErr)
}

type fataler interface{ Fatalf(string, ...any) }

// checkSame compares two results cell by cell.
func checkSame(t fataler, what any, got *Table, err error, want *Table, wantErr error) {
	ctx := context.Background()
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("%+v: error %v, want %v", what, err, wantErr)
	}
	if err != nil {
		return
	}
	if got.Len() != want.Len() {
		t.Fatalf("%+v: %d rows, want %d", what, got.Len(), want.Len())
	}
	for i, f := range want.Fields() {
		g, err := got.Column(ctx, i)
		if err != nil {
			t.Fatalf("%+v: %v", what, err)
		}
		w, err := want.Column(ctx, i)
		if err != nil {
			t.Fatalf("%+v: %v", what, err)
		}
		for row := range want.Len() {
			if g.At(row) != w.At(row) {
				t.Fatalf("%+v: %s of row %d is %v (%s), want %v (%s)", what, f.Key, row, g.At(row), g.At(row).Kind(), w.At(row), w.At(row).Kind())
			}
			if g.isNull(row) != w.At(row).IsNull() {
				t.Fatalf("%+v: %s of row %d is %v, marked as NULL: %t", what, f.Key, row, g.At(row), g.isNull(row))
			}
		}
		if f.Key == "out" && g.column.layout != w.column.layout {
			t.Fatalf("%+v: layout %d, want %d", what, g.column.layout, w.column.layout)
		}
	}
}

// numbers draws n values: INTEGERs, REALs, or now and then both, with or without
// NULLs among them.
func numbers(t *rapid.T, label string, n int) []value.Value {
	integer := rapid.Map(rapid.OneOf(
		rapid.Int64(), rapid.Int64Range(-3, 3), rapid.Int64Range(math.MinInt32-1, math.MaxInt32+1),
		rapid.SampledFrom([]int64{math.MaxInt64, math.MinInt64, 1<<53 - 1, 1 << 53, 1<<53 + 1, -1<<53 - 1, 1 << 62}),
	), value.Int)
	small := rapid.Map(rapid.Int64Range(-5, 5), value.Int)
	real := rapid.Map(rapid.OneOf(
		rapid.Float64(), rapid.Float64Range(-3, 3),
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 2.5, math.Inf(1), math.Inf(-1), math.MaxFloat64, 1 << 53, 1<<53 + 2, 1 << 63, -1 << 63}),
	), value.Float)
	null := rapid.Just(value.NullValue())
	one := rapid.SampledFrom([]*rapid.Generator[value.Value]{
		integer, small, real, rapid.OneOf(integer, null), rapid.OneOf(small, null), rapid.OneOf(real, null), rapid.OneOf(integer, real, null), null,
	}).Draw(t, label+" are")
	return rapid.SliceOfN(one, n, n).Draw(t, label)
}

// anyTwins draws a table of two columns of numbers and one to group by. Now and
// then its values are repeated until they fill more than a block.
func anyTwins(t *rapid.T) (typed, mixed *Table) {
	n := rapid.IntRange(0, 40).Draw(t, "length")
	columns := [][]value.Value{numbers(t, "a", n), numbers(t, "b", n), nil}
	repeat := rapid.SampledFrom([]int{1, 1, 1, 70}).Draw(t, "repeat")
	for i := range columns[:2] {
		columns[i] = slices.Repeat(columns[i], repeat)
	}
	groups := rapid.Int64Range(1, 4).Draw(t, "groups")
	for i := range n * repeat {
		columns[2] = append(columns[2], value.Int(int64(i*i)%groups))
	}
	affinity := rapid.SampledFrom([]value.Affinity{value.AffinityNone, value.AffinityBlob, value.AffinityText, value.AffinityNumeric, value.AffinityInteger, value.AffinityReal})
	fields := []Field{{Key: "a", Affinity: affinity.Draw(t, "affinity of a")}, {Key: "b", Affinity: affinity.Draw(t, "affinity of b")}, {Key: "g"}}
	var rows []int32
	if rapid.Bool().Draw(t, "some rows") {
		for row := range n * repeat {
			switch rapid.IntRange(0, 3).Draw(t, "row") {
			case 0:
				rows = append(rows, -1)
			case 1, 2:
				rows = append(rows, int32(row))
			}
		}
		slices.Reverse(rows)
	}
	return twins(t, fields, columns, rows)
}

// TestTyped draws calls of the tools that have typed forms.
func TestTyped(t *testing.T) {
	ctx := context.Background()
	comparisons := []Condition{Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual}
	operations := []Operation{OpAdd, OpSubtract, OpMultiply, OpDivide, OpModulo, OpNegate, OpConditional, OpBitAnd}
	for _, c := range comparisons {
		operations = append(operations, Operation(c))
	}
	rapid.Check(t, func(t *rapid.T) {
		typed, mixed := anyTwins(t)
		other := Col("b")
		if rapid.Bool().Draw(t, "constant") {
			other = Literal(numbers(t, "other", 1)[0])
		}
		filter := FilterArgs{Key: "a", Condition: rapid.SampledFrom(comparisons).Draw(t, "condition"), Value: other}
		checkTwins(t, typed, mixed, filter, func(x *Table) (*Table, error) { return FilterData(ctx, x, filter) })

		transform := TransformArgs{Key: "a", Operation: rapid.SampledFrom(operations).Draw(t, "operation"), OutputKey: "out"}
		switch transform.Operation {
		case OpNegate:
		case OpConditional:
			transform.Args = map[string]Operand{toolname.ArgCondition: Literal(string(filter.Condition)), toolname.ArgValue: other, toolname.ArgThen: Literal("then")}
		default:
			transform.Args = map[string]Operand{toolname.ArgValue: other}
			if !transform.Operation.IsCondition() {
				transform.Args[toolname.ArgSwap] = Literal(rapid.Bool().Draw(t, "swap"))
			}
		}
		checkTwins(t, typed, mixed, transform, func(x *Table) (*Table, error) { return TransformData(ctx, x, transform) })

		aggregate := AggregateArgs{Key: "a", Type: Aggregation(rapid.SampledFrom(aggregations).Draw(t, "aggregation").Name), OutputKey: "out",
			Distinct: rapid.Bool().Draw(t, "distinct"), Limit: rapid.SampledFrom([]int{0, 0, NoRows, 1, 7, 1500}).Draw(t, "limit")}
		checkTwins(t, typed, mixed, aggregate, func(x *Table) (*Table, error) { return AggregateData(ctx, x, aggregate) })
		checkTwins(t, typed, mixed, aggregate, func(x *Table) (*Table, error) {
			grouped, err := GroupDataBy(ctx, x, GroupArgs{Keys: []string{"g"}})
			if err != nil {
				return nil, err
			}
			return AggregateData(ctx, grouped, aggregate)
		})
	})
}

// TestTypedPairs has every operator on every pair of numbers that are hard.
func TestTypedPairs(t *testing.T) {
	hard := []value.Value{value.NullValue()}
	for _, i := range []int64{0, 1, -1, 2, 1 << 31, 1<<53 + 1, 1 << 62, math.MaxInt64, math.MinInt64} {
		hard = append(hard, value.Int(i))
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -2.5, 1 << 53, 1 << 63, -1 << 63, math.MaxFloat64, math.Inf(1), math.Inf(-1)} {
		hard = append(hard, value.Float(f))
	}
	for _, a := range hard {
		for _, b := range hard {
			typed, mixed := twins(t, []Field{{Key: "a"}, {Key: "b"}}, [][]value.Value{{a, value.NullValue()}, {b, value.NullValue()}}, nil)
			for _, op := range []Operation{OpAdd, OpSubtract, OpMultiply, OpDivide, OpModulo, Operation(Equal), Operation(Less), Operation(Greater)} {
				checkTwins(t, typed, mixed, fmt.Sprint(a, " ", op, " ", b), func(x *Table) (*Table, error) {
					return TransformData(context.Background(), x, TransformArgs{Key: "a", Operation: op, Args: map[string]Operand{toolname.ArgValue: Col("b")}, OutputKey: "out"})
				})
			}
		}
	}
}

// TestTypedForms shows which operands have a typed form.
func TestTypedForms(t *testing.T) {
	ints, reals, null := NewColumn(value.Int(7), value.NullValue()), NewColumn(value.Float(2.5), value.Float(0)), value.NullValue()
	large, text := NewColumn(value.Int(math.MaxInt64), value.Int(1)), NewColumn(value.Str("a"), null)
	for _, test := range []struct {
		operation Operation
		a         *Column
		operand   any // for the column b, or a constant
		affinity  value.Affinity
		want      bool
	}{
		{OpAdd, ints, ints, value.AffinityInteger, true},
		{OpAdd, ints, reals, value.AffinityInteger, true},
		{OpAdd, ints, 1, value.AffinityInteger, true},
		{OpAdd, ints, 0.5, value.AffinityInteger, true},
		{OpAdd, ints, "1", value.AffinityInteger, false},
		{OpAdd, ints, nil, value.AffinityInteger, false},
		{OpAdd, text, ints, value.AffinityInteger, false},
		{OpAdd, large, 1, value.AffinityInteger, false}, // one sum is a REAL
		{OpSubtract, large, -1, value.AffinityInteger, false},
		{OpMultiply, large, 2, value.AffinityInteger, false},
		{OpDivide, large, 0, value.AffinityInteger, true},
		{OpDivide, NewColumn(value.Int(math.MinInt64)), -1, value.AffinityInteger, false},
		{OpModulo, ints, 2, value.AffinityInteger, true},
		{OpModulo, reals, 2, value.AffinityInteger, false},
		{OpNegate, reals, nil, value.AffinityInteger, true},
		{OpBitAnd, ints, 1, value.AffinityInteger, false},
		{Operation(Less), ints, reals, value.AffinityInteger, true},
		{Operation(Less), ints, reals, value.AffinityText, true},
		{Operation(Less), ints, 1, value.AffinityInteger, true},
		{Operation(Less), ints, 1, value.AffinityText, false}, // compared as texts
		{Operation(Less), ints, "1", value.AffinityInteger, true},
		{Operation(Less), ints, "x", value.AffinityInteger, false},
		{Operation(Less), text, ints, value.AffinityText, false},
		{Operation(In), ints, 1, value.AffinityInteger, false},
	} {
		columns, args := []*Column{test.a, test.a}, map[string]Operand{}
		switch operand := test.operand.(type) {
		case *Column:
			columns[1], args[toolname.ArgValue] = operand, Col("b")
		default:
			if test.operation != OpNegate {
				args[toolname.ArgValue] = Literal(operand)
			}
		}
		table, err := NewTable([]Field{{Key: "a", Affinity: test.affinity}, {Key: "b", Affinity: value.AffinityInteger}}, columns)
		if err != nil {
			t.Fatal(err)
		}
		b, err := newBinder(context.Background(), toolname.Transform, table, 0, args, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		op, err := findOperation(toolname.Transform, test.operation)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := op.build(b); err != nil {
			t.Fatal(err)
		}
		got := b.expr.typed != nil
		if got {
			_, err := b.expr.typed.column(context.Background(), &b.expr, table.rows)
			got = err == nil
		}
		if got != test.want {
			t.Errorf("%s of layout %d and affinity %s with %v: typed %t, want %t", test.operation, test.a.layout, test.affinity, test.operand, got, test.want)
		}
	}
}

// TestTypedParts works on more rows than one core is given.
func TestTypedParts(t *testing.T) {
	ctx := context.Background()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	const n = 4*partRows + 77
	columns := make([][]value.Value, 3)
	x := uint64(1)
	for i := range n {
		x = x*6364136223846793005 + 1442695040888963407
		a, b := value.Int(int64(x>>50)), value.Float(float64(int64(x)>>30)/3)
		if x>>32%7 == 0 {
			b = value.NullValue()
		}
		group := x >> 40 % 100
		if i < n/3 {
			group = 5 // is larger than a part
		}
		columns[0], columns[1], columns[2] = append(columns[0], a), append(columns[1], b), append(columns[2], value.Int(int64(group)))
	}
	typed, mixed := twins(t, []Field{{Key: "a"}, {Key: "b"}, {Key: "g"}}, columns, nil)
	grouped := func(x *Table, aggregation Aggregation, limit int) (*Table, error) {
		groups, err := GroupDataBy(ctx, x, GroupArgs{Keys: []string{"g"}})
		if err != nil {
			return nil, err
		}
		return AggregateData(ctx, groups, AggregateArgs{Key: "b", Type: aggregation, Limit: limit, OutputKey: "out"})
	}
	for name, tool := range map[string]func(*Table) (*Table, error){
		"filter": func(x *Table) (*Table, error) {
			return FilterData(ctx, x, FilterArgs{Key: "a", Condition: Less, Value: Col("b")})
		},
		"add": func(x *Table) (*Table, error) {
			return TransformData(ctx, x, TransformArgs{Key: "a", Operation: OpAdd, Args: map[string]Operand{toolname.ArgValue: Col("b")}, OutputKey: "out"})
		},
		"sum": func(x *Table) (*Table, error) {
			return AggregateData(ctx, x, AggregateArgs{Key: "b", Type: Sum, OutputKey: "out"})
		},
		"sum of groups": func(x *Table) (*Table, error) {
			return grouped(x, Sum, 0)
		},
		"total of no rows": func(x *Table) (*Table, error) {
			return grouped(x, Total, NoRows)
		},
	} {
		runtime.GOMAXPROCS(1)
		want, wantErr := tool(mixed)
		for _, cores := range []int{1, 2, 3, 8} {
			runtime.GOMAXPROCS(cores)
			got, err := tool(typed)
			checkSame(t, fmt.Sprint(name, " on ", cores), got, err, want, wantErr)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := AggregateData(cancelled, typed, AggregateArgs{Key: "b", Type: Sum}); !errors.Is(err, context.Canceled) {
		t.Errorf("sum without a context: %v", err)
	}
}

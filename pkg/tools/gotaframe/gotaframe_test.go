package gotaframe

import (
	"context"
	"math"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestToDataFrame shows the types of series and that NULL is not the text NaN.
func TestToDataFrame(t *testing.T) {
	null := value.NullValue()
	table, err := tools.NewTable(
		[]tools.Field{{Key: "int"}, {Key: "real"}, {Key: "text"}, {Key: "mixed"}},
		[]*tools.Column{
			tools.NewColumn(value.Int(math.MaxInt64), null),
			tools.NewColumn(value.Float(1), null),
			tools.NewColumn(value.Str("NaN"), null),
			tools.NewColumn(value.Int(1), value.Str(`\NaN`)),
		})
	if err != nil {
		t.Fatal(err)
	}
	df, err := ToDataFrame(context.Background(), table)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]series.Type{series.Int, series.Float, series.String, series.String}, df.Types()); d != "" {
		t.Error(d)
	}
	want := [][]string{
		{"int", "real", "text", "mixed"},
		{"9223372036854775807", "1.000000", `\NaN`, "1"},
		{"NaN", "NaN", "NaN", `\\NaN`},
	}
	if d := cmp.Diff(want, df.Records()); d != "" {
		t.Error(d)
	}
}

// TestDataFrameRoundTrip checks that typed columns survive both ways.
func TestDataFrameRoundTrip(t *testing.T) {
	orNull := func(g *rapid.Generator[value.Value]) *rapid.Generator[value.Value] {
		return rapid.OneOf(rapid.Just(value.NullValue()), g, g)
	}
	texts := rapid.OneOf(rapid.String(), rapid.StringMatching(`\\{0,3}NaN`))
	rapid.Check(t, func(t *rapid.T) {
		draw := func(g *rapid.Generator[value.Value]) *tools.Column {
			cells := rapid.SliceOfN(orNull(g), 4, 4).Draw(t, "cells")
			return tools.NewColumn(cells...)
		}
		table, err := tools.NewTable([]tools.Field{{Key: "i"}, {Key: "f"}, {Key: "t"}}, []*tools.Column{
			draw(rapid.Map(rapid.Int64(), value.Int)), draw(rapid.Map(rapid.Float64(), value.Float)), draw(rapid.Map(texts, value.Str))})
		if err != nil {
			t.Fatal(err)
		}
		df, err := ToDataFrame(context.Background(), table)
		if err != nil {
			t.Fatal(err)
		}
		got, err := FromDataFrame(df)
		if err != nil {
			t.Fatal(err)
		}
		want, err := table.Rows(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		back, err := got.Rows(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, back, cmp.Comparer(func(a, b value.Value) bool { return a == b })); d != "" {
			t.Fatal(d)
		}
	})
}

// TestFromDataFrame shows what each type of series becomes.
func TestFromDataFrame(t *testing.T) {
	df := dataframe.New(
		series.New([]int{7}, series.Int, "i"), series.New([]bool{true}, series.Bool, "b"),
		series.New([]float64{2}, series.Float, "f"), series.New([]string{"x"}, series.String, "s"))
	got, err := FromDataFrame(df)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]value.Value{{value.Int(7), value.Int(1), value.Float(2), value.Str("x")}}
	rows, err := got.Rows(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, rows, cmp.Comparer(func(a, b value.Value) bool { return a == b })); d != "" {
		t.Error(d)
	}
	empty, err := tools.NewTable([]tools.Field{{Key: "a"}}, []*tools.Column{tools.NewColumn()})
	if err != nil {
		t.Fatal(err)
	}
	if df, err := ToDataFrame(context.Background(), empty); err != nil || df.Nrow() != 0 || df.Ncol() != 1 {
		t.Errorf("a table without rows: %v, %v", df, err)
	}
	if _, err := FromDataFrame(dataframe.New()); err == nil {
		t.Error("an empty data frame is no error")
	}
	if _, err := FromDataFrame(dataframe.DataFrame{}); err == nil {
		t.Error("a zero data frame is no error")
	}
	if _, err := ToDataFrame(context.Background(), nil); err == nil {
		t.Error("no table is no error")
	}
	var noContext context.Context
	if _, err := ToDataFrame(noContext, empty); err == nil {
		t.Error("no context is no error")
	}
}

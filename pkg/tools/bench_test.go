package tools

import (
	"context"
	"strconv"
	"testing"

	"github.com/birdcall/birdcall/pkg/value"
)

const benchRows = 1_000_000

// benchTable has an integer key, an integer group, a real and a text column.
func benchTable(b *testing.B) *Table {
	builders := make([]ColumnBuilder, 4)
	for i := range builders {
		builders[i].Grow(benchRows)
	}
	x := uint64(1)
	for i := range benchRows {
		x = x*6364136223846793005 + 1442695040888963407
		builders[0].Append(value.Int(int64(i)))
		builders[1].Append(value.Int(int64(x >> 54)))
		builders[2].Append(value.Float(float64(x>>40) / 16))
		builders[3].Append(value.Str("text " + strconv.Itoa(int(x>>55))))
	}
	columns := make([]*Column, len(builders))
	for i := range builders {
		columns[i] = builders[i].Column()
	}
	fields := []Field{{Key: "id", Affinity: value.AffinityInteger}, {Key: "group", Affinity: value.AffinityInteger},
		{Key: "real", Affinity: value.AffinityReal}, {Key: "text", Affinity: value.AffinityText}}
	t, err := NewTable(fields, columns)
	if err != nil {
		b.Fatal(err)
	}
	return t
}

// BenchmarkTools runs each tool on a million rows.
func BenchmarkTools(b *testing.B) {
	ctx := context.Background()
	t := benchTable(b)
	grouped, err := GroupDataBy(ctx, t, GroupArgs{Keys: []string{"group"}})
	if err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct {
		name string
		run  func() (*Table, error)
	}{
		{"filter integer", func() (*Table, error) {
			return FilterData(ctx, t, FilterArgs{Key: "group", Condition: "greater_than", Value: Literal(value.Int(900))})
		}},
		{"filter text", func() (*Table, error) {
			return FilterData(ctx, t, FilterArgs{Key: "text", Condition: "equal_to", Value: Literal(value.Str("text 7"))})
		}},
		{"filter like", func() (*Table, error) {
			return FilterData(ctx, t, FilterArgs{Key: "text", Condition: "like", Value: Literal(value.Str("%7%"))})
		}},
		{"filter columns", func() (*Table, error) {
			return FilterData(ctx, t, FilterArgs{Key: "id", Condition: "less_than", Value: Col("real")})
		}},
		{"sort integer", func() (*Table, error) { return SortData(ctx, t, SortArgs{Keys: []string{"group"}}) }},
		{"sort real", func() (*Table, error) { return SortData(ctx, t, SortArgs{Keys: []string{"real"}}) }},
		{"sort text", func() (*Table, error) { return SortData(ctx, t, SortArgs{Keys: []string{"text", "id"}}) }},
		{"sum", func() (*Table, error) {
			return AggregateData(ctx, t, AggregateArgs{Key: "real", Type: "sum"})
		}},
		{"group", func() (*Table, error) { return GroupDataBy(ctx, t, GroupArgs{Keys: []string{"group"}}) }},
		{"group two keys", func() (*Table, error) { return GroupDataBy(ctx, t, GroupArgs{Keys: []string{"group", "text"}}) }},
		{"sum of groups", func() (*Table, error) {
			return AggregateData(ctx, grouped, AggregateArgs{Key: "real", Type: "sum"})
		}},
		{"distinct", func() (*Table, error) {
			return RetrieveData(ctx, t, RetrieveArgs{Keys: []string{"text"}, Distinct: true})
		}},
		{"add", func() (*Table, error) {
			return TransformData(ctx, t, TransformArgs{Key: "id", Operation: "add", Args: map[string]Operand{"value": Col("group")}})
		}},
		{"upper", func() (*Table, error) { return TransformData(ctx, t, TransformArgs{Key: "text", Operation: "upper"}) }},
		{"join", func() (*Table, error) {
			return JoinData(ctx, t, t, JoinArgs{Keys: []string{"id"}, OtherKeys: []string{"id"}, Type: "inner"})
		}},
		{"window", func() (*Table, error) {
			return WindowData(ctx, t, WindowArgs{Function: "rank", PartitionBy: []string{"group"}, OrderBy: []string{"real"}})
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bench.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

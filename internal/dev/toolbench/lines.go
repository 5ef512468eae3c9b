package toolbench

import (
	"context"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Line is one thing that is measured.
type Line struct {
	Name string
	Run  func(context.Context) (*tools.Table, error)
}

// Lines returns all lines on a table of Table.
func Lines(ctx context.Context, t *tools.Table) ([]Line, error) {
	grouped, err := tools.GroupDataBy(ctx, t, tools.GroupArgs{Keys: []string{"group"}})
	if err != nil {
		return nil, err
	}
	single, err := tools.GroupDataBy(ctx, t, tools.GroupArgs{Keys: []string{"id"}})
	if err != nil {
		return nil, err
	}
	filter := func(key string, how tools.Condition, v tools.Operand) func(context.Context) (*tools.Table, error) {
		return func(ctx context.Context) (*tools.Table, error) {
			return tools.FilterData(ctx, t, tools.FilterArgs{Key: key, Condition: how, Value: v})
		}
	}
	sort := func(keys ...string) func(context.Context) (*tools.Table, error) {
		return func(ctx context.Context) (*tools.Table, error) {
			return tools.SortData(ctx, t, tools.SortArgs{Keys: keys})
		}
	}
	sum := func(t *tools.Table, key string) func(context.Context) (*tools.Table, error) {
		return func(ctx context.Context) (*tools.Table, error) {
			return tools.AggregateData(ctx, t, tools.AggregateArgs{Key: key, Type: tools.Sum})
		}
	}
	group := func(keys ...string) func(context.Context) (*tools.Table, error) {
		return func(ctx context.Context) (*tools.Table, error) {
			return tools.GroupDataBy(ctx, t, tools.GroupArgs{Keys: keys})
		}
	}
	transform := func(a tools.TransformArgs) func(context.Context) (*tools.Table, error) {
		return func(ctx context.Context) (*tools.Table, error) { return tools.TransformData(ctx, t, a) }
	}
	return []Line{
		{"filter integer", filter("group", tools.Greater, tools.Literal(value.Int(900)))},
		{"filter text", filter("text", tools.Equal, tools.Literal(value.Str("text 7")))},
		{"filter like", filter("text", tools.Like, tools.Literal(value.Str("%7%")))},
		{"filter columns", filter("id", tools.Less, tools.Col("real"))},
		{"sort integer", sort("group")},
		{"sort real", sort("real")},
		{"sort text", sort("text", "id")},
		{"sum real", sum(t, "real")},
		{"sum integer", sum(t, "group")},
		{"group", group("group")},
		{"group two keys", group("group", "text")},
		{"sum of groups", sum(grouped, "real")},
		{"sum of single rows", sum(single, "real")},
		{"group and sum", func(ctx context.Context) (*tools.Table, error) {
			g, err := tools.GroupDataBy(ctx, t, tools.GroupArgs{Keys: []string{"group"}})
			if err != nil {
				return nil, err
			}
			return tools.AggregateData(ctx, g, tools.AggregateArgs{Key: "real", Type: tools.Sum})
		}},
		{"distinct", func(ctx context.Context) (*tools.Table, error) {
			return tools.RetrieveData(ctx, t, tools.RetrieveArgs{Keys: []string{"text"}, Distinct: true})
		}},
		{"add", transform(tools.TransformArgs{Key: "id", Operation: "add", Args: map[string]tools.Operand{"value": tools.Col("group")}})},
		{"upper", transform(tools.TransformArgs{Key: "text", Operation: "upper"})},
		{"join", func(ctx context.Context) (*tools.Table, error) {
			return tools.JoinData(ctx, t, t, tools.JoinArgs{Keys: []string{"id"}, OtherKeys: []string{"id"}, Type: tools.InnerJoin})
		}},
		{"window", func(ctx context.Context) (*tools.Table, error) {
			return tools.WindowData(ctx, t, tools.WindowArgs{Function: "rank", PartitionBy: []string{"group"}, OrderBy: []string{"real"}})
		}},
	}, nil
}

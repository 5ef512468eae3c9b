package query

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// group is rows of a table that are next to each other: from up to, but not
// including, to.
type group struct{ from, to int }

// metric is an aggregation on its way: a property's column, and what is computed.
type metric struct {
	Aggregation
	property  *Property // nil for COUNT of objects
	view      tools.View
	collation value.Collation
}

// metrics prepares aggregations of the rows of a table.
func (r *run) metrics(ctx context.Context, t *tools.Table, list []Aggregation) ([]metric, error) {
	out := make([]metric, len(list))
	for i, a := range list {
		out[i].Aggregation = a
		if a.Property == "" {
			continue
		}
		p, f := r.property(a.Property)
		view, err := column(ctx, t, f.Key)
		if err != nil {
			return nil, err
		}
		out[i].property, out[i].view, out[i].collation = p, view, f.Collation
	}
	return out, nil
}

// values computes aggregations of a group for the result.
func (r *run) values(ctx context.Context, metrics []metric, g group) ([]Value, error) {
	out := make([]Value, len(metrics))
	for i := range metrics {
		var err error
		if out[i], err = metrics[i].of(ctx, g); err != nil {
			return nil, err
		}
		if err := errors.Join(r.grow(len(out[i].Occurrences)), r.weigh(out[i].Value)); err != nil {
			return nil, err
		}
		for _, o := range out[i].Occurrences {
			if err := r.weigh(o.Value); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// functions are the metrics that SQLite computes.
var functions = map[Metric]string{Min: "min", Max: "max", Mean: "avg", Sum: "sum", Count: "count"}

// of computes the aggregation of a group.
func (m *metric) of(ctx context.Context, g group) (Value, error) {
	if m.property == nil {
		return Value{Value: value.Int(int64(g.to - g.from))}, nil
	}
	if m.Metric == TypeOf {
		return Value{Value: value.Str(string(m.property.Type))}, nil
	}
	values, err := present(ctx, m.view, g)
	if err != nil {
		return Value{}, err
	}
	if m.Distinct {
		values = distinct(values, m.collation)
	}
	var v value.Value
	switch m.Metric {
	case TopOccurrences:
		all := occurrences(values, m.collation)
		return Value{Occurrences: slices.Clone(all[:min(len(all), cmp.Or(m.Limit, DefaultOccurrences))])}, nil
	case Mode:
		if all := occurrences(values, m.collation); len(all) > 0 {
			v = all[0].Value
		}
	case Median:
		v, err = median(values, m.collation)
	case TotalTrue:
		v = value.Int(count(values, isTrue))
	case TotalFalse:
		v = value.Int(count(values, isFalse))
	case PercentageTrue:
		v = percentage(values, isTrue)
	case PercentageFalse:
		v = percentage(values, isFalse)
	default:
		v, err = fold(functions[m.Metric], values, m.collation)
	}
	if failure := (*value.FunctionError)(nil); errors.As(err, &failure) {
		err = mistake(argAggregations, string(m.Metric)+" of "+m.property.Name+": "+failure.Message, "use "+string(Mean)+", or filter")
	}
	return Value{Value: v}, err
}

// present returns the values of a column in a group that are not NULL.
func present(ctx context.Context, view tools.View, g group) ([]value.Value, error) {
	out := make([]value.Value, 0, g.to-g.from)
	for row := g.from; row < g.to; row++ {
		if row%every == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if v := view.At(row); !v.IsNull() {
			out = append(out, v)
		}
	}
	return out, nil
}

// column returns the column of a key.
func column(ctx context.Context, t *tools.Table, key string) (tools.View, error) {
	return t.Column(ctx, slices.Index(t.Keys(), key))
}

// fold computes an aggregate function of SQLite.
func fold(name string, values []value.Value, c value.Collation) (value.Value, error) {
	f, err := value.NewAggregate(name, value.DefaultSeparator, c)
	if err != nil {
		return value.Value{}, err
	}
	for _, v := range values {
		f.Step(v)
	}
	return f.Result()
}

// distinct keeps the first of equal values.
func distinct(values []value.Value, c value.Collation) []value.Value {
	var out []value.Value
	seen := map[value.Value]bool{}
	for _, v := range values {
		if key := value.Key(v, c); !seen[key] {
			seen[key] = true
			out = append(out, v)
		}
	}
	return out
}

// occurrences counts equal values, shown as the first of them, and sorts them: the
// most frequent ones first, and of those the least.
func occurrences(values []value.Value, c value.Collation) []Occurrence {
	out := []Occurrence{}
	at := map[value.Value]int{}
	for _, v := range values {
		key := value.Key(v, c)
		i, known := at[key]
		if !known {
			i = len(out)
			at[key] = i
			out = append(out, Occurrence{Value: v})
		}
		out[i].Count++
	}
	slices.SortFunc(out, func(a, b Occurrence) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), value.Compare(a.Value, b.Value, c))
	})
	return out
}

// median returns the middle one of the values, or the mean of the middle two.
func median(values []value.Value, c value.Collation) (value.Value, error) {
	n := len(values)
	if n == 0 {
		return value.NullValue(), nil
	}
	slices.SortStableFunc(values, func(a, b value.Value) int { return value.Compare(a, b, c) })
	if n%2 == 1 {
		return values[n/2], nil
	}
	return fold(functions[Mean], values[n/2-1:n/2+1], c)
}

func count(values []value.Value, is func(value.Value) bool) int64 {
	n := int64(0)
	for _, v := range values {
		if is(v) {
			n++
		}
	}
	return n
}

// percentage returns how many of 100 values are so, NULL of none.
func percentage(values []value.Value, is func(value.Value) bool) value.Value {
	return value.Divide(value.Float(100*float64(count(values, is))), value.Int(int64(len(values))))
}

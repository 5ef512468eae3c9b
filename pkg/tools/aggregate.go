package tools

import (
	"context"

	"github.com/birdcall/birdcall/pkg/value"
)

// AggregateArgs are the arguments of AggregateData.
type AggregateArgs struct {
	// Key names the column; "" lets count count rows.
	Key string
	// Type is the aggregation.
	Type Aggregation
	// Distinct looks at each value once.
	Distinct bool
	// Limit is the number of rows to look at, from the first. Zero and less
	// are all, NoRows is none. Of a grouped table it holds for each group.
	Limit int
	// Separator stands between the texts of concat; nil is a comma.
	Separator *string
	// OutputKey names the result; "" is the type and the key.
	OutputKey string
}

// aggregation is one way to aggregate that AggregateData knows.
type aggregation struct {
	Choice
	// function is its name in value.NewAggregate, "" for argmin and argmax.
	function string
}

var aggregations = []aggregation{
	{Choice{string(Min), "smallest value", true}, "min"},
	{Choice{string(Max), "largest value", true}, "max"},
	{Choice{string(Sum), "sum, NULL without values", true}, "sum"},
	{Choice{string(Mean), "average as a REAL", true}, "avg"},
	{Choice{string(Count), "number of values that are not NULL; without key_name the number of rows", true}, "count"},
	{Choice{string(Std), "sample standard deviation", true}, "std"},
	{Choice{string(ArgMin), "the whole row that has the smallest value, the first of equals; on grouped data each group shows that row from then on", true}, ""},
	{Choice{string(ArgMax), "the whole row that has the largest value, the first of equals; on grouped data each group shows that row from then on", true}, ""},
	{Choice{string(Total), "sum as a REAL, 0.0 without values", false}, "total"},
	{Choice{string(Concat), "texts of the values, joined by the separator", false}, "group_concat"},
}

func findAggregation(tool, argument string, name Aggregation) (aggregation, error) {
	for _, a := range aggregations {
		if a.Name == string(name) {
			return a, nil
		}
	}
	return aggregation{}, notAmong(tool, argument, string(name), aggregationChoices())
}

// AggregateData reduces the rows of a table to one value, in a table of one
// row and one column; argmin and argmax give the row that holds the extreme
// value instead. NULL is left out, as https://www.sqlite.org/lang_aggfunc.html
// says. On a grouped table it works on each group: it adds a column, and
// argmin and argmax let the group show the row of the extreme value, as
// SQLite's min() and max() do with bare columns. Errors are *ToolError, and
// those of the database and the context.
func AggregateData(ctx context.Context, t *Table, a AggregateArgs) (*Table, error) {
	const tool = ToolAggregate
	if err := ready(ctx, tool, t); err != nil {
		return nil, err
	}
	how, err := findAggregation(tool, ArgAggregationType, a.Type)
	if err != nil {
		return nil, err
	}
	source := t
	if t.groups != nil {
		source = t.groups.source
	}
	key, err := aggregateKey(tool, t, source, a)
	if err != nil {
		return nil, err
	}
	members := func(row int) []int32 { return t.groups.of(t.position(row)) }
	groups := t.rows
	if t.groups == nil {
		all := count(t.rows)
		members, groups = func(int) []int32 { return all }, 1
	}
	first := func(row int) []int32 {
		m := members(row)
		return m[:limited(a.Limit, len(m))]
	}
	r := &reducer{ctx: ctx, tool: tool, how: how, args: a}
	if key >= 0 {
		if r.view, err = source.Column(ctx, key); err != nil {
			return nil, err
		}
		r.collation = source.fields[key].Collation
	}
	if how.function == "" {
		return r.extreme(t, groups, first)
	}
	column, err := r.reduce(groups, first)
	if err != nil {
		return nil, err
	}
	f := Field{Key: a.outputKey(), Computed: true}
	if t.groups == nil {
		return NewTable([]Field{f}, []*Column{column})
	}
	return t.with(f, column), nil
}

func (a AggregateArgs) outputKey() string {
	switch {
	case a.OutputKey != "":
		return a.OutputKey
	case a.Key == "":
		return string(a.Type)
	}
	return string(a.Type) + "_" + a.Key
}

// aggregateKey returns the position of the key in the table that is reduced,
// -1 for counting rows.
func aggregateKey(tool string, t, source *Table, a AggregateArgs) (int, error) {
	if a.Key == "" {
		if a.Type != Count || a.Distinct {
			return 0, &ToolError{Tool: tool, Argument: ArgKeyName, Reason: "is missing", Hint: "name a key; only count without distinct works without one"}
		}
		return -1, nil
	}
	i, err := t.find(tool, ArgKeyName, a.Key)
	if err != nil || t == source {
		return i, err
	}
	if !t.representative(i) {
		return 0, &ToolError{Tool: tool, Argument: ArgKeyName, Reason: quoted(a.Key) + " has one value for each group", Hint: "call retrieve_data first to aggregate over the groups"}
	}
	return source.find(tool, ArgKeyName, a.Key)
}

// reducer computes one aggregation over lists of rows.
type reducer struct {
	ctx       context.Context
	tool      string
	how       aggregation
	args      AggregateArgs
	view      View
	collation value.Collation
	seen      int // rows so far, for the context
}

// reduce returns the aggregate of each group.
func (r *reducer) reduce(groups int, members func(int) []int32) (*Column, error) {
	var b ColumnBuilder
	b.Grow(groups)
	for g := range groups {
		v, err := r.one(members(g))
		if err != nil {
			return nil, err
		}
		b.Append(v)
	}
	return b.Column(), nil
}

func (r *reducer) one(rows []int32) (value.Value, error) {
	if r.args.Key == "" {
		return value.Int(int64(len(rows))), nil
	}
	separator := value.DefaultSeparator
	if r.args.Separator != nil {
		separator = *r.args.Separator
	}
	agg, err := value.NewAggregate(r.how.function, separator, r.collation)
	if err != nil {
		return value.NullValue(), err
	}
	var distinct map[value.Value]struct{}
	if r.args.Distinct {
		distinct = map[value.Value]struct{}{}
	}
	for _, row := range rows {
		if err := stopped(r.ctx, r.seen); err != nil {
			return value.NullValue(), err
		}
		r.seen++
		v := r.view.At(int(row))
		if v.IsNull() {
			continue
		}
		if distinct != nil {
			k := value.Key(v, r.collation)
			if _, known := distinct[k]; known {
				continue
			}
			distinct[k] = struct{}{}
		}
		agg.Step(v)
	}
	v, err := agg.Result()
	if err != nil {
		return v, &ToolError{Tool: r.tool, Argument: ArgKeyName, Reason: err.Error(), Hint: "use total, which sums as REAL"}
	}
	return v, nil
}

// extreme lets each group, or the table as a whole, show its extreme row.
func (r *reducer) extreme(t *Table, groups int, members func(int) []int32) (*Table, error) {
	rows := make([]int32, groups)
	for g := range groups {
		best, err := r.extremeOf(members(g))
		if err != nil {
			return nil, err
		}
		rows[g] = best
	}
	if t.groups == nil {
		if rows[0] < 0 {
			rows = rows[:0]
		}
		return t.take(rows), nil
	}
	for g, best := range rows {
		if best < 0 {
			if m := members(g); len(m) > 0 {
				rows[g] = m[0]
			}
		}
	}
	return t.represent(rows), nil
}

// extremeOf returns the first row with the extreme value, -1 if all are NULL.
func (r *reducer) extremeOf(rows []int32) (int32, error) {
	best, bestValue := int32(-1), value.NullValue()
	sign := 1
	if r.args.Type == ArgMax {
		sign = -1
	}
	for _, row := range rows {
		if err := stopped(r.ctx, r.seen); err != nil {
			return 0, err
		}
		r.seen++
		v := r.view.At(int(row))
		if v.IsNull() {
			continue
		}
		if best < 0 || sign*value.Compare(v, bestValue, r.collation) < 0 {
			best, bestValue = row, v
		}
	}
	return best, nil
}

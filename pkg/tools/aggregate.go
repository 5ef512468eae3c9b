package tools

import (
	"context"

	"github.com/birdcall/birdcall/internal/text/toolname"
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
	// Separator is put between the texts of concat; nil is a comma.
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
	const tool = toolname.Aggregate
	if err := ready(ctx, tool, t); err != nil {
		return nil, err
	}
	kind, err := findAggregation(tool, toolname.ArgAggregationType, a.Type)
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
	members := func(row int) rowList {
		m := t.groups.of(t.position(row))
		return rowList{m, limited(a.Limit, len(m))}
	}
	groups := t.rows
	if t.groups == nil {
		members = func(int) rowList { return rowList{n: limited(a.Limit, t.rows)} }
		groups = 1
	}
	r := &reducer{ctx: ctx, tool: tool, kind: kind, args: a}
	if key >= 0 {
		if r.view, err = source.Column(ctx, key); err != nil {
			return nil, err
		}
		r.collation = source.fields[key].Collation
	}
	if kind.function == "" {
		return r.extreme(t, groups, members)
	}
	column, err := r.reduce(groups, members)
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
			return 0, &ToolError{Tool: tool, Argument: toolname.ArgKeyName, Reason: "is missing", Hint: "name a key; only count without distinct works without one"}
		}
		return -1, nil
	}
	i, err := t.find(tool, toolname.ArgKeyName, a.Key)
	if err != nil || t == source {
		return i, err
	}
	if !t.representative(i) {
		return 0, &ToolError{Tool: tool, Argument: toolname.ArgKeyName, Reason: quoted(a.Key) + " has one value for each group", Hint: "call retrieve_data first to aggregate over the groups"}
	}
	return source.find(tool, toolname.ArgKeyName, a.Key)
}

// reducer computes one aggregation over lists of rows.
type reducer struct {
	ctx       context.Context
	tool      string
	kind      aggregation
	args      AggregateArgs
	view      View
	collation value.Collation
	seen      int // rows so far, for the context
}

// reduce returns the aggregate of each group.
func (r *reducer) reduce(groups int, members func(int) rowList) (*Column, error) {
	parts := splitGroups(groups, r.view.Len(), members)
	columns := make([]*Column, len(parts))
	err := together(parts, func(part int, run span) error {
		own := *r
		one, err := own.reduction()
		if err != nil {
			return err
		}
		var b ColumnBuilder
		b.Grow(run.to - run.from)
		for g := run.from; g < run.to; g++ {
			v, err := one(members(g))
			if err != nil {
				return err
			}
			b.Append(v)
		}
		columns[part] = b.Column()
		return nil
	})
	if err != nil || len(columns) == 1 {
		return columns[0], err
	}
	return joined(groups, columns), nil
}

// splitGroups is split for groups, which have at most so many rows together.
func splitGroups(groups, maxRows int, members func(int) rowList) []span {
	if groups == 1 || len(split(maxRows)) == 1 {
		return []span{{0, groups}}
	}
	rows := 0
	for g := range groups {
		rows += members(g).n
	}
	parts := split(rows)
	g, before := 0, 0
	for i := range parts {
		end := parts[i].to
		parts[i].from = g
		for ; g < groups && (before < end || i == len(parts)-1); g++ {
			before += members(g).n
		}
		parts[i].to = g
	}
	return parts
}

// joined puts columns one after the other.
func joined(length int, columns []*Column) *Column {
	var b ColumnBuilder
	b.Grow(length)
	for _, c := range columns {
		for i := range c.Len() {
			b.Append(c.Value(i))
		}
	}
	return b.Column()
}

// aggregate returns the aggregate function, which has seen no row.
func (r *reducer) aggregate() (value.Aggregate, error) {
	separator := value.DefaultSeparator
	if r.args.Separator != nil {
		separator = *r.args.Separator
	}
	return value.NewAggregate(r.kind.function, separator, r.collation)
}

// one steps value by value.
func (r *reducer) one(rows rowList) (value.Value, error) {
	agg, err := r.aggregate()
	if err != nil {
		return value.NullValue(), err
	}
	var distinct map[value.Value]struct{}
	if r.args.Distinct {
		distinct = map[value.Value]struct{}{}
	}
	for i := range rows.n {
		if err := r.pass(1); err != nil {
			return value.NullValue(), err
		}
		v := r.view.At(int(rows.at(i)))
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
	return r.result(agg)
}

func (r *reducer) result(agg value.Aggregate) (value.Value, error) {
	v, err := agg.Result()
	if err != nil {
		return v, &ToolError{Tool: r.tool, Argument: toolname.ArgKeyName, Reason: err.Error(), Hint: "use total, which sums as REAL"}
	}
	return v, nil
}

// pass counts rows and gives the context's error at the first and at every
// 65536th.
func (r *reducer) pass(rows int) error {
	from := r.seen
	r.seen += rows
	if from > 0 && from>>16 == r.seen>>16 {
		return nil
	}
	return r.ctx.Err()
}

// extreme lets each group, or the table as a whole, show its extreme row.
func (r *reducer) extreme(t *Table, groups int, members func(int) rowList) (*Table, error) {
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
			if m := members(g); m.n > 0 {
				rows[g] = m.at(0)
			}
		}
	}
	return t.represent(rows), nil
}

// extremeOf returns the first row with the extreme value, -1 if all are NULL.
func (r *reducer) extremeOf(rows rowList) (int32, error) {
	best, bestValue := int32(-1), value.NullValue()
	sign := 1
	if r.args.Type == ArgMax {
		sign = -1
	}
	for i := range rows.n {
		if err := r.pass(1); err != nil {
			return 0, err
		}
		row := rows.at(i)
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

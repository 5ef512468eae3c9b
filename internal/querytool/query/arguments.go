package query

import (
	"github.com/birdcall/birdcall/pkg/tools"
)

// filterArgument returns the argument of the paper's toolset that filters a
// property of a type, and aggregationArgument the one that aggregates it.
func filterArgument(t Type) string {
	switch t {
	case Number:
		return argNumberFilter
	case Boolean:
		return argBooleanFilter
	}
	return argTextFilter
}

func aggregationArgument(t Type) string {
	switch t {
	case Number:
		return argNumberMetric
	case Boolean:
		return argBooleanMetric
	}
	return argTextMetric
}

// paperTypes are the types that the paper's toolset distinguishes, in the order of its
// arguments.
var paperTypes = []Type{Number, Text, Boolean}

// Arguments returns a query as the arguments of a call in a toolset, in the order in
// which the tool lists them. The query must be valid: see Validate.
func (q Query) Arguments(set Toolset, collections []Collection) tools.Arguments {
	var out tools.Arguments
	add := func(name string, v any) { out = append(out, tools.Argument{Name: name, Value: v}) }
	if q.Rationale != "" {
		add(argRationale, q.Rationale)
	}
	add(argCollection, q.Collection)
	if q.Search != "" {
		add(argSearch, q.Search)
	}
	if set == Paper {
		return append(out, q.paperArguments(Find(collections, q.Collection))...)
	}
	if len(q.Filters) > 0 {
		add(argFilters, filterList(q.Filters))
	}
	if len(q.Aggregations) > 0 {
		list := make([]any, len(q.Aggregations))
		for i, a := range q.Aggregations {
			list[i] = a.arguments()
		}
		add(argAggregations, list)
	}
	if len(q.GroupBy) > 0 {
		add(argGroups, texts(q.GroupBy))
	}
	if len(q.Properties) > 0 {
		add(argProperties, texts(q.Properties))
	}
	if q.Distinct {
		add(argDistinct, true)
	}
	if len(q.OrderBy) > 0 {
		list := make([]any, len(q.OrderBy))
		for i, o := range q.OrderBy {
			list[i] = o.arguments()
		}
		add(argOrderBy, list)
	}
	if q.Limit > 0 {
		add(argLimit, q.Limit)
	}
	if q.Offset > 0 {
		add(argOffset, q.Offset)
	}
	return out
}

// paperArguments are those behind the search in the paper's toolset.
func (q Query) paperArguments(c *Collection) tools.Arguments {
	var out tools.Arguments
	for _, t := range paperTypes {
		for _, f := range q.Filters {
			if name := filterArgument(c.typeOf(f.Property)); name == filterArgument(t) {
				out = append(out, tools.Argument{Name: name, Value: f.arguments()})
			}
		}
	}
	for _, t := range paperTypes {
		for _, a := range q.Aggregations {
			if name := aggregationArgument(c.typeOf(a.Property)); name == aggregationArgument(t) {
				out = append(out, tools.Argument{Name: name, Value: a.arguments()})
			}
		}
	}
	for _, name := range q.GroupBy {
		out = append(out, tools.Argument{Name: argGroup, Value: name})
	}
	return out
}

// typeOf returns the type of a property, Text for one that the collection has not.
func (c *Collection) typeOf(property string) Type {
	if c != nil {
		if p := c.Property(property); p != nil {
			return p.Type
		}
	}
	return Text
}

func filterList(filters []Filter) []any {
	out := make([]any, len(filters))
	for i, f := range filters {
		out[i] = f.arguments()
	}
	return out
}

func (f Filter) arguments() tools.Arguments {
	switch {
	case f.AnyOf != nil:
		return tools.Arguments{{Name: argAnyOf, Value: filterList(f.AnyOf)}}
	case f.AllOf != nil:
		return tools.Arguments{{Name: argAllOf, Value: filterList(f.AllOf)}}
	}
	out := tools.Arguments{{Name: argProperty, Value: f.Property}}
	if f.Part != "" {
		out = append(out, tools.Argument{Name: argPart, Value: string(f.Part)})
	}
	out = append(out, tools.Argument{Name: argOperator, Value: string(f.Operator)})
	if f.Operator != IsNull && f.Operator != IsNotNull {
		out = append(out, tools.Argument{Name: argValue, Value: literal(f.Value)})
	}
	return out
}

// literal returns a filter's value as JSON has it, a REAL with its point.
func literal(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = literal(one)
		}
		return out
	case int64, float64:
		return tools.LiteralJSON(number(v))
	}
	return v
}

func (a Aggregation) arguments() tools.Arguments {
	var out tools.Arguments
	if a.Property != "" {
		out = append(out, tools.Argument{Name: argProperty, Value: a.Property})
	}
	out = append(out, tools.Argument{Name: argMetrics, Value: string(a.Metric)})
	if a.Distinct {
		out = append(out, tools.Argument{Name: argDistinct, Value: true})
	}
	if a.Limit > 0 {
		out = append(out, tools.Argument{Name: argTop, Value: a.Limit})
	}
	return out
}

func (o Order) arguments() tools.Arguments {
	out := tools.Arguments{{Name: argProperty, Value: o.Property}}
	if o.Aggregation != nil {
		out = o.Aggregation.arguments()
	}
	direction := directionAscending
	if o.Descending {
		direction = directionDescending
	}
	return append(out, tools.Argument{Name: argDirection, Value: direction})
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

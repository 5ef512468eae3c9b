package queryscore

import (
	"slices"

	"github.com/birdcall/birdcall/pkg/tools"
)

// The arguments of the tool that metrics look at.
const (
	argCollection   = "collection_name"
	argSearch       = "search_query"
	argRationale    = "tool_rationale"
	argGroup        = "groupby_property"
	argGroups       = "groupby_properties"
	argFilters      = "filters"
	argAggregations = "aggregations"
	argProperty     = "property_name"
	argOperator     = "operator"
	argValue        = "value"
	argMetrics      = "metrics"
	argAnyOf        = "any_of"
	argAllOf        = "all_of"

	argUseTools  = "use_tools"
	argToolCalls = "tool_calls"
	argFunction  = "function_name"
	argArguments = "arguments"
)

// The paper's filters and aggregations: an argument for each type.
var (
	paperFilters      = []string{"integer_property_filter", "text_property_filter", "boolean_property_filter"}
	paperAggregations = []string{"integer_property_aggregation", "text_property_aggregation", "boolean_property_aggregation"}
)

// get returns an argument, nil where there is none.
func get(a tools.Arguments, name string) any {
	v, _ := a.Get(name)
	return v
}

// text returns an argument that is a text, "" for any other.
func text(a tools.Arguments, name string) string {
	s, _ := get(a, name).(string)
	return s
}

// without returns arguments without one of them.
func without(a tools.Arguments, name string) tools.Arguments {
	return slices.DeleteFunc(slices.Clone(a), func(one tools.Argument) bool { return one.Name == name })
}

// all returns the filters, or the aggregations, of arguments as texts in an order
// of their own: those of typed arguments with the argument's name, and those of a
// list.
func all(a tools.Arguments, typed []string, list string) []string {
	var out []string
	for _, name := range typed {
		if v := get(a, name); v != nil {
			out = append(out, name+" "+canonical(v, true))
		}
	}
	if elements, ok := get(a, list).([]any); ok {
		for _, e := range elements {
			out = append(out, canonical(e, true))
		}
	} else if v := get(a, list); v != nil {
		out = append(out, canonical(v, true))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// groups returns the grouping of arguments as a text, "" for none.
func groups(a tools.Arguments) string {
	for _, name := range []string{argGroup, argGroups} {
		v := get(a, name)
		if elements, ok := v.([]any); v != nil && (!ok || len(elements) > 0) {
			return canonical(v, false)
		}
	}
	return ""
}

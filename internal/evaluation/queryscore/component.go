package queryscore

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Component is a part of queries that scores are grouped by.
type Component string

// The components. The paper has those up to Grouping, without dates and objects.
const (
	Search             Component = "search"
	NumberFilter       Component = "number filter"
	TextFilter         Component = "text filter"
	BooleanFilter      Component = "boolean filter"
	DateFilter         Component = "date filter"
	NumberAggregation  Component = "number aggregation"
	TextAggregation    Component = "text aggregation"
	BooleanAggregation Component = "boolean aggregation"
	DateAggregation    Component = "date aggregation"
	ObjectCount        Component = "count of objects"
	Grouping           Component = "grouping"
	Properties         Component = "properties"
	Distinct           Component = "distinct"
	OrderBy            Component = "order"
	Limit              Component = "limit" // and offset
)

// Components returns them in the order in which they are shown.
func Components() []Component {
	return []Component{
		Search, NumberFilter, TextFilter, BooleanFilter, DateFilter,
		NumberAggregation, TextAggregation, BooleanAggregation, DateAggregation, ObjectCount,
		Grouping, Properties, Distinct, OrderBy, Limit,
	}
}

// componentsOf returns the components of arguments, each with a text that is the
// same for the same component. The paper's arguments name their types themselves;
// in the toolset Full the properties do.
func componentsOf(a tools.Arguments, c *query.Collection) map[Component]string {
	out := map[Component]string{}
	if s := text(a, argSearch); s != "" {
		out[Search] = strings.ToLower(strings.Join(strings.Fields(s), " "))
	}
	for i, one := range []Component{NumberFilter, TextFilter, BooleanFilter} {
		if v := get(a, paperFilters[i]); v != nil {
			out[one] = canonical(v, true)
		}
	}
	for i, one := range []Component{NumberAggregation, TextAggregation, BooleanAggregation} {
		if v := get(a, paperAggregations[i]); v != nil {
			out[one] = canonical(v, true)
		}
	}
	for _, one := range elements(a, argFilters) {
		for _, t := range filterTypes(one, c) {
			out[filterComponents[t]] += one.text + " "
		}
	}
	for _, one := range elements(a, argAggregations) {
		component := ObjectCount
		if text(one.object, argProperty) != "" {
			component = aggregationComponents[aggregationType(one.object, c)]
		}
		out[component] += one.text + " "
	}
	add := func(component Component, names ...string) {
		text := ""
		for _, name := range names {
			if v := get(a, name); v != nil && v != false {
				text += canonical(v, true) + " "
			}
		}
		if text != "" {
			out[component] = text
		}
	}
	if g := groups(a); g != "" {
		out[Grouping] = g
	}
	add(Properties, "properties")
	add(Distinct, "distinct")
	add(OrderBy, "order_by")
	add(Limit, "limit", "offset")
	return out
}

var (
	filterComponents = map[query.Type]Component{
		query.Number: NumberFilter, query.Text: TextFilter, query.Boolean: BooleanFilter, query.Date: DateFilter,
	}
	aggregationComponents = map[query.Type]Component{
		query.Number: NumberAggregation, query.Text: TextAggregation, query.Boolean: BooleanAggregation, query.Date: DateAggregation,
	}
)

// element is an object of a list and its text.
type element struct {
	object tools.Arguments
	text   string
}

// elements returns the objects of a list that is a set, in an order of their own.
func elements(a tools.Arguments, name string) []element {
	list, _ := get(a, name).([]any)
	var out []element
	for _, v := range list {
		object, _ := v.(tools.Arguments)
		out = append(out, element{object, canonical(v, true)})
	}
	slices.SortFunc(out, func(a, b element) int { return strings.Compare(a.text, b.text) })
	return slices.CompactFunc(out, func(a, b element) bool { return a.text == b.text })
}

// filterTypes returns the types of the properties that a filter is about, each
// once and one at least.
func filterTypes(f element, c *query.Collection) []query.Type {
	var out []query.Type
	var add func(tools.Arguments)
	add = func(object tools.Arguments) {
		nested := false
		for _, name := range []string{argAnyOf, argAllOf} {
			if list, ok := get(object, name).([]any); ok {
				nested = true
				for _, v := range list {
					inner, _ := v.(tools.Arguments)
					add(inner)
				}
			}
		}
		if !nested {
			out = append(out, typeOf(text(object, argProperty), c))
		}
	}
	add(f.object)
	if len(out) == 0 {
		return []query.Type{query.Text}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func aggregationType(object tools.Arguments, c *query.Collection) query.Type {
	return typeOf(text(object, argProperty), c)
}

// typeOf returns the type of a property, Text where it is not known.
func typeOf(property string, c *query.Collection) query.Type {
	if c != nil {
		if p := c.Property(property); p != nil {
			return p.Type
		}
	}
	return query.Text
}

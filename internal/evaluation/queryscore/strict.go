package queryscore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// normal is the normal form of a query: texts that queries share which are the
// same by their form. Lists whose order does not matter are sorted, without
// repetitions.
type normal struct {
	collection, search   string
	filters              []string
	aggregations, groups []string
	properties, order    []string
	distinct             bool
	limit, offset        int
}

// normalize returns the normal form of a query of a collection, which is nil where
// it is not known.
func normalize(q query.Query, c *query.Collection) normal {
	n := normal{
		collection: spelling.Lower(q.Collection),
		search:     strings.ToLower(strings.Join(strings.Fields(q.Search), " ")),
		filters:    allHold(q.Filters),
		groups:     names(q.GroupBy),
		properties: sorted(names(q.Properties)),
		distinct:   q.Distinct, limit: q.Limit, offset: q.Offset,
	}
	for _, a := range q.Aggregations {
		n.aggregations = append(n.aggregations, aggregation(a, c))
	}
	n.aggregations = sorted(n.aggregations)
	if q.Limit == 0 && q.Offset == 0 {
		n.groups = sorted(n.groups) // else their order says which groups are left
	}
	if c != nil && slices.Equal(n.properties, everything(c)) {
		n.properties = nil
	}
	for _, o := range q.OrderBy {
		if one := order(o, c); !slices.Contains(n.order, one) {
			n.order = append(n.order, one)
		}
	}
	return n
}

// same says whether two normal forms are one.
func (n normal) same(o normal) bool {
	return n.collection == o.collection && n.search == o.search && slices.Equal(n.filters, o.filters) &&
		slices.Equal(n.aggregations, o.aggregations) && slices.Equal(n.groups, o.groups) &&
		slices.Equal(n.properties, o.properties) && slices.Equal(n.order, o.order) &&
		n.distinct == o.distinct && n.limit == o.limit && n.offset == o.offset
}

// allHold returns filters that all hold as texts in an order of their own. A
// property that is none of some values has one filter, however many say so.
func allHold(filters []query.Filter) []string {
	var out []string
	none := map[string][]string{} // the values that a property must not have
	var add func([]query.Filter)
	add = func(list []query.Filter) {
		for _, f := range list {
			switch {
			case f.AllOf != nil:
				add(f.AllOf)
			case f.AnyOf != nil:
				out = append(out, anyHolds(f.AnyOf))
			case f.Operator == query.NotEqual || f.Operator == query.NotIn:
				none[subject(f)] = append(none[subject(f)], values(f)...)
			default:
				out = append(out, condition(f)...)
			}
		}
	}
	add(filters)
	for what, list := range none {
		out = append(out, what+" not in "+join(list))
	}
	return sorted(out)
}

// anyHolds returns filters of which one holds as a text. A property that is one of
// some values has one filter, however many say so.
func anyHolds(filters []query.Filter) string {
	var out []string
	one := map[string][]string{} // the values that a property may have
	for _, f := range filters {
		if f.AnyOf == nil && f.AllOf == nil && (f.Operator == query.Equal || f.Operator == query.In) {
			one[subject(f)] = append(one[subject(f)], values(f)...)
			continue
		}
		out = append(out, both(allHold([]query.Filter{f})))
	}
	for what, list := range one {
		out = append(out, what+" in "+join(list))
	}
	if out = sorted(out); len(out) == 1 {
		return out[0]
	}
	return "any(" + strings.Join(out, " or ") + ")"
}

// both joins conditions that all hold.
func both(conditions []string) string {
	if len(conditions) == 1 {
		return conditions[0]
	}
	return "all(" + strings.Join(conditions, " and ") + ")"
}

// condition returns a condition that is neither NotEqual nor NotIn.
func condition(f query.Filter) []string {
	switch f.Operator {
	case query.Equal, query.In:
		return []string{subject(f) + " in " + join(values(f))}
	case query.IsNull, query.IsNotNull:
		return []string{subject(f) + " " + string(f.Operator)}
	case query.Like, query.NotLike:
		if pattern, ok := f.Value.(string); ok {
			// LIKE disregards the case of ASCII letters.
			return []string{subject(f) + " " + string(f.Operator) + " " + strconv.Quote(spelling.Lower(pattern))}
		}
	}
	return []string{subject(f) + " " + string(f.Operator) + " " + join(values(f))}
}

// subject is what a condition is about.
func subject(f query.Filter) string {
	return strconv.Quote(spelling.Lower(f.Property)) + "." + string(f.Part)
}

// values returns the values of a condition as texts. Numbers are equal by value.
func values(f query.Filter) []string {
	list, ok := f.Value.([]any)
	if !ok {
		list = []any{f.Value}
	}
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = canonical(v, false)
	}
	return out
}

// aggregation returns an aggregation as a text. Where no object lacks a value,
// counting the values is counting the objects.
func aggregation(a query.Aggregation, c *query.Collection) string {
	property := spelling.Lower(a.Property)
	if c != nil && a.Metric == query.Count && !a.Distinct {
		if p := c.Property(a.Property); p != nil && p.Required {
			property = ""
		}
	}
	limit := 0
	if a.Metric == query.TopOccurrences {
		if limit = a.Limit; limit == 0 {
			limit = query.DefaultOccurrences
		}
	}
	return fmt.Sprintf("%s(%q) %t %d", a.Metric, property, a.Distinct, limit)
}

func order(o query.Order, c *query.Collection) string {
	if o.Aggregation != nil {
		return fmt.Sprintf("%s %t", aggregation(*o.Aggregation, c), o.Descending)
	}
	return fmt.Sprintf("%q %t", spelling.Lower(o.Property), o.Descending)
}

// everything returns the names of all properties, sorted.
func everything(c *query.Collection) []string {
	out := make([]string, len(c.Properties))
	for i, p := range c.Properties {
		out[i] = spelling.Lower(p.Name)
	}
	return sorted(out)
}

func names(list []string) []string {
	out := make([]string, len(list))
	for i, name := range list {
		out[i] = spelling.Lower(name)
	}
	return out
}

// sorted sorts a list and drops what is in it again.
func sorted(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// join returns values as a set.
func join(values []string) string { return "[" + strings.Join(sorted(values), ",") + "]" }

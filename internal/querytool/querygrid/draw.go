package querygrid

import (
	"math"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/value"
)

// one draws an entry of a list that is not empty.
func one[T any](g *grid, list []T) T { return list[g.random.IntN(len(list))] }

// draw makes a query of a combination over a collection, which may be none that is
// good; it reports whether it could.
func (g *grid) draw(p *profile, c Combination, w way) (query.Query, bool) {
	q := query.Query{Collection: p.collection.Name}
	var group, filtered *property
	if c.Grouped {
		list := slices.DeleteFunc(slices.Clone(p.groups), func(one *property) bool { return one.kind != w.group })
		if len(list) == 0 {
			return q, false
		}
		group = one(g, list)
		q.GroupBy = []string{group.Property.Name}
	}
	if c.Aggregation != "" {
		a, ok := g.aggregation(p, c.Aggregation, w.metric, group)
		if !ok {
			return q, false
		}
		q.Aggregations = []query.Aggregation{a}
	}
	if c.Filter != "" {
		f, by, ok := g.filter(p, c.Filter, w.comparison, group)
		if !ok {
			return q, false
		}
		q.Filters, filtered = []query.Filter{f}, by
	}
	if c.Aggregation != "" && filtered != nil && filtered.Property.Name == q.Aggregations[0].Property && !filtered.bears(w) {
		return q, false
	}
	if c.Search {
		search, ok := g.search(p)
		if !ok {
			return q, false
		}
		q.Search = search
	}
	return q, true
}

// bears reports whether a property that is filtered may be aggregated, too. One with
// one value left may not, but booleans may be counted, as there is often no other.
func (p *property) bears(w way) bool {
	switch operator := w.comparison.operator; p.kind {
	case query.Boolean:
		return w.metric == query.Count
	case query.Number:
		least := operator == query.Greater || operator == query.GreaterOrEqual
		return operator != query.Equal && w.metric != query.Count && !(least && w.metric == query.Min) && !(!least && w.metric == query.Max)
	}
	return false
}

// aggregation draws a property for a metric.
func (g *grid) aggregation(p *profile, kind query.Type, m query.Metric, group *property) (query.Aggregation, bool) {
	list := slices.DeleteFunc(p.ofType(kind), func(one *property) bool {
		// Numbers that are names have no mean, and texts that are all different are
		// all equally frequent.
		return one == group || one.isID && !slices.Contains([]query.Metric{query.Count, query.TypeOf}, m) ||
			m == query.Sum && !one.addsUp() || m == query.TopOccurrences && (len(one.counts) < 2 || 2*len(one.counts) > len(one.values) || one.hasLongValues())
	})
	if len(list) == 0 {
		return query.Aggregation{}, false
	}
	by := one(g, informativeFirst(list))
	a := query.Aggregation{Property: by.Property.Name, Metric: m}
	if m == query.TopOccurrences && g.random.IntN(3) > 0 {
		a.Limit = one(g, []int{2, 2, 3, 3, 4, 6})
	}
	return a, true
}

// filter draws a property for a comparison, and the value that it is compared with
// from its values.
func (g *grid) filter(p *profile, kind query.Type, c comparison, group *property) (query.Filter, *property, bool) {
	list := slices.DeleteFunc(p.ofType(kind), func(one *property) bool { return one == group })
	list = informativeFirst(list)
	if kind == query.Text {
		list = slices.DeleteFunc(list, func(one *property) bool {
			switch {
			case c.operator == query.Equal || c.prefix:
				return one.isProse
			case one.isProse:
				return false
			}
			return one.Type == query.Date
		})
	}
	if len(list) == 0 {
		return query.Filter{}, nil, false
	}
	by := one(g, list)
	f := query.Filter{Property: by.Property.Name, Operator: c.operator}
	v := one(g, by.values)
	var ok bool
	switch kind {
	case query.Number:
		f.Value, ok = g.number(by, v, c)
	case query.Boolean:
		f.Value, ok = true, true // not equal to true is how false is asked for
	default:
		f.Value, ok = g.text(by, v, c)
	}
	return f, by, ok
}

// number returns what a number is compared with: for an order, a value that is
// neither among the least nor among the greatest ones.
func (g *grid) number(p *property, v value.Value, c comparison) (any, bool) {
	if c.operator == query.Equal {
		for i := 0; i < 10 && !p.isFrequent(v); i++ {
			v = one(g, p.values)
		}
	} else {
		sorted := slices.SortedFunc(slices.Values(p.values), func(a, b value.Value) int { return value.Compare(a, b, value.Binary) })
		v = sorted[len(sorted)/5+g.random.IntN(len(sorted)*3/5+1)]
	}
	switch v.Kind() {
	case value.Integer:
		return v.Int64(), true
	case value.Real:
		f := v.Float64()
		if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return int64(f), true
		}
		return f, !math.IsInf(f, 0)
	}
	return nil, false
}

// text returns what a text is compared with: itself, its beginning or one of its
// words.
func (g *grid) text(p *property, v value.Value, c comparison) (any, bool) {
	for i := 0; i < 10 && c.operator == query.Equal && !p.isFrequent(v); i++ {
		v = one(g, p.values)
	}
	if v.Kind() != value.Text {
		return nil, false
	}
	s := v.Raw()
	switch {
	case c.operator == query.Equal:
		return s, quotable(s) && len(s) <= shortText
	case c.prefix:
		start, _, several := strings.Cut(s, " ")
		if p.Type == query.Date && len(s) >= 7 {
			start, several = s[:7], true // the year and the month
		}
		if runes := []rune(start); !several && len(runes) > 4 {
			start = string(runes[:2+g.random.IntN(2)])
		}
		return start + "%", quotable(start) && len(start) > 1 && start != s
	}
	words := informative(v)
	if !p.isProse && !strings.Contains(s, " ") || len(words) == 0 {
		return nil, false // nothing that is a part
	}
	return "%" + one(g, words) + "%", true
}

// search draws words of a text: one, or two that follow each other.
func (g *grid) search(p *profile) (string, bool) {
	by := one(g, p.searched)
	for range 20 {
		v := one(g, by.values)
		words := informative(v)
		if len(words) == 0 {
			continue
		}
		at := g.random.IntN(len(words))
		if other := g.random.IntN(len(words)); len(words[other]) > len(words[at]) {
			at = other // long words say more
		}
		if p.rows > manyObjects { // of many objects, rare ones do
			for i, w := range words {
				if p.frequency(w) < p.frequency(words[at]) {
					at = i
				}
			}
		}
		if at+1 < len(words) && g.random.IntN(3) == 0 {
			if both := words[at] + " " + words[at+1]; strings.Contains(v.Raw(), both) {
				return both, true
			}
		}
		return words[at], true
	}
	return "", false
}

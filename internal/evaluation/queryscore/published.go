package queryscore

import (
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/tools"
)

// script says which version of the public script a score is by.
type script struct {
	// sameSearch asks for the same text to search for, as the script did before
	// 22 November 2024. Later it only asks whether both search.
	sameSearch bool
}

// ast returns the score as the script adds it up, to the last bit.
func (s script) ast(gold, got typed) float64 {
	if gold.collection != got.collection {
		return 0
	}
	score := 0.4
	if s.sameSearch && gold.text == got.text || !s.sameSearch && gold.search == got.search && gold.search != empty {
		score += 0.15
	}
	// The conversions keep a compiler from fusing the product with the sum.
	score += float64(0.15 * shared(gold.filters, got.filters))
	score += float64(0.15 * shared(gold.aggregations, got.aggregations))
	if gold.group == got.group {
		score += 0.15
	}
	return score
}

// shared is the share of types that are right, of those that both queries have or
// both lack.
func shared(gold, got [3]string) float64 {
	right, counted := 0, 0
	for i := range gold {
		if (gold[i] == "") != (got[i] == "") {
			continue
		}
		counted++
		if gold[i] == got[i] {
			right++
		}
	}
	if counted == 0 {
		return 0
	}
	return float64(right) / float64(counted)
}

// typed is arguments as the script sees them: filters and aggregations by their
// type, "" for none.
type typed struct {
	collection, text, group string
	search                  searching
	filters, aggregations   [3]string
}

// searching says whether a query searches. An empty text equals nothing,
// not even itself.
type searching int

const (
	none searching = iota // null, or left out
	empty
	some
)

// typedOf reads arguments of a query of a collection. In the toolset Full, which
// the scripts do not know, all filters of a type are compared together, and so are
// the aggregations.
func typedOf(a tools.Arguments, c *query.Collection) typed {
	t := typed{
		collection: canonical(get(a, argCollection), false), group: groups(a),
		text: canonical(get(a, argSearch), false),
	}
	switch v := get(a, argSearch); v {
	case nil:
	case "":
		t.search = empty
	default:
		t.search = some
	}
	for i := range 3 {
		t.filters[i] = fields(get(a, paperFilters[i]), argProperty, argOperator, argValue)
		t.aggregations[i] = fields(get(a, paperAggregations[i]), argProperty, argMetrics)
	}
	for _, one := range elements(a, argFilters) {
		t.filters[place(filterTypes(one, c)[0])] += one.text + " "
	}
	for _, one := range elements(a, argAggregations) {
		t.aggregations[place(aggregationType(one.object, c))] += one.text + " "
	}
	return t
}

// place is the place of a type among the paper's filters.
func place(t query.Type) int {
	switch t {
	case query.Number:
		return 0
	case query.Boolean:
		return 2
	}
	return 1
}

// fields returns the fields of an object that the script compares, "" where there
// is no object.
func fields(v any, names ...string) string {
	object, ok := v.(tools.Arguments)
	if !ok {
		return ""
	}
	out := ""
	for _, name := range names {
		out += canonical(get(object, name), false) + " "
	}
	return out
}

package evaluate

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
)

// What follows rewrites calls of the tools to others that give the same result.
// Each rule says why it does.

// simplify writes filters in one way that say the same: a list of one value is
// that value, and is with null is a condition of its own.
func (f *form) simplify() {
	for _, n := range f.calls {
		list, _ := n.get(toolname.ArgValue).([]any)
		switch condition := n.condition(); {
		case condition == tools.In && len(list) == 1:
			n.args = n.args.Set(toolname.ArgCondition, string(tools.Equal)).Set(toolname.ArgValue, list[0])
		case condition == tools.NotIn && len(list) == 1:
			n.args = n.args.Set(toolname.ArgCondition, string(tools.NotEqual)).Set(toolname.ArgValue, list[0])
		case condition == tools.Is && n.isNull(toolname.ArgValue):
			n.args = n.without(toolname.ArgValue).Set(toolname.ArgCondition, string(tools.IsNull))
		case condition == tools.IsNot && n.isNull(toolname.ArgValue):
			n.args = n.without(toolname.ArgValue).Set(toolname.ArgCondition, string(tools.IsNotNull))
		}
	}
}

// mergeDistinct writes select_unique_values of a whole retrieve_data as its
// distinct: both drop the rows that are equal to an earlier one.
func (f *form) mergeDistinct() {
	readers := f.readers()
	var out []*node
	for _, n := range f.calls {
		v := n.get(toolname.ArgUniqueArray)
		r, _ := v.(reference)
		from := r.to
		if n.name != toolname.Unique || from == nil || from.name != toolname.Retrieve || len(readers[from]) != 1 ||
			from.has(toolname.ArgLimit) || from.has(toolname.ArgOffset) {
			out = append(out, n)
			continue
		}
		from.args = sorted(from.args.Set(toolname.ArgDistinct, true))
		for _, reader := range readers[n] {
			reader.args = replaced(reader.args, n, from)
		}
	}
	f.calls = out
}

// replaced returns arguments with references to one call instead of those to
// another.
func replaced(args tools.Arguments, old, now *node) tools.Arguments {
	return mapValues(args, func(v any) any {
		if r, ok := v.(reference); ok && r.to == old {
			return reference{to: now}
		}
		return v
	})
}

// preferExtremes writes the first row of a sorted table as argmax or argmin,
// which are the first of the rows with the extreme value too. Those skip NULL:
// descending order has it last, so that it is first only where there is nothing
// else; for ascending order the key must be known not to be NULL.
func (f *form) preferExtremes() {
	readers := f.readers()
	for _, n := range f.calls {
		from := n.source()
		if n.name != toolname.Retrieve || from == nil || from.isGrouped() {
			continue
		}
		if n.isOne(toolname.ArgLimit) && !n.has(toolname.ArgOffset) && len(readers[from]) == 1 {
			if how, ok := from.extreme(); ok {
				key := from.get(toolname.ArgKeyName)
				from.name = toolname.Aggregate
				from.args = sorted(tools.Arguments{
					{Name: toolname.ArgDataSource, Value: from.get(toolname.ArgDataSource)},
					{Name: toolname.ArgKeyName, Value: key}, {Name: toolname.ArgAggregationType, Value: string(how)},
				})
			}
		}
		if how := from.get(toolname.ArgAggregationType); from.name == toolname.Aggregate && (how == string(tools.ArgMax) || how == string(tools.ArgMin)) {
			// One row is there: the limit cuts nothing, and no row is equal to another.
			if n.isOne(toolname.ArgLimit) {
				n.args = n.without(toolname.ArgLimit)
			}
			n.args = n.without(toolname.ArgDistinct)
		}
	}
}

// extreme returns the aggregation whose row a sort puts first.
func (n *node) extreme() (tools.Aggregation, bool) {
	key := n.get(toolname.ArgKeyName)
	if _, several := key.([]any); n.name != toolname.Sort || several || n.has(toolname.ArgCollation) {
		return "", false
	}
	nulls := n.get(toolname.ArgNulls)
	switch n.get(toolname.ArgAscending) {
	case false:
		return tools.ArgMax, nulls == nil || nulls == string(tools.NullsLast)
	case true:
		return tools.ArgMin, nulls == string(tools.NullsLast) || n.source().isNotNull(key)
	}
	return "", false
}

// isNotNull reports whether a chain of filters keeps only rows in which the key
// has a value.
func (n *node) isNotNull(key any) bool {
	for ; n != nil && n.name == toolname.Filter; n = n.source() {
		switch n.condition() {
		case tools.IsNull, tools.Is, tools.IsNot:
		default:
			if jsonText(n.get(toolname.ArgKeyName)) == jsonText(key) {
				return true
			}
		}
	}
	return false
}

// isGrouped reports whether the result of a call may be groups.
func (n *node) isGrouped() bool {
	for ; n != nil; n = n.source() {
		switch n.name {
		case toolname.Group:
			return true
		case toolname.Retrieve, toolname.Unique, toolname.Combine, toolname.Join:
			return false
		}
	}
	return false
}

// sortFilters orders the filters of each chain in which only the next one reads
// a result: a row stays if all of them keep it, in whatever order they look. It
// gives each call its hash, which those that read it are sorted by.
func (f *form) sortFilters() {
	readers := f.readers()
	isFilter := func(n *node) bool { return n != nil && n.name == toolname.Filter && n.malformed == "" }
	needless := map[*node]bool{}
	for _, n := range f.calls {
		if !isFilter(n) {
			n.seal()
			continue
		}
		if next := readers[n]; len(next) == 1 && isFilter(next[0]) && next[0].source() == n {
			continue // the chain goes on
		}
		chain := []*node{n}
		for up := n.source(); isFilter(up) && len(readers[up]) == 1; up = up.source() {
			chain = append(chain, up)
		}
		slices.Reverse(chain)
		for _, n := range arrange(chain) {
			needless[n] = true
		}
	}
	f.calls = slices.DeleteFunc(f.calls, func(n *node) bool { return needless[n] })
}

// arrange puts what the filters of a chain say into order, and leaves the last
// call, whose result others read, where it is. It returns the calls that are not
// needed to say it.
func arrange(chain []*node) (needless []*node) {
	start := chain[0].get(toolname.ArgDataSource)
	says := make([]node, len(chain))
	for i, n := range chain {
		says[i] = *n
	}
	slices.SortStableFunc(says, func(a, b node) int { return strings.Compare(a.rank(), b.rank()) })
	says = mergeRanges(says)
	slices.SortStableFunc(says, func(a, b node) int { return strings.Compare(a.rank(), b.rank()) })
	kept := chain[len(chain)-len(says):]
	for i, n := range kept {
		source := start
		if i > 0 {
			source = reference{to: kept[i-1]}
		}
		n.args = sorted(says[i].args.Set(toolname.ArgDataSource, source))
		n.from = says[i].from
		n.seal()
	}
	return chain[:len(chain)-len(says)]
}

// mergeRanges writes a filter with >= and one with <= on one key as between: x
// BETWEEN a AND b is x >= a AND x <= b
// (https://www.sqlite.org/lang_expr.html, section 9).
func mergeRanges(filters []node) []node {
	var out []node
	used := make([]bool, len(filters))
	for i := range filters {
		low := &filters[i]
		if used[i] {
			continue
		}
		for j := range filters {
			high := &filters[j]
			if used[j] || low.condition() != tools.GreaterOrEqual || high.condition() != tools.LessOrEqual ||
				low.others() != high.others() || !low.has(toolname.ArgValue) || !high.has(toolname.ArgValue) {
				continue
			}
			low.args = low.args.Set(toolname.ArgCondition, string(tools.Between)).Set(toolname.ArgValue, []any{low.get(toolname.ArgValue), high.get(toolname.ArgValue)})
			used[j] = true
		}
	}
	for i, n := range filters {
		if !used[i] {
			out = append(out, n)
		}
	}
	return out
}

// others writes what a filter says but for its condition and value.
func (n *node) others() string {
	return jsonText(slices.DeleteFunc(n.without(toolname.ArgDataSource), func(a tools.Argument) bool {
		return a.Name == toolname.ArgCondition || a.Name == toolname.ArgValue
	}))
}

// rank is what filters are sorted by: the condition, the key, then the value.
func (n *node) rank() string {
	return jsonText([]any{n.condition(), n.get(toolname.ArgKeyName), n.without(toolname.ArgDataSource)})
}

func (n *node) get(name string) any {
	v, _ := n.args.Get(name)
	return v
}

func (n *node) has(name string) bool {
	_, ok := n.args.Get(name)
	return ok
}

func (n *node) isNull(name string) bool {
	v, ok := n.args.Get(name)
	return ok && v == nil
}

func (n *node) isOne(name string) bool {
	v, ok := n.args.Get(name)
	return ok && jsonText(v) == "1"
}

func (n *node) without(name string) tools.Arguments {
	return slices.DeleteFunc(slices.Clone(n.args), func(a tools.Argument) bool { return a.Name == name })
}

// condition returns the condition of a filter, "" for another call.
func (n *node) condition() tools.Condition {
	text, _ := n.get(toolname.ArgCondition).(string)
	if n.name != toolname.Filter || n.malformed != "" {
		return ""
	}
	return tools.Condition(text)
}

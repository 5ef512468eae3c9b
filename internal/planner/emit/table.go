package emit

import (
	"slices"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/text/toolname"
)

// table is what a step's label holds: its keys in order, and the columns of
// the plan that they are.
type table struct {
	label string
	keys  []string
	of    map[plan.Col]string
}

func (t *table) has(key string) bool { return slices.Contains(t.keys, key) }

// with returns a table under a new label with one more column. A column that
// takes another's place takes its key.
func (t *table) with(label string, c plan.Col, key string) *table {
	out := &table{label: label, of: map[plan.Col]string{}}
	for k, v := range t.of {
		if v != key {
			out.of[k] = v
		}
	}
	out.keys = t.keys
	if !t.has(key) {
		out.keys = append(slices.Clone(t.keys), key)
	}
	out.of[c] = key
	return out
}

func (t *table) relabelled(label string) *table {
	return &table{label: label, keys: t.keys, of: t.of}
}

func ref(t *table) any { return "$" + t.label + "$" }

// argument is one argument of a call; one that is not given is left out.
type argument struct {
	name  string
	value any
	given bool
}

func arg(name string, v any) argument                  { return argument{name, v, true} }
func optional(name string, v any, given bool) argument { return argument{name, v, given} }
func dataSource(t *table) argument                     { return arg(toolname.ArgDataSource, ref(t)) }

// keyArg names one column as a string and several as a list.
func keyArg(name string, keys []string) argument {
	if len(keys) == 1 {
		return arg(name, keys[0])
	}
	list := make([]any, len(keys))
	for i, k := range keys {
		list[i] = k
	}
	return arg(name, list)
}

func (t *table) keysOf(cols []plan.Col) []string {
	keys := make([]string, len(cols))
	for i, c := range cols {
		keys[i] = t.of[c]
	}
	return keys
}
